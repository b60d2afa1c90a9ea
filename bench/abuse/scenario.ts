import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Caller, openCaller } from '../client.ts'
import {
  type Bench,
  logProgress,
  noiseRow,
  noiseSince,
  quantile,
  type Row,
  readLoad,
  type Scenario,
} from '../scenario.ts'
import { type Attack, HOSTILE, HOSTILE_MODULE_ID, listAttacks, MODULE_ID, OWNER } from './attacks.ts'

/** What is measured beside an attack. */
const PROBES = ['modules', 'share', 'tutor'] as const
type Probe = (typeof PROBES)[number]

/** Milliseconds of each call. */
type Samples = Record<Probe, number[]>

/** Of each probe; together with 50 calls of an attack a laptop has room left. */
const PROBES_PER_SECOND = 4

let asked = 0

function callFor(probe: Probe): Parameters<Caller['ask']>[0] {
  asked += 1
  if (probe === 'modules') return { path: '/api/modules', as: OWNER }
  if (probe === 'share') return { path: `/share/${MODULE_ID}` }
  const json = { moduleId: MODULE_ID, userMessage: 'Where is the wrench for the wheel nuts?', videoTime: 10 }
  return { path: '/api/ai/contextual-response', as: `learner-${asked}.of.owner`, json }
}

/** Another load, a fixed number of times a second. */
export interface Load {
  perSecond: number
  strike: (number: number) => Promise<unknown>
}

/** Calls at their times, whether those before are answered or not, and waits for all answers. */
async function repeat({ perSecond, strike }: Load, seconds: number): Promise<void> {
  const running: Promise<unknown>[] = []
  for (let number = 0; number < perSecond * seconds; number += 1) {
    running.push(strike(number))
    await sleep(1_000 / perSecond)
  }
  await Promise.all(running)
}

/** Measures the probes beside a load. @returns how long each call of a probe took */
async function measurePhase(caller: Caller, load: Load, seconds: number): Promise<Samples> {
  const samples: Samples = { modules: [], share: [], tutor: [] }
  const measure = async (probe: Probe) => {
    const startedMs = performance.now()
    await caller.ask(callFor(probe))
    samples[probe].push(performance.now() - startedMs)
  }
  const probes = PROBES.map((probe) => repeat({ perSecond: PROBES_PER_SECOND, strike: () => measure(probe) }, seconds))
  await Promise.all([repeat(load, seconds), ...probes])
  return samples
}

/** The samples of several phases together. */
function joinSamples(all: readonly Samples[]): Samples {
  const join = (probe: Probe) => all.flatMap((samples) => samples[probe])
  return { modules: join('modules'), share: join('share'), tutor: join('tutor') }
}

/** Attacks and health calls take turns, so that what else the machine does meets both. */
const ROUNDS = 2
const PHASE_S = 4
const WARM_UP_S = 3
const RATIO_MAX = 3
/** Of attackers, and of the others, so that no probe waits for an attacker's connection. */
const CONNECTIONS = 64
/** Of the site the worker itself reads only the share page's frame, which needs no build. */
const ASSETS = join(import.meta.dirname, '../../web')

interface Compared {
  besideHealthP95Ms: number
  besideAttackP95Ms: number
  ratio: number
  /** The larger p95 of two phases of health calls over the smaller: what a ratio means on this machine. */
  noiseRatio: number
}

interface Measured {
  attack: Pick<Attack, 'name' | 'key' | 'perSecond'>
  probes: Record<Probe, Compared>
}

const p95 = (samples: Samples, probe: Probe) => quantile(samples[probe], 0.95)

function compare(quiet: readonly Samples[], attacked: readonly Samples[], probe: Probe): Compared {
  const besideHealthP95Ms = p95(joinSamples(quiet), probe)
  const besideAttackP95Ms = p95(joinSamples(attacked), probe)
  const each = quiet.map((samples) => p95(samples, probe))
  const noiseRatio = Math.max(...each) / Math.min(...each)
  return { besideHealthP95Ms, besideAttackP95Ms, ratio: besideAttackP95Ms / besideHealthP95Ms, noiseRatio }
}

interface Callers {
  caller: Caller
  attacker: Caller
}

async function measure({ caller, attacker }: Callers, attack: Attack): Promise<Measured> {
  logProgress(`${attack.name}, ${attack.perSecond} a second`)
  const health = { perSecond: attack.perSecond, strike: () => attacker.call({ path: '/api/health' }) }
  const quiet: Samples[] = []
  const attacked: Samples[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(await measurePhase(caller, health, PHASE_S))
    attacked.push(await measurePhase(caller, attack, PHASE_S))
  }
  attack.end?.()
  const { name, key, perSecond } = attack
  const [modules, share, tutor] = PROBES.map((probe) => compare(quiet, attacked, probe)) as [
    Compared,
    Compared,
    Compared,
  ]
  return { attack: { name, key, perSecond }, probes: { modules, share, tutor } }
}

/** Every limit and quota is as a deployment has it by default. */
async function measureAll({ serve, values }: Bench) {
  const loadAtFirst = readLoad()
  const worker = await serve({ assets: ASSETS })
  const caller = openCaller(worker.url, CONNECTIONS)
  const attacker = openCaller(worker.url, CONNECTIONS)
  try {
    for (const fields of [
      { id: MODULE_ID, userId: OWNER },
      { id: HOSTILE_MODULE_ID, userId: HOSTILE },
    ]) {
      await caller.ask({ path: '/api/bench/modules', json: { module: { ...fields, durationMs: 80_000_000 } } })
    }
    const attacks = listAttacks(attacker, worker.url).filter(
      ({ key }) => values['only'] === undefined || key === values['only'],
    )
    await measurePhase(caller, { perSecond: 50, strike: () => caller.call({ path: '/api/health' }) }, WARM_UP_S)
    const measured: Measured[] = []
    for (const attack of attacks) measured.push(await measure({ caller, attacker }, attack))
    return { measured, noise: noiseSince(loadAtFirst) }
  } finally {
    caller.close()
    attacker.close()
  }
}

type All = Awaited<ReturnType<typeof measureAll>>

const ms = (value: number) => `${value.toFixed(0)} ms`.padStart(8)

function rowsOf({ measured, noise }: All): Row[] {
  const rows = measured.flatMap(({ attack, probes }) =>
    PROBES.map((probe): Row => {
      const { besideHealthP95Ms, besideAttackP95Ms, ratio, noiseRatio } = probes[probe]
      const value =
        `${ms(besideHealthP95Ms)} → ${ms(besideAttackP95Ms)}   ${ratio.toFixed(2)} × ≤ ${RATIO_MAX}` +
        `  (noise ${noiseRatio.toFixed(2)} ×)`
      return { what: `${attack.name}, ${attack.perSecond}/s: ${probe}, p95`, value, isMet: ratio <= RATIO_MAX }
    }),
  )
  return [...rows, noiseRow(noise)]
}

/** One object whose names carry their units. */
function toJson({ measured, noise }: All) {
  const isMet = measured.every(({ probes }) => PROBES.every((probe) => probes[probe].ratio <= RATIO_MAX))
  const attacks = Object.fromEntries(
    measured.map(({ attack, probes }) => [attack.key, { callsPerSecond: attack.perSecond, ...probes }]),
  )
  return { attacks, targets: { ratioMax: RATIO_MAX, isMet }, machine: noise }
}

/** Calls of others while an account and an address do each kind of harm. */
export const abuse: Scenario<All> = {
  options: { only: { type: 'string' } },
  measure: measureAll,
  toJson,
  rows: rowsOf,
}
