import { judgeRatio, type Limit, type RatioOfRounds, spreadOf, type Verdict } from '../scenario.ts'
import { decidingProfile, type ProfileName } from './floor.ts'
import type { MeasuredRun, OurRow, Round } from './measure.ts'

const LONG_MIN = 60
const SHORT_MIN = 10

/** What remains for queues, claims, sections and steps beside the least that keeps its work (in-worker/run-floor.ts). */
const OVER_FLOOR_MAX = 1.25
const TIMES_FASTER_MIN = 10
/** How many calls fit in flight makes the models alone take longer for an hour, so it is measured against that. */
const LONG_OVER_SHORT_MAX = 1.1
const FIRST_STEP_SHARE_MAX = 0.25
/** More would mean that a chunk costs the more the more chunks there are. */
const GROWTH_MAX = 1.1
/** What a step writer may look back on grows for half an hour, so the chunks of ten minutes read less. */
const ROWS_READ_GROWTH_MAX = 1.6

interface Compared {
  long: Round
  short: Round | undefined
  serialS: number
  serialReadyS: number
}

interface Claim {
  claim: string
  /** Undefined where what it is about was not measured. */
  ratio: (compared: Compared) => number | undefined
  limit: Limit
  isAdvisory?: true
}

/** Counts, so that they are the same on every machine. */
const GROWING: readonly [name: string, count: (run: MeasuredRun) => number, atMost: number][] = [
  ['D1 statements', (run) => run.d1StatementsPerVideoMin, GROWTH_MAX],
  ['D1 rows written', (run) => run.d1RowsWrittenPerVideoMin, GROWTH_MAX],
  ['D1 rows read', (run) => run.d1RowsReadPerVideoMin, ROWS_READ_GROWTH_MAX],
  ['R2 operations', (run) => run.r2OperationsPerVideoMin, GROWTH_MAX],
]

const overModels = (run: MeasuredRun) => run.readyS / run.floorS

const CLAIMS: readonly Claim[] = [
  {
    claim: '60 min by server demux: READY / floor',
    ratio: ({ long }) => long.server.readyS / long.floorRunS,
    limit: { atMost: OVER_FLOOR_MAX },
  },
  {
    claim: '60 min by server demux: serial / ours, until all steps are written',
    ratio: ({ long, serialS }) => serialS / long.server.writtenS,
    limit: { atLeast: TIMES_FASTER_MIN },
  },
  {
    claim: '60 min by server demux: serial / ours, until READY',
    ratio: ({ long, serialReadyS }) => serialReadyS / long.server.readyS,
    limit: { atLeast: TIMES_FASTER_MIN },
  },
  {
    claim: 'client audio: READY of 60 min / of 10 min, over the same of the models alone',
    ratio: ({ long, short }) => short && overModels(long.client) / overModels(short.client),
    limit: { atMost: LONG_OVER_SHORT_MAX },
  },
  {
    claim: '60 min by server demux: first step / READY',
    ratio: ({ long }) => long.server.firstStepS / long.server.readyS,
    limit: { atMost: FIRST_STEP_SHARE_MAX },
  },
  {
    claim: '60 min with client audio: first step / READY',
    ratio: ({ long }) => long.client.firstStepS / long.client.readyS,
    limit: { atMost: FIRST_STEP_SHARE_MAX },
    isAdvisory: true,
  },
  ...(['server', 'client'] as const).flatMap((way) =>
    GROWING.map(([name, count, atMost]): Claim => {
      const how = way === 'server' ? 'server demux' : 'client audio'
      const claim = `${how}: ${name} per minute of video, 60 min / 10 min`
      return { claim, ratio: ({ long, short }) => short && count(long[way]) / count(short[way]), limit: { atMost } }
    }),
  ),
]

/** One promise of the pipeline, as a ratio within one run of the bench. */
export interface Gate {
  profile: ProfileName
  claim: string
  /** Null when what it is about was not measured. */
  measured: RatioOfRounds | null
  limit: Limit
  verdict: Verdict | null
  /** Whether missing it fails the command; the others are there to be read. */
  decides: boolean
}

/** Every promise, for each measured profile; those of one profile decide. */
export function judge(rows: readonly OurRow[]): Gate[] {
  const profiles = [...new Set(rows.map((row) => row.profile))]
  const deciding = decidingProfile(profiles)
  return profiles.flatMap((profile) => {
    const rowOf = (length: number) => rows.find((row) => row.profile === profile && row.minutes === length)
    const { rounds = [], serialS = 0, serialReadyS = 0 } = rowOf(LONG_MIN) ?? {}
    const compared = rounds.map((long, at) => ({ long, short: rowOf(SHORT_MIN)?.rounds[at], serialS, serialReadyS }))
    return CLAIMS.map(({ claim, ratio, limit, isAdvisory }) => {
      const ratios = compared.flatMap((each) => ratio(each) ?? [])
      const measured = ratios.length === 0 ? null : { rounds: ratios, ...spreadOf(ratios) }
      const verdict = measured === null ? null : judgeRatio(measured, limit)
      return { profile, claim, measured, limit, verdict, decides: profile === deciding && isAdvisory !== true }
    })
  })
}
