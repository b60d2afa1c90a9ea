import { judgeRatio, type Limit, type RatioOfRounds, ratioOfRounds, type Verdict } from '../scenario.ts'
import type { ProfileName } from './floor.ts'
import type { MeasuredRun, OurRow, Round, SerialRow } from './measure.ts'

/** The lengths that the gates compare. */
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

/** What was measured of one profile at the same time. */
interface Compared {
  long: Round
  short: Round | undefined
  baseline: SerialRow | undefined
}

interface Claim {
  claim: string
  /** Undefined where what it is about was not measured. */
  own: (compared: Compared) => number | undefined
  other: (compared: Compared) => number | undefined
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

const CLAIMS: readonly Claim[] = [
  {
    claim: '60 min by server demux: READY / floor',
    own: ({ long }) => long.server.readyS,
    other: ({ long }) => long.floorRunS,
    limit: { atMost: OVER_FLOOR_MAX },
  },
  {
    claim: '60 min by server demux: serial / ours',
    own: ({ baseline }) => baseline?.readyS,
    other: ({ long }) => long.server.readyS,
    limit: { atLeast: TIMES_FASTER_MIN },
  },
  {
    claim: 'client audio: READY of 60 min / of 10 min, over the same of the models alone',
    own: ({ long: { client } }) => client.readyS / client.floorS,
    other: ({ short }) => short && short.client.readyS / short.client.floorS,
    limit: { atMost: LONG_OVER_SHORT_MAX },
  },
  {
    claim: '60 min by server demux: first step / READY',
    own: ({ long }) => long.server.firstStepS,
    other: ({ long }) => long.server.readyS,
    limit: { atMost: FIRST_STEP_SHARE_MAX },
  },
  {
    claim: '60 min with client audio: first step / READY',
    own: ({ long }) => long.client.firstStepS,
    other: ({ long }) => long.client.readyS,
    limit: { atMost: FIRST_STEP_SHARE_MAX },
    isAdvisory: true,
  },
  ...(['server', 'client'] as const).flatMap((way) =>
    GROWING.map(([name, count, atMost]): Claim => {
      const how = way === 'server' ? 'server demux' : 'client audio'
      return {
        claim: `${how}: ${name} per minute of video, 60 min / 10 min`,
        own: ({ long }) => count(long[way]),
        other: ({ short }) => short && count(short[way]),
        limit: { atMost },
      }
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

/** The profile whose promises decide. */
export function decidingProfile(profiles: readonly ProfileName[]): ProfileName | undefined {
  return profiles.includes('mid') ? 'mid' : profiles[0]
}

/** Every promise, for each measured profile; those of one profile decide. */
export function judge(rows: readonly OurRow[], serial: readonly SerialRow[]): Gate[] {
  const profiles = [...new Set(rows.map((row) => row.profile))]
  const deciding = decidingProfile(profiles)
  return profiles.flatMap((profile) => {
    const roundsOf = (minutes: number) =>
      rows.find((row) => row.profile === profile && row.minutes === minutes)?.rounds ?? []
    const short = roundsOf(SHORT_MIN)
    const baseline = serial.find((row) => row.profile === profile && row.minutes === LONG_MIN)
    const compared = roundsOf(LONG_MIN).map((long, at) => ({ long, short: short[at], baseline }))
    return CLAIMS.map(({ claim, own, other, limit, isAdvisory }) => {
      const rounds = compared.flatMap((each) => {
        const [ours, theirs] = [own(each), other(each)]
        return ours === undefined || theirs === undefined ? [] : [{ own: ours, other: theirs }]
      })
      const measured = rounds.length === 0 ? null : ratioOfRounds(rounds)
      const verdict = measured === null ? null : judgeRatio(measured, limit)
      return { profile, claim, measured, limit, verdict, decides: profile === deciding && isAdvisory !== true }
    })
  })
}
