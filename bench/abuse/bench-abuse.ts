import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Caller, openCaller } from '../load/caller.ts'
import { noiseSince, readLoad } from '../shared/noise.ts'
import { noiseRow, printRows, type Row } from '../shared/print-rows.ts'
import { serveProduct } from '../shared/serve-product.ts'
import { quantile } from '../shared/statistics.ts'
import { tell } from '../shared/tell.ts'
import { type Attack, listAttacks } from './attacks.ts'
import { joinSamples, measurePhase, PROBES, type Probe, type Samples } from './measure-phase.ts'

const { values } = parseArgs({ options: { json: { type: 'boolean' }, only: { type: 'string' } } })

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
  tell(`${attack.name}, ${attack.perSecond} a second`)
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

async function measureAll(stateFolder: string) {
  const loadAtFirst = readLoad()
  const entrypoint = join(import.meta.dirname, 'worker.ts')
  const worker = await serveProduct({ entrypoint, stateFolder, assets: ASSETS })
  const caller = openCaller(worker.url, CONNECTIONS)
  const attacker = openCaller(worker.url, CONNECTIONS)
  try {
    await caller.ask({ method: 'POST', path: '/api/bench/plant' })
    const attacks = listAttacks(attacker, worker.url).filter(
      ({ key }) => values.only === undefined || key === values.only,
    )
    await measurePhase(caller, { perSecond: 50, strike: () => caller.call({ path: '/api/health' }) }, WARM_UP_S)
    const measured: Measured[] = []
    for (const attack of attacks) measured.push(await measure({ caller, attacker }, attack))
    return { measured, noise: noiseSince(loadAtFirst) }
  } finally {
    caller.close()
    attacker.close()
    await worker.stop()
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

const stateFolder = await mkdtemp(join(tmpdir(), 'adapt-bench-abuse-'))
try {
  const all = await measureAll(stateFolder)
  if (values.json) console.log(JSON.stringify(toJson(all), null, 2))
  const isMet = values.json ? toJson(all).targets.isMet : printRows(rowsOf(all))
  if (!isMet) process.exitCode = 1
} finally {
  await rm(stateFolder, { recursive: true, force: true })
}
