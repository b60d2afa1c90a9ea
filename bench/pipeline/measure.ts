import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chunkMsAt } from '#media/audio-chunk.ts'
import { chunksOfSection } from '#worker/domain/transcript/form-section.ts'
import { waitFor } from '../rounds.ts'
import { type Bench, logProgress, median, quantile, sum } from '../scenario.ts'
import type { ServedWorker } from '../serve.ts'
import { provideVideo, storeVideo } from '../video.ts'
import {
  type Allowed,
  type CutChunk,
  type Floor,
  type FloorRequest,
  outlinedFloorOf,
  PROFILES,
  type ProfileName,
  type RunRequest,
  serialReadyMs,
  speechCallMs,
  type Tally,
  type Way,
} from './floor.ts'
import { decidingProfile } from './gates.ts'

/** The fourth and all later sections are of one length. */
const SECTIONS = [0, 1, 2, 3]

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
  return sum(Array.from({ length: to - from }, (_, chunk) => chunkMsAt(from + chunk) / 1_000))
}

function readInFlight(): number {
  const config = readFileSync(join(import.meta.dirname, '../../wrangler.toml'), 'utf8')
  const found = /^JOBS_IN_FLIGHT = "(\d+)"$/m.exec(config)
  if (found === null) throw new Error('wrangler.toml has no JOBS_IN_FLIGHT')
  return Number(found[1])
}

/** How often a module is looked at. Times are taken by the worker itself: looking often would be part of the load. */
const POLL_MS = 500
/** The slow profile on an hour, one window after the other, takes five minutes. */
const RUN_TIMEOUT_MS = 15 * 60_000
/** READY is not the end: watchers are notified, messages are acknowledged. What that costs belongs to the run. */
const SETTLE_MS = 500
const MS_PER_MIN = 60_000

/** How far a module has come. */
export interface Standing {
  status: string
  error: string | null
  /** More than one: the browser's audio was thrown away. */
  runs: number
  stepCount: number
}

const STANDING = `SELECT status, last_error AS error, run AS runs,
    (SELECT count(*) FROM steps WHERE module_id = modules.id) AS stepCount
  FROM modules WHERE id = ?`

/** @throws where the module failed */
export async function readStanding(worker: ServedWorker, moduleId: string): Promise<Standing> {
  const [standing] = await worker.ask<Standing[]>('/api/bench/sql', { sql: STANDING, values: [moduleId] })
  if (standing === undefined) throw new Error(`module ${moduleId} does not exist`)
  if (standing.status === 'FAILED') throw new Error(`The module failed: ${standing.error}`)
  return standing
}

/** @throws where the worker logged a warning or an error: such a run measures something else */
export async function readTally(worker: ServedWorker): Promise<Tally> {
  const tally = await worker.ask<Tally>('/api/bench/tally')
  if (tally.complaints.length > 0) throw new Error(`The worker complains: ${tally.complaints.join('\n')}`)
  return tally
}

/**
 * Takes one video through the pipeline, from what `complete` starts to READY.
 * @param chunks of the video, with the times of cutting alone
 */
async function measureRun(worker: ServedWorker, request: RunRequest, chunks: readonly CutChunk[]) {
  const { moduleId } = await worker.ask<{ moduleId: string }>('/api/bench/pipeline/runs', request)
  const ready = async () => {
    const standing = await readStanding(worker, moduleId)
    return standing.status === 'READY' ? standing : null
  }
  const { stepCount } = await waitFor(ready, { everyMs: POLL_MS, withinMs: RUN_TIMEOUT_MS })
  await sleep(SETTLE_MS)
  const tally = await readTally(worker)
  const writtenAtMs = Object.values(tally.writtenAtMs)
  const profile = PROFILES[request.profile]
  const available = request.way === 'server' ? chunks : chunks.map((chunk) => ({ ...chunk, cutAtMs: 0 }))
  const floor = outlinedFloorOf({ profile, allowed: ALLOWED, chunks: available })
  if (tally.speechJobs.length < chunks.length)
    throw new Error(`${tally.speechJobs.length} jobs were logged for ${chunks.length} chunks`)
  const own = tally.speechJobs.map(
    ({ chunk, durationMs }) => durationMs - speechCallMs(profile, chunks[chunk]?.audioMs ?? 0),
  )
  const videoMin = (chunks.at(-1)?.endMs ?? 0) / MS_PER_MIN
  return {
    stepCount,
    readyS: Math.max(...writtenAtMs) / 1_000,
    firstStepS: Math.min(...writtenAtMs) / 1_000,
    /** Of the models alone, computed: as if nothing else took any time on any machine. */
    floorS: floor.readyMs / 1_000,
    floorFirstStepS: floor.firstStepMs / 1_000,
    /** What a chunk took in our own hands, the recogniser's time taken off. */
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

/** One run of the pipeline, and what it could have been. */
export type MeasuredRun = Awaited<ReturnType<typeof measureRun>>

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
}

/** The baseline: the same as it is usually built, computed; cutting alone was measured. */
export interface SerialRow {
  minutes: number
  profile: ProfileName
  readyS: number
}

export function computeSerial({ rows, cutS }: Ours): SerialRow[] {
  return rows.map(({ minutes, profile }) => {
    const length = { durationMs: minutes * MS_PER_MIN, cutMs: (cutS[minutes] ?? 0) * 1_000 }
    return { minutes, profile, readyS: serialReadyMs(PROFILES[profile], length) / 1_000 }
  })
}

/** All runs of the product's pipeline, one at a time. */
export async function measureOurs({ minutes, profiles }: Plan, { serve }: Bench): Promise<Ours> {
  const worker = await serve()
  const chunks: Record<number, CutChunk[]> = {}
  for (const length of minutes) {
    logProgress(`${length} min: making and storing the video, cutting its audio alone`)
    chunks[length] = await prepareVideo(worker, length)
  }
  const run = (length: number, profile: ProfileName, way: Way) =>
    measureRun(worker, { video: nameOf(length), way, profile }, chunks[length] ?? [])
  const runFloor = async (length: number, profile: ProfileName) => {
    const request = { video: nameOf(length), profile, allowed: ALLOWED, chunks: chunks[length] ?? [] }
    return (await worker.ask<Floor>('/api/bench/pipeline/floors', request satisfies FloorRequest)).readyMs / 1_000
  }
  const [shortest = 0] = minutes
  const deciding = decidingProfile(profiles)
  // What is compiled and allocated at first use is not part of any time to READY.
  await run(shortest, 'fast', 'client')
  await runFloor(shortest, 'fast')
  const rows = minutes.flatMap((length) =>
    profiles.map((profile): OurRow => ({ minutes: length, profile, rounds: [] })),
  )
  // Lengths in turn, so that what the machine does meanwhile is in all of them.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { minutes: length, profile, rounds } of rows) {
      if (round > 0 && profile !== deciding) continue
      const floorRunS = await runFloor(length, profile)
      const server = await run(length, profile, 'server')
      const client = await run(length, profile, 'client')
      rounds.push({ server, client, floorRunS })
      const ready = `server demux ${server.readyS.toFixed(1)} s, client audio ${client.readyS.toFixed(1)} s`
      logProgress(`${length} min, ${profile}: floor ${floorRunS.toFixed(1)} s, ${ready}`)
    }
  }
  await worker.stop()
  const cutS = Object.fromEntries(minutes.map((length) => [length, endOf(chunks[length] ?? []) / 1_000]))
  return { rows, cutS }
}

const nameOf = (minutes: number) => `video-${minutes}`

async function prepareVideo(worker: ServedWorker, minutes: number): Promise<CutChunk[]> {
  const name = nameOf(minutes)
  await storeVideo(`${worker.url}/api/bench/objects/${name}`, await provideVideo(minutes))
  const cut = () => worker.ask<CutChunk[]>(`/api/bench/pipeline/cut/${name}`, {})
  // A floor takes the better one.
  return [await cut(), await cut()].toSorted((a, b) => endOf(a) - endOf(b))[0] ?? []
}

function endOf(chunks: readonly CutChunk[]): number {
  return chunks.at(-1)?.cutAtMs ?? 0
}
