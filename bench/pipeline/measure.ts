import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unstable_readConfig } from 'wrangler'
import { NO_QUOTAS } from '#local/start/worker-vars.ts'
import { chunkMsAt } from '#media/audio-chunk.ts'
import { OUTLINED_MAX_MS } from '#worker/domain/step/outline-steps.ts'
import { chunksOfSection } from '#worker/domain/transcript/form-section.ts'
import { mapValues, waitFor } from '../rounds.ts'
import { type Bench, inS, latencyOf, logProgress, sum } from '../scenario.ts'
import type { ServedWorker } from '../serve.ts'
import { provideVideo, storeVideo } from '../video.ts'
import {
  type Allowed,
  type CutChunk,
  decidingProfile,
  type Floor,
  type FloorRequest,
  outlineCallMs,
  outlinedFloorOf,
  PROFILES,
  type ProfileName,
  type RunRequest,
  serialWrittenMs,
  speechCallMs,
  type Tally,
  type Way,
} from './floor.ts'

const config = join(import.meta.dirname, '../../wrangler.toml')
const { vars } = unstable_readConfig({ config }, { hideWarnings: true })
/** Calls to the models that one drain may have in progress, by the product's own configuration. */
const IN_FLIGHT = Number(vars['JOBS_IN_FLIGHT'])

/** What the product lets one drain do, and its own plan of sections. */
export const ALLOWED: Allowed = {
  speechCalls: IN_FLIGHT,
  languageCalls: IN_FLIGHT,
  // The fourth and all later sections are of one length.
  sectionsS: [lengthOf(0), lengthOf(1), lengthOf(2), lengthOf(3)],
  outlinedMaxMs: OUTLINED_MAX_MS,
}

function lengthOf(section: number): number {
  const { from, to } = chunksOfSection(section)
  return sum(Array.from({ length: to - from }, (_, chunk) => chunkMsAt(from + chunk) / 1_000))
}

/** How often a module is looked at. Times are taken by the worker itself: looking often would be part of the load. */
const POLL_MS = 500
/** The slow profile on an hour, one window after the other, takes five minutes. */
const RUN_TIMEOUT_MS = 15 * 60_000
/** READY is not the end: watchers are notified, messages are acknowledged. What that costs belongs to the run. */
const SETTLE_MS = 500
const MS_PER_MIN = 60_000

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
  const [standing] = await worker.sql<Standing>(STANDING, moduleId)
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
  const { writtenAtMs, speechJobs, ...tally } = await readTally(worker)
  if (speechJobs.length < chunks.length)
    throw new Error(`${speechJobs.length} jobs were logged for ${chunks.length} chunks`)
  const sections = Object.entries(writtenAtMs).toSorted(([one], [other]) => Number(one) - Number(other))
  const profile = PROFILES[request.profile]
  const available = request.way === 'server' ? chunks : chunks.map((chunk) => ({ ...chunk, cutAtMs: 0 }))
  const floor = outlinedFloorOf({ profile, allowed: ALLOWED, chunks: available })
  const own = latencyOf(
    speechJobs.map(({ chunk, durationMs }) => durationMs - speechCallMs(profile, chunks[chunk]?.audioMs ?? 0)),
  )
  const videoMin = (chunks.at(-1)?.endMs ?? 0) / MS_PER_MIN
  return {
    stepCount,
    readyS: Math.max(...Object.values(writtenAtMs)) / 1_000,
    /** Until the last section is written; the task behind those of the sections outlines all steps. */
    writtenS: Math.max(...sections.slice(0, -1).map(([, atMs]) => atMs)) / 1_000,
    firstStepS: Math.min(...Object.values(writtenAtMs)) / 1_000,
    /** Of the models alone, computed: as if nothing else took any time on any machine. */
    floorS: floor.readyMs / 1_000,
    floorFirstStepS: floor.firstStepMs / 1_000,
    /** What a chunk took in our own hands, the recogniser's time taken off. */
    ownMedianMs: own.medianMs,
    ownP95Ms: own.p95Ms,
    d1StatementsPerVideoMin: tally.d1.statements / videoMin,
    d1RowsReadPerVideoMin: tally.d1.rowsRead / videoMin,
    d1RowsWrittenPerVideoMin: tally.d1.rowsWritten / videoMin,
    r2OperationsPerVideoMin: tally.r2Operations / videoMin,
    queueMessagesPerVideoMin: tally.queueMessages / videoMin,
    mostSpeechCallsAtOnce: tally.speechCalls.mostInFlight,
    mostLanguageCallsAtOnce: tally.languageCalls.mostInFlight,
  }
}

export type MeasuredRun = Awaited<ReturnType<typeof measureRun>>

/** Of the profile that decides: each of them compares what was measured within the same half minute. */
const ROUNDS = 3

export interface Plan {
  minutes: readonly number[]
  profiles: readonly ProfileName[]
}

export interface Round {
  server: MeasuredRun
  client: MeasuredRun
  /** Seconds to READY of the least that a pipeline can do, which was measured right before `server`. */
  floorRunS: number
}

export interface OurRow {
  minutes: number
  profile: ProfileName
  /** How long all steps take as it is usually built, computed; cutting alone was measured. */
  serialS: number
  /** The same with the outline of them. */
  serialReadyS: number
  /** At least one. */
  rounds: Round[]
}

/** All runs of the product's pipeline, one at a time. */
export async function measureOurs({ minutes, profiles }: Plan, { serve }: Bench) {
  // A dozen videos of an hour are more than one person may have made in a day.
  const worker = await serve({ vars: NO_QUOTAS })
  const chunks: Record<number, CutChunk[]> = {}
  for (const length of minutes) {
    logProgress(`${length} min: making and storing the video, cutting its audio alone`)
    chunks[length] = await prepareVideo(worker, length)
  }
  const run = (length: number, profile: ProfileName, way: Way) =>
    measureRun(worker, { video: nameOf(length), way, profile }, chunks[length] ?? [])
  const measureRound = async (length: number, profile: ProfileName): Promise<Round> => {
    const request = { video: nameOf(length), profile, allowed: ALLOWED, chunks: chunks[length] ?? [] }
    const floor = await worker.ask<Floor>('/api/bench/pipeline/floors', request satisfies FloorRequest)
    const server = await run(length, profile, 'server')
    return { floorRunS: floor.readyMs / 1_000, server, client: await run(length, profile, 'client') }
  }
  const deciding = decidingProfile(profiles)
  // What is compiled and allocated at first use is not part of any time to READY.
  await measureRound(minutes[0] ?? 0, 'fast')
  const rows = minutes.flatMap((length) => {
    const video = { durationMs: length * MS_PER_MIN, cutMs: endOf(chunks[length] ?? []) }
    return profiles.map((profile): OurRow => {
      const serialMs = serialWrittenMs(PROFILES[profile], video)
      const readyMs = serialMs + outlineCallMs(PROFILES[profile], video.durationMs)
      return { minutes: length, profile, serialS: serialMs / 1_000, serialReadyS: readyMs / 1_000, rounds: [] }
    })
  })
  // Lengths in turn, so that what the machine does meanwhile is in all of them.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { minutes: length, profile, rounds } of rows) {
      if (round > 0 && profile !== deciding) continue
      const measured = await measureRound(length, profile)
      rounds.push(measured)
      const ready = `server demux ${inS(measured.server.readyS)}, client audio ${inS(measured.client.readyS)}`
      logProgress(`${length} min, ${profile}: floor ${inS(measured.floorRunS)}, ${ready}`)
    }
  }
  return { rows, cutS: mapValues(chunks, (cut: CutChunk[]) => endOf(cut) / 1_000) }
}

export type Ours = Awaited<ReturnType<typeof measureOurs>>

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
