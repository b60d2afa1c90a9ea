import { setTimeout as sleep } from 'node:timers/promises'
import { askWorker } from '../shared/ask-worker.ts'
import { median, quantile } from '../shared/statistics.ts'
import type { Allowed, CutPart, RunRequest, Standing, Tally } from './answers.ts'
import { floorOf } from './floor.ts'
import { PROFILES, speechCallMs } from './profiles.ts'

/** How often a run is looked at. Its times are taken by the worker itself: looking often would be part of the load. */
const POLL_MS = 500
/** The slow profile on an hour, one window after the other, takes five minutes. */
const RUN_TIMEOUT_MS = 15 * 60_000
/** READY is not the end: everyone is told, messages are acknowledged. What that costs belongs to the run. */
const SETTLE_MS = 500
const MS_PER_MIN = 60_000

/** One run of the pipeline, and what it could have been. */
export interface MeasuredRun {
  readyS: number
  firstStepS: number
  /** Of the models alone, computed: as if nothing else took any time on any machine. */
  floorS: number
  floorFirstStepS: number
  /** What a part took in our own hands, the recogniser's time taken off. */
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
  parts: readonly CutPart[]
  allowed: Allowed
}

/** Takes one video through the pipeline, from what `complete` starts to READY. */
export async function measureRun({ url, request, parts, allowed }: Measuring): Promise<MeasuredRun> {
  const { moduleId } = await askWorker<{ moduleId: string }>(`${url}/bench/runs`, { post: request })
  await askWorker(`${url}/bench/runs/${moduleId}/start`, { post: {} })
  const { stepCount } = await watch(`${url}/bench/runs/${moduleId}`)
  await sleep(SETTLE_MS)
  const tally = await askWorker<Tally>(`${url}/bench/tally`)
  if (tally.complaints.length > 0) throw new Error(`The worker complains: ${tally.complaints.join('\n')}`)
  const writtenAtMs = Object.values(tally.writtenAtMs)
  const profile = PROFILES[request.profile]
  const available = request.way === 'server' ? parts : parts.map((part) => ({ ...part, cutAtMs: 0 }))
  const floor = floorOf({ profile, allowed, parts: available })
  const own = ownTimes(tally, parts, (audioMs) => speechCallMs(profile, audioMs))
  const videoMin = (parts.at(-1)?.endMs ?? 0) / MS_PER_MIN
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

function ownTimes(tally: Tally, parts: readonly CutPart[], callMs: (audioMs: number) => number): number[] {
  if (tally.speechJobs.length < parts.length) {
    throw new Error(`${tally.speechJobs.length} jobs were logged for ${parts.length} parts`)
  }
  return tally.speechJobs.map(({ part, durationMs }) => durationMs - callMs(parts[part]?.audioMs ?? 0))
}
