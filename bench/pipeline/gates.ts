import { judgeRatio, type RatioOfRounds, ratioOfRounds, type Verdict } from '../scenario.ts'
import type { ProfileName, Way } from './floor.ts'
import type { MeasuredRun, OurRow, Round } from './measure.ts'
import type { SerialRow } from './measure-serial.ts'

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

/** One promise of the pipeline, as a ratio within one run of the bench. */
export interface Gate {
  profile: ProfileName
  claim: string
  /** Null when what it is about was not measured. */
  measured: RatioOfRounds | null
  limit: { atMost: number } | { atLeast: number }
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
  return profiles.flatMap((profile) =>
    judgeProfile({
      long: rows.find((row) => row.profile === profile && row.minutes === LONG_MIN)?.rounds,
      short: rows.find((row) => row.profile === profile && row.minutes === SHORT_MIN)?.rounds,
      baseline: serial.find((row) => row.profile === profile && row.minutes === LONG_MIN),
    }).map(({ isAdvisory, ...gate }) => ({ ...gate, profile, decides: profile === deciding && isAdvisory !== true })),
  )
}

interface Compared {
  long: Round[] | undefined
  short: Round[] | undefined
  baseline: SerialRow | undefined
}

type Judgement = Omit<Gate, 'profile' | 'decides'> & { isAdvisory?: true }

function judgeProfile({ long, short, baseline }: Compared): Judgement[] {
  const ofLong = (own: (round: Round) => number, other: (round: Round) => number) =>
    long?.map((round) => ({ own: own(round), other: other(round) }))
  return [
    compare(
      '60 min by server demux: READY / floor',
      ofLong(
        ({ server }) => server.readyS,
        ({ floorRunS }) => floorRunS,
      ),
      { atMost: OVER_FLOOR_MAX },
    ),
    compare(
      '60 min by server demux: serial / ours',
      baseline &&
        ofLong(
          () => baseline.readyS,
          ({ server }) => server.readyS,
        ),
      { atLeast: TIMES_FASTER_MIN },
    ),
    compare(
      'client audio: READY of 60 min / of 10 min, over the same of the models alone',
      pair({ long, short }, ({ client }) => client.readyS / client.floorS),
      { atMost: LONG_OVER_SHORT_MAX },
    ),
    compare(
      '60 min by server demux: first step / READY',
      ofLong(
        ({ server }) => server.firstStepS,
        ({ server }) => server.readyS,
      ),
      { atMost: FIRST_STEP_SHARE_MAX },
    ),
    {
      ...compare(
        '60 min with client audio: first step / READY',
        ofLong(
          ({ client }) => client.firstStepS,
          ({ client }) => client.readyS,
        ),
        { atMost: FIRST_STEP_SHARE_MAX },
      ),
      isAdvisory: true,
    },
    ...compareGrowth('server', { long, short }),
    ...compareGrowth('client', { long, short }),
  ]
}

type Lengths = Pick<Compared, 'long' | 'short'>

function pair({ long, short }: Lengths, own: (round: Round) => number) {
  if (long === undefined || short === undefined) return undefined
  return long.flatMap((round, at) => {
    const beside = short[at]
    return beside === undefined ? [] : [{ own: own(round), other: own(beside) }]
  })
}

/** Counts, so that they are the same on every machine. */
function compareGrowth(way: Way, lengths: Lengths): Judgement[] {
  const how = way === 'server' ? 'server demux' : 'client audio'
  const growth = (name: string, count: (run: MeasuredRun) => number, atMost = GROWTH_MAX) =>
    compare(
      `${how}: ${name} per minute of video, 60 min / 10 min`,
      pair(lengths, (round) => count(round[way])),
      {
        atMost,
      },
    )
  return [
    growth('D1 statements', (run) => run.d1StatementsPerVideoMin),
    growth('D1 rows written', (run) => run.d1RowsWrittenPerVideoMin),
    growth('D1 rows read', (run) => run.d1RowsReadPerVideoMin, ROWS_READ_GROWTH_MAX),
    growth('R2 operations', (run) => run.r2OperationsPerVideoMin),
  ]
}

function compare(claim: string, rounds: { own: number; other: number }[] | undefined, limit: Gate['limit']): Judgement {
  if (rounds === undefined || rounds.length === 0) return { claim, measured: null, limit, verdict: null }
  const measured = ratioOfRounds(rounds)
  return { claim, measured, limit, verdict: judgeRatio(measured, limit) }
}
