import { type Call, type Caller, openCaller } from '../client.ts'
import { keepPace, mapValues, takeTurns, timeMs } from '../rounds.ts'
import { type Bench, gate, inMs, inTimes, logProgress, quantile, type Scenario } from '../scenario.ts'
import { type Attack, HOSTILE, HOSTILE_MODULE_ID, listAttacks, MODULE_ID, OWNER } from './attacks.ts'
import { measureTexts } from './text-functions.ts'

/** What is measured beside an attack; every learner who asks is another one. */
const PROBES = {
  modules: () => ({ path: '/api/modules', as: OWNER }),
  share: () => ({ path: `/share/${MODULE_ID}` }),
  tutor: () => {
    const json = { moduleId: MODULE_ID, userMessage: 'Where is the wrench for the wheel nuts?', videoTime: 10 }
    return { path: '/api/ai/contextual-response', as: `learner-${crypto.randomUUID()}.of.owner`, json }
  },
} satisfies Record<string, () => Call>
type Probe = keyof typeof PROBES

/** Milliseconds of each call. */
type Samples = Record<Probe, number[]>

/** Of each probe; together with 50 calls of an attack a laptop has room left. */
const PROBES_PER_SECOND = 4
/** Attacks and health calls take turns, so that what else the machine does meets both. */
const ROUNDS = 2
/** Long enough that one slow moment of a phase is not its 95th percentile. */
const PHASE_S = 10
const WARM_UP_S = 3
const RATIO_MAX = 3
/** Of attackers, and of the others, so that no probe waits for an attacker's connection. */
const CONNECTIONS = 64

/** So long that nothing which is reported or captioned lies beyond its end. */
const VIDEO_MS = 80_000_000

type Load = Pick<Attack, 'perSecond' | 'strike'>

/** Measures the probes beside another load, which comes so many times a second. */
async function measurePhase(caller: Caller, { perSecond, strike }: Load, seconds: number): Promise<Samples> {
  const attacking = keepPace({ perSecond, seconds }, strike)
  const probing = mapValues(PROBES, (callOf: () => Call) =>
    keepPace({ perSecond: PROBES_PER_SECOND, seconds }, () => timeMs(() => caller.ask(callOf()))),
  )
  await Promise.all([attacking, ...Object.values(probing)])
  return { modules: await probing.modules, share: await probing.share, tutor: await probing.tutor }
}

function compare(quiet: readonly number[][], attacked: readonly number[][]) {
  const p95 = (samples: readonly number[]) => quantile(samples, 0.95)
  const [besideHealthP95Ms, besideAttackP95Ms] = [p95(quiet.flat()), p95(attacked.flat())]
  const each = quiet.map(p95)
  /** The larger p95 of two phases of health calls over the smaller: what a ratio means on this machine. */
  const noiseRatio = Math.max(...each) / Math.min(...each)
  return { besideHealthP95Ms, besideAttackP95Ms, ratio: besideAttackP95Ms / besideHealthP95Ms, noiseRatio }
}

async function measure(caller: Caller, health: Load['strike'], attack: Attack) {
  const { name, perSecond, strike } = attack
  logProgress(`${name}, ${perSecond} a second`)
  const phases = await takeTurns(['quiet', 'attacked'] as const, { rounds: ROUNDS }, (kind) =>
    measurePhase(caller, { perSecond, strike: kind === 'quiet' ? health : strike }, PHASE_S),
  )
  attack.end?.()
  const of = (kind: keyof typeof phases, probe: Probe) => phases[kind].map((samples) => samples[probe])
  return { attack, probes: mapValues(PROBES, (_, probe) => compare(of('quiet', probe), of('attacked', probe))) }
}

type Measured = Awaited<ReturnType<typeof measure>>

/** Every limit and quota is as a deployment has it by default. */
async function measureAll({ serve, values }: Bench): Promise<Measured[]> {
  const worker = await serve()
  const caller = openCaller(worker.url, CONNECTIONS)
  const attacker = openCaller(worker.url, CONNECTIONS)
  await worker.seed({ id: MODULE_ID, userId: OWNER, durationMs: VIDEO_MS })
  await worker.seed({ id: HOSTILE_MODULE_ID, userId: HOSTILE, durationMs: VIDEO_MS })
  const { only } = values
  const attacks = listAttacks(attacker, worker.url).filter(({ key }) => only === undefined || key === only)
  const health = () => attacker.call({ path: '/api/health' })
  await measurePhase(caller, { perSecond: 50, strike: health }, WARM_UP_S)
  const measured: Measured[] = []
  for (const attack of attacks) measured.push(await measure(caller, health, attack))
  caller.close()
  attacker.close()
  return measured
}

/** Calls of others while an account and an address do each kind of harm. */
export const scenario: Scenario = {
  options: { only: { type: 'string' } },
  async measure(bench) {
    const { only } = bench.values
    const texts = await measureTexts(typeof only === 'string' ? only : undefined)
    const measured = only === 'texts' ? [] : await measureAll(bench)
    const rows = measured.flatMap(({ attack: { name, perSecond }, probes }) =>
      Object.entries(probes).map(([probe, { besideHealthP95Ms, besideAttackP95Ms, ratio, noiseRatio }]) => {
        const times = [besideHealthP95Ms, besideAttackP95Ms].map((ms) => inMs(ms).padStart(8)).join(' → ')
        const shown = `${times}   ${inTimes(ratio)}  (noise ${inTimes(noiseRatio)})`
        return gate(`${name}, ${perSecond}/s: ${probe}, p95`, ratio, { atMost: RATIO_MAX }, shown)
      }),
    )
    const attacks = measured.map(({ attack: { key, perSecond: callsPerSecond }, probes }) => {
      return [key, { callsPerSecond, ...probes }] as const
    })
    return { json: { attacks: Object.fromEntries(attacks), texts: texts.json }, table: [...texts.rows, ...rows] }
  },
}
