import type { Way } from './answers.ts'
import type { OurRow } from './measure-ours.ts'
import type { MeasuredRun } from './measure-run.ts'
import type { SerialRow } from './measure-serial.ts'
import type { ProfileName } from './profiles.ts'

/** The lengths that the gates compare. */
const LONG_MIN = 60
const SHORT_MIN = 10

/** What remains for the product's own work, which shares one thread with the local D1, R2 and queues here. */
const OVER_FLOOR_MAX = 1.25
const TIMES_FASTER_MIN = 10
const LONG_OVER_SHORT_MAX = 1.3
const FIRST_STEP_SHARE_MAX = 0.25
/** More would mean that a part costs the more the more parts there are. */
const GROWTH_MAX = 1.1

/** One promise of the pipeline, as a ratio. */
export interface Gate {
  profile: ProfileName
  claim: string
  /** Null when what it is about was not measured. */
  measured: number | null
  limit: { atMost: number } | { atLeast: number }
  isMet: boolean | null
  /** Whether missing it fails the command; the others are there to be read. */
  decides: boolean
}

/** Every promise, for each measured profile; those of one profile decide. */
export function judge(rows: readonly OurRow[], serial: readonly SerialRow[]): Gate[] {
  const profiles = [...new Set(rows.map((row) => row.profile))]
  const deciding = profiles.includes('mid') ? 'mid' : profiles[0]
  return profiles.flatMap((profile) =>
    judgeProfile({
      long: rows.find((row) => row.profile === profile && row.minutes === LONG_MIN),
      short: rows.find((row) => row.profile === profile && row.minutes === SHORT_MIN),
      baseline: serial.find((row) => row.profile === profile && row.minutes === LONG_MIN),
    }).map(({ isAdvisory, ...gate }) => ({ ...gate, profile, decides: profile === deciding && isAdvisory !== true })),
  )
}

interface Compared {
  long: OurRow | undefined
  short: OurRow | undefined
  baseline: SerialRow | undefined
}

type Judgement = Omit<Gate, 'profile' | 'decides'> & { isAdvisory?: true }

function judgeProfile({ long, short, baseline }: Compared): Judgement[] {
  const { server, client } = long ?? {}
  return [
    compare('60 min by server demux: READY / floor', server?.readyS, server?.floorS, { atMost: OVER_FLOOR_MAX }),
    compare('60 min by server demux: serial / ours', baseline?.readyS, server?.readyS, { atLeast: TIMES_FASTER_MIN }),
    compare('client audio: READY of 60 min / of 10 min', client?.readyS, short?.client.readyS, {
      atMost: LONG_OVER_SHORT_MAX,
    }),
    compare('60 min by server demux: first step / READY', server?.firstStepS, server?.readyS, {
      atMost: FIRST_STEP_SHARE_MAX,
    }),
    {
      ...compare('60 min with client audio: first step / READY', client?.firstStepS, client?.readyS, {
        atMost: FIRST_STEP_SHARE_MAX,
      }),
      isAdvisory: true,
    },
    ...compareGrowth('server', { long, short }),
    ...compareGrowth('client', { long, short }),
  ]
}

function compareGrowth(way: Way, { long, short }: Pick<Compared, 'long' | 'short'>): Judgement[] {
  const how = way === 'server' ? 'server demux' : 'client audio'
  const growth = (name: string, count: (run: MeasuredRun) => number) =>
    compare(`${how}: ${name}, 60 min / 10 min`, long && count(long[way]), short && count(short[way]), {
      atMost: GROWTH_MAX,
    })
  return [
    growth('D1 statements per minute of video', (run) => run.d1StatementsPerVideoMin),
    growth('R2 operations per minute of video', (run) => run.r2OperationsPerVideoMin),
    // Statements may be as many and yet read more and more; the clock of one machine is too rough to decide by.
    { ...growth('own ms per part', (run) => run.ownMedianMs), isAdvisory: true },
  ]
}

function compare(claim: string, above: number | undefined, below: number | undefined, limit: Gate['limit']): Judgement {
  if (above === undefined || below === undefined) return { claim, measured: null, limit, isMet: null }
  const measured = above / below
  return { claim, measured, limit, isMet: 'atMost' in limit ? measured <= limit.atMost : measured >= limit.atLeast }
}
