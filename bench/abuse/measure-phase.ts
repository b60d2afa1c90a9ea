import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../load/caller.ts'
import { MODULE_ID, OWNER } from './planted.ts'

/** What is measured beside an attack. */
export const PROBES = ['modules', 'share', 'tutor'] as const
export type Probe = (typeof PROBES)[number]

/** Milliseconds of each call. */
export type Samples = Record<Probe, number[]>

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
export async function measurePhase(caller: Caller, load: Load, seconds: number): Promise<Samples> {
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
export function joinSamples(all: readonly Samples[]): Samples {
  const join = (probe: Probe) => all.flatMap((samples) => samples[probe])
  return { modules: join('modules'), share: join('share'), tutor: join('tutor') }
}
