// `npm run bench:load`: everything that people do, at the same time, as fast as this machine can.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { noiseSince, readLoad } from '../shared/noise.ts'
import { serveProduct } from '../shared/serve-product.ts'
import { tell } from '../shared/tell.ts'
import { type Caller, openCaller } from './caller.ts'
import { findLost } from './find-lost.ts'
import { type Heap, openHeap } from './read-heap.ts'
import { type Figures, isMet, printReport, toJson } from './report.ts'
import { openWatchers } from './sockets.ts'
import { ACTIONS, type ActionName, openAcknowledged, PEOPLE, type Traffic } from './traffic.ts'
import { readWorkersMb, watchMemory } from './watch-memory.ts'

const { values } = parseArgs({
  options: { json: { type: 'boolean' }, seconds: { type: 'string', default: '60' } },
})

const SECONDS = Number(values.seconds)
/** Before anything is measured: code is compiled, caches fill. */
const WARM_UP_S = 10
/** The bare route alone, before and after. */
const BARE_S = 5
/** Of the run; after each, what the worker holds is looked at. */
const SLICES = 4
const CONNECTIONS = 1 + Object.values(PEOPLE).reduce((sum, count) => sum + count, 0)
/** A video without sound, so that its run ends by itself. */
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
async function runInSlices(traffic: Traffic, heap: Heap) {
  const heapMb = [await heap.readMb()]
  const times = openTimes()
  const errors: string[] = []
  for (let slice = 0; slice < SLICES; slice += 1) {
    const ran = await runTraffic(traffic, SECONDS / SLICES)
    for (const [name, list] of Object.entries(ran.times)) times[name as keyof Times].push(...list)
    errors.push(...ran.errors)
    heapMb.push(await heap.readMb())
  }
  return { times, errors, heapMb }
}

async function measureAll(stateFolder: string): Promise<Figures> {
  const loadAtFirst = readLoad()
  const assets = join(import.meta.dirname, '../../web')
  const entrypoint = join(import.meta.dirname, 'worker.ts')
  const worker = await serveProduct({ entrypoint, stateFolder, assets, isInspected: true })
  const caller = openCaller(worker.url, CONNECTIONS)
  const heap = await openHeap(worker.inspectorUrl ?? '', () => askBare(caller))
  try {
    await caller.ask({ method: 'POST', path: '/api/bench/plant' })
    const acknowledged = openAcknowledged()
    const traffic: Traffic = { caller, video: await readFile(VIDEO), acknowledged }
    const watchers = await openWatchers(worker.url, caller)
    tell(`warming up for ${WARM_UP_S} s`)
    const warm = await runTraffic(traffic, WARM_UP_S)
    const bareFromMb = readWorkersMb()
    const bareBefore = await measureBare(caller)
    const bareGrownMb = readWorkersMb() - bareFromMb
    tell(`${CONNECTIONS} connections for ${SECONDS} s`)
    const memory = watchMemory()
    const { times, errors, heapMb } = await runInSlices(traffic, heap)
    memory.stop()
    const bareAfter = await measureBare(caller)
    tell('looking for everything that was acknowledged')
    const socketsBehind = await watchers.countBehind(acknowledged.edits)
    const lost = await findLost(caller, acknowledged)
    const events = watchers.count()
    watchers.close()
    const machine = noiseSince(loadAtFirst)
    const bareAlone = { seconds: BARE_S, before: bareBefore, after: bareAfter, grownMb: bareGrownMb }
    const allErrors = [...warm.errors, ...errors]
    const { samplesMb } = memory
    return {
      seconds: SECONDS,
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
    await worker.stop()
  }
}

const stateFolder = await mkdtemp(join(tmpdir(), 'adapt-bench-load-'))
try {
  const figures = await measureAll(stateFolder)
  if (values.json) console.log(JSON.stringify(toJson(figures), null, 2))
  else printReport(figures)
  process.exitCode = isMet(figures) ? 0 : 1
} finally {
  await rm(stateFolder, { recursive: true, force: true })
}
process.exit()
