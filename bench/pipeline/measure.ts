import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chunkMsAt } from '#media/audio-chunk.ts'
import { chunksOfSection } from '#worker/domain/run/form-section.ts'
import { type Bench, median, quantile, readLoad } from '../scenario.ts'
import { askWorker } from '../serve.ts'
import { provideVideo, storeVideo } from '../video.ts'
import {
  type Allowed,
  type CutChunk,
  type FloorTimes,
  floorOf,
  PROFILES,
  type ProfileName,
  type RunRequest,
  type Standing,
  speechCallMs,
  type Tally,
  type Way,
} from './floor.ts'
import { decidingProfile } from './gates.ts'

/** The fourth and all later sections are of one length. */
const SECTIONS = [0, 1, 2, 3]

const config = readFileSync(join(import.meta.dirname, '../../wrangler.toml'), 'utf8')

/** Calls to the models that one drain may have in progress. */
const IN_FLIGHT = readInFlight()

/** What the product's own configuration lets one drain do, and its own plan of sections. */
export const ALLOWED: Allowed = {
  speechCalls: IN_FLIGHT,
  languageCalls: IN_FLIGHT,
  sectionsS: SECTIONS.map(lengthOf) as [number, ...number[]],
}

function lengthOf(section: number): number {
  const { from, to } = chunksOfSection(section)
  return Array.from({ length: to - from }, (_, chunk) => chunkMsAt(from + chunk) / 1_000).reduce((sum, s) => sum + s, 0)
}

function readInFlight(): number {
  const found = /^JOBS_IN_FLIGHT = "(\d+)"$/m.exec(config)
  if (found === null) throw new Error('wrangler.toml has no JOBS_IN_FLIGHT')
  return Number(found[1])
}

/** How often a run is looked at. Its times are taken by the worker itself: looking often would be part of the load. */
const POLL_MS = 500
/** The slow profile on an hour, one window after the other, takes five minutes. */
const RUN_TIMEOUT_MS = 15 * 60_000
/** READY is not the end: watchers are notified, messages are acknowledged. What that costs belongs to the run. */
const SETTLE_MS = 500
const MS_PER_MIN = 60_000

/** One run of the pipeline, and what it could have been. */
export interface MeasuredRun {
  readyS: number
  firstStepS: number
  /** Of the models alone, computed: as if nothing else took any time on any machine. */
  floorS: number
  floorFirstStepS: number
  /** What a chunk took in our own hands, the recogniser's time taken off. */
  ownMedianMs: number
  ownP95Ms: number
  d1StatementsPerVideoMin: number
  d1RowsReadPerVideoMin: number
  d1RowsWrittenPerVideoMin: number
  r2OperationsPerVideoMin: number
  queueMessagesPerVideoMin: number
  mostSpeechCallsAtOnce: number
  mostLanguageCallsAtOnce: number
  stepCount: number
}

interface Measuring {
  url: string
  request: RunRequest
  /** With the times of cutting alone. */
  chunks: readonly CutChunk[]
  allowed: Allowed
}

/** Takes one video through the pipeline, from what `complete` starts to READY. */
async function measureRun({ url, request, chunks, allowed }: Measuring): Promise<MeasuredRun> {
  const { moduleId } = await askWorker<{ moduleId: string }>(`${url}/bench/runs`, { post: request })
  await askWorker(`${url}/bench/runs/${moduleId}/start`, { post: {} })
  const { stepCount } = await watch(`${url}/bench/runs/${moduleId}`)
  await sleep(SETTLE_MS)
  const tally = await askWorker<Tally>(`${url}/bench/tally`)
  if (tally.complaints.length > 0) throw new Error(`The worker complains: ${tally.complaints.join('\n')}`)
  const writtenAtMs = Object.values(tally.writtenAtMs)
  const profile = PROFILES[request.profile]
  const available = request.way === 'server' ? chunks : chunks.map((chunk) => ({ ...chunk, cutAtMs: 0 }))
  const floor = floorOf({ profile, allowed, chunks: available })
  const own = ownTimes(tally, chunks, (audioMs) => speechCallMs(profile, audioMs))
  const videoMin = (chunks.at(-1)?.endMs ?? 0) / MS_PER_MIN
  return {
    stepCount,
    readyS: Math.max(...writtenAtMs) / 1_000,
    firstStepS: Math.min(...writtenAtMs) / 1_000,
    floorS: floor.readyMs / 1_000,
    floorFirstStepS: floor.firstStepMs / 1_000,
    ownMedianMs: median(own),
    ownP95Ms: quantile(own, 0.95),
    d1StatementsPerVideoMin: tally.d1.statements / videoMin,
    d1RowsReadPerVideoMin: tally.d1.rowsRead / videoMin,
    d1RowsWrittenPerVideoMin: tally.d1.rowsWritten / videoMin,
    r2OperationsPerVideoMin: tally.r2Operations / videoMin,
    queueMessagesPerVideoMin: tally.queueMessages / videoMin,
    mostSpeechCallsAtOnce: tally.speechCalls.mostInFlight,
    mostLanguageCallsAtOnce: tally.languageCalls.mostInFlight,
  }
}

async function watch(address: string): Promise<Standing> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < RUN_TIMEOUT_MS) {
    const standing = await askWorker<Standing>(address)
    if (standing.status === 'FAILED') throw new Error(`The run failed: ${standing.error}`)
    if (standing.status === 'READY') return standing
    await sleep(POLL_MS)
  }
  throw new Error(`Not READY after ${RUN_TIMEOUT_MS / MS_PER_MIN} minutes`)
}

function ownTimes(tally: Tally, chunks: readonly CutChunk[], callMs: (audioMs: number) => number): number[] {
  if (tally.speechJobs.length < chunks.length) {
    throw new Error(`${tally.speechJobs.length} jobs were logged for ${chunks.length} chunks`)
  }
  return tally.speechJobs.map(({ chunk, durationMs }) => durationMs - callMs(chunks[chunk]?.audioMs ?? 0))
}

/** Of the profile that decides: each of them compares what was measured within the same half minute. */
const ROUNDS = 3

export interface Plan {
  minutes: readonly number[]
  profiles: readonly ProfileName[]
}

/** One video measured in each way, one after the other. */
export interface Round {
  server: MeasuredRun
  client: MeasuredRun
  /** Seconds to READY of the least that a pipeline can do, which was measured right before `server`. */
  floorRunS: number
}

export interface OurRow {
  minutes: number
  profile: ProfileName
  /** At least one. */
  rounds: Round[]
}

export interface Ours {
  rows: OurRow[]
  /** Seconds that reading and cutting the audio takes alone, by minutes of video. */
  cutS: Record<number, number>
  /** What else the machine was doing: its load average over the last minute, before the first run and at its highest. */
  load: { cores: number; atFirst: number; most: number }
}

export function videoName(minutes: number): string {
  return `video-${minutes}`
}

/** All runs of the product's pipeline, one at a time. The videos stay in the state folder. */
export async function measureOurs(plan: Plan, { serve }: Bench, logProgress: (line: string) => void): Promise<Ours> {
  const worker = await serve({ entrypoint: join(import.meta.dirname, 'worker.ts') })
  try {
    const chunks: Record<number, CutChunk[]> = {}
    for (const minutes of plan.minutes) {
      logProgress(`${minutes} min: making and storing the video, cutting its audio alone`)
      chunks[minutes] = await prepareVideo(worker.url, minutes)
    }
    const run = (minutes: number, profile: ProfileName, way: Way) => {
      const request = { video: videoName(minutes), way, profile }
      return measureRun({ url: worker.url, request, chunks: chunks[minutes] ?? [], allowed: ALLOWED })
    }
    const runFloor = async (minutes: number, profile: ProfileName) => {
      const post = { video: videoName(minutes), way: 'server', profile, allowed: ALLOWED }
      return (await askWorker<FloorTimes>(`${worker.url}/bench/floors`, { post })).readyMs / 1_000
    }
    return await runAll(plan, { chunks, run, runFloor, logProgress })
  } finally {
    await worker.stop()
  }
}

async function prepareVideo(url: string, minutes: number): Promise<CutChunk[]> {
  const address = `${url}/bench/videos/${videoName(minutes)}`
  await storeVideo(address, await provideVideo(minutes))
  await askWorker(`${address}/keep-audio`, { post: {} })
  const cuts = [
    await askWorker<CutChunk[]>(`${address}/cut`, { post: {} }),
    await askWorker<CutChunk[]>(`${address}/cut`, { post: {} }),
  ]
  // A floor takes the better one.
  return cuts.toSorted((a, b) => endOf(a) - endOf(b))[0] ?? []
}

function endOf(chunks: CutChunk[]): number {
  return chunks.at(-1)?.cutAtMs ?? 0
}

interface Running {
  chunks: Record<number, CutChunk[]>
  run: (minutes: number, profile: ProfileName, way: Way) => Promise<MeasuredRun>
  runFloor: (minutes: number, profile: ProfileName) => Promise<number>
  logProgress: (line: string) => void
}

async function runAll({ minutes, profiles }: Plan, running: Running): Promise<Ours> {
  const loads = [readLoad()]
  const [shortest = 0] = minutes
  const deciding = decidingProfile(profiles)
  // What is compiled and allocated at first use is not part of any time to READY.
  await running.run(shortest, 'fast', 'client')
  await running.runFloor(shortest, 'fast')
  const rows: OurRow[] = minutes.flatMap((length) =>
    profiles.map((profile) => ({ minutes: length, profile, rounds: [] })),
  )
  // Lengths in turn, so that what the machine does meanwhile is in all of them.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const row of rows) {
      if (round > 0 && row.profile !== deciding) continue
      row.rounds.push(await measureRound(row, running))
      loads.push(readLoad())
    }
  }
  const cutS = Object.fromEntries(minutes.map((length) => [length, endOf(running.chunks[length] ?? []) / 1_000]))
  const load = { cores: availableParallelism(), atFirst: loads[0] ?? 0, most: Math.max(...loads) }
  return { rows, cutS, load }
}

async function measureRound({ minutes, profile }: OurRow, { run, runFloor, logProgress }: Running): Promise<Round> {
  const floorRunS = await runFloor(minutes, profile)
  const server = await run(minutes, profile, 'server')
  const client = await run(minutes, profile, 'client')
  const ready = `server demux ${server.readyS.toFixed(1)} s, client audio ${client.readyS.toFixed(1)} s`
  logProgress(`${minutes} min, ${profile}: floor ${floorRunS.toFixed(1)} s, ${ready}`)
  return { server, client, floorRunS }
}
