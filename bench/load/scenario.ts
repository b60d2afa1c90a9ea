import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Caller, openCaller } from '../client.ts'
import { type Bench, logProgress, noiseSince, readLoad, type Scenario } from '../scenario.ts'
import type { PlantRequest } from '../wire.ts'
import { type Heap, openHeap, readWorkersMb, watchMemory } from './memory.ts'
import { type Figures, limitsOf, printReport, toJson } from './report.ts'
import {
  ACTIONS,
  type ActionName,
  findLost,
  MODULE_COUNT,
  moduleIdOf,
  OWNER,
  openAcknowledged,
  openWatchers,
  PEOPLE,
  type Traffic,
} from './traffic.ts'

/** Before anything is measured: code is compiled, caches fill. */
const WARM_UP_S = 10
/** The bare route alone, before and after. */
const BARE_S = 5
/** Of the run; after each, what the worker holds is looked at. */
const SLICES = 4
const CONNECTIONS = 1 + Object.values(PEOPLE).reduce((sum, count) => sum + count, 0)
/** A video without audio, so that its run ends by itself. */
/** Of the site the worker itself reads only the share page's frame, which needs no build. */
const ASSETS = join(import.meta.dirname, '../../web')
/** Sixteen sentences of six seconds. */
const NARRATION_MS = 96_000
const VIDEO = join(import.meta.dirname, '../../local/media/fixtures/silent-track.mp4')

type Times = Record<ActionName | 'bare', number[]>

function openTimes(): Times {
  return { view: [], edit: [], ask: [], upload: [], rate: [], learn: [], bare: [] }
}

async function repeat(seconds: number, times: number[], errors: string[], act: () => Promise<unknown>): Promise<void> {
  const endAtMs = performance.now() + seconds * 1_000
  while (performance.now() < endAtMs) {
    const startedMs = performance.now()
    try {
      await act()
      times.push(performance.now() - startedMs)
    } catch (error) {
      errors.push(String(error))
    }
  }
}

const askBare = (caller: Caller) => caller.ask({ path: '/api/bench/bare' })

/** The bare route alone, with as many connections. @returns how long each answer took */
async function measureBare(caller: Caller): Promise<number[]> {
  const times: number[] = []
  const errors: string[] = []
  await Promise.all(Array.from({ length: CONNECTIONS }, () => repeat(BARE_S, times, errors, () => askBare(caller))))
  if (errors.length > 0) throw new Error(errors[0])
  return times
}

/** All people at once, and beside them one who asks the bare route. */
async function runTraffic(traffic: Traffic, seconds: number): Promise<{ times: Times; errors: string[] }> {
  const times = openTimes()
  const errors: string[] = []
  const people = Object.entries(ACTIONS).flatMap(([name, act]) =>
    Array.from({ length: PEOPLE[name as ActionName] }, (_, person) =>
      repeat(seconds, times[name as ActionName], errors, () => act(traffic, person)),
    ),
  )
  await Promise.all([...people, repeat(seconds, times.bare, errors, () => askBare(traffic.caller))])
  return { times, errors }
}

/** As long as was asked for, with a look into the worker's heap before and after each slice. */
async function runInSlices(traffic: Traffic, heap: Heap, seconds: number) {
  const heapMb = [await heap.readMb()]
  const times = openTimes()
  const errors: string[] = []
  for (let slice = 0; slice < SLICES; slice += 1) {
    const ran = await runTraffic(traffic, seconds / SLICES)
    for (const [name, list] of Object.entries(ran.times)) times[name as keyof Times].push(...list)
    errors.push(...ran.errors)
    heapMb.push(await heap.readMb())
  }
  return { times, errors, heapMb }
}

async function measureAll({ serve, values }: Bench): Promise<Figures> {
  const seconds = Number(values['seconds'])
  const loadAtFirst = readLoad()
  const worker = await serve({ assets: ASSETS, isInspected: true })
  const caller = openCaller(worker.url, CONNECTIONS)
  const heap = await openHeap(worker.inspectorUrl ?? '', () => askBare(caller))
  try {
    for (let number = 0; number < MODULE_COUNT; number += 1) {
      const module = { id: moduleIdOf(number), userId: OWNER, durationMs: NARRATION_MS }
      await caller.ask({ path: '/api/bench/modules', json: { module } satisfies PlantRequest })
    }
    const acknowledged = openAcknowledged()
    const traffic: Traffic = { caller, video: await readFile(VIDEO), acknowledged }
    const watchers = await openWatchers(worker.url, caller)
    logProgress(`warming up for ${WARM_UP_S} s`)
    const warm = await runTraffic(traffic, WARM_UP_S)
    const bareFromMb = readWorkersMb()
    const bareBefore = await measureBare(caller)
    const bareGrownMb = readWorkersMb() - bareFromMb
    logProgress(`${CONNECTIONS} connections for ${seconds} s`)
    const memory = watchMemory()
    const { times, errors, heapMb } = await runInSlices(traffic, heap, seconds)
    memory.stop()
    const bareAfter = await measureBare(caller)
    logProgress('looking for everything that was acknowledged')
    const socketsBehind = await watchers.countBehind(acknowledged.edits)
    const lost = await findLost(caller, acknowledged)
    const events = watchers.count()
    watchers.close()
    const machine = noiseSince(loadAtFirst)
    const bareAlone = { seconds: BARE_S, before: bareBefore, after: bareAfter, grownMb: bareGrownMb }
    const allErrors = [...warm.errors, ...errors]
    const { samplesMb } = memory
    return {
      seconds,
      times,
      errors: allErrors,
      lost,
      bareAlone,
      heapMb,
      samplesMb,
      events,
      socketsBehind,
      machine,
    }
  } finally {
    heap.close()
    caller.close()
  }
}

/** Everything that people do, at the same time, as fast as this machine can. */
export const load: Scenario<Figures> = {
  options: { seconds: { type: 'string', default: '60' } },
  measure: measureAll,
  toJson,
  print: printReport,
  rows: (figures) => limitsOf(figures).map((limit) => ({ ...limit, value: '' })),
}
