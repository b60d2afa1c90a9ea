import { setTimeout as sleep } from 'node:timers/promises'
import { findDifference } from './find-difference.ts'
import type { FlakySpeech, Transcription } from './flaky-speech.ts'
import type { KillMoment } from './kill-plan.ts'
import type { LocalSystem } from './local-system.ts'
import type { ChaosVideo } from './make-videos.ts'
import { randomOf, wholeBetween } from './random.ts'
import type { RetryingClient } from './retrying-client.ts'
import { readTraining, type Training, uploadVideo, waitUntilReady } from './training.ts'

/** A video with what it becomes when nothing goes wrong. */
export interface Reference {
  video: ChaosVideo
  training: Training
  /** Hashes of its audio chunks. */
  chunkHashes: string[]
  uploadMs: number
  readyMs: number
}

/** What rounds are played with. */
export interface Stage {
  system: LocalSystem
  client: RetryingClient
  speech: FlakySpeech
  /** Ends the uploads and kills early. */
  stopping: AbortSignal
}

/** What became of one upload. */
export interface Upload {
  reference: Reference
  /** Null when the upload itself failed. */
  moduleId: string | null
  readyMs: number
  /** Null: READY and equal. */
  difference: string | null
}

export interface RoundReport {
  /** Kills that came before everything was READY. */
  kills: number
  uploads: Upload[]
  transcription: Transcription
}

/** No module may stay PROCESSING for longer (G2 of the product's guarantees). */
const READY_WITHIN_MS = 20 * 60_000
const WATCH_MS = 5
/** Rounds whose recogniser begins by being busy, and for how long at most: kills meet tasks that wait for it. */
const BUSY_ROUNDS_SHARE = 1 / 3
const BUSY_MOST_MS = 20_000

/** Uploads one video and reads the training that it becomes without kills and with a recogniser that always answers. */
export async function playUndisturbed(stage: Stage, video: ChaosVideo): Promise<Reference> {
  const { client, speech, stopping } = stage
  const transcription = speech.beginRound(null)
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READY_WITHIN_MS)])
  const startedMs = Date.now()
  const moduleId = await uploadVideo(client, video, signal)
  const uploadMs = Date.now() - startedMs
  await waitUntilReady(client, moduleId, signal)
  const readyMs = Date.now() - startedMs
  const training = await readTraining(client, moduleId, signal)
  return { video, training, chunkHashes: [...transcription.answers.keys()], uploadMs, readyMs }
}

/** Uploads all videos at the same time and kills the worker at the planned moments. */
export async function playRound(
  stage: Stage,
  references: Reference[],
  plan: { kills: KillMoment[]; faultSeed: string },
): Promise<RoundReport> {
  const random = randomOf(`${plan.faultSeed}/busy`)
  const busyMs = random() < BUSY_ROUNDS_SHARE ? wholeBetween(random, 1_000, BUSY_MOST_MS) : 0
  const transcription = stage.speech.beginRound(plan.faultSeed, { busyMs })
  const allReady = new AbortController()
  const signal = AbortSignal.any([stage.stopping, AbortSignal.timeout(READY_WITHIN_MS)])
  const uploading = Promise.all(references.map((reference) => follow(stage.client, reference, signal)))
  const killing = killAsPlanned({ stage, transcription, references, moments: plan.kills, until: allReady.signal })
  const uploads = await uploading.finally(() => allReady.abort())
  return { kills: await killing, uploads, transcription }
}

/** Reads a module again and compares it. @returns null when it is as it has to be */
export async function compareAgain(
  client: RetryingClient,
  upload: Upload,
  signal: AbortSignal,
): Promise<string | null> {
  if (upload.moduleId === null) return upload.difference
  return findDifference(upload.reference.training, await readTraining(client, upload.moduleId, signal))
}

async function follow(client: RetryingClient, reference: Reference, signal: AbortSignal): Promise<Upload> {
  const startedMs = Date.now()
  const upload: Upload = { reference, moduleId: null, readyMs: 0, difference: null }
  try {
    upload.moduleId = await uploadVideo(client, reference.video, signal)
    await waitUntilReady(client, upload.moduleId, signal)
    upload.readyMs = Date.now() - startedMs
    upload.difference = await compareAgain(client, upload, signal)
  } catch (error) {
    upload.difference = error instanceof Error ? error.message : String(error)
  }
  return upload
}

interface Killing {
  stage: Stage
  transcription: Transcription
  references: Reference[]
  moments: KillMoment[]
  /** Aborted when there is nothing left to disturb. */
  until: AbortSignal
}

async function killAsPlanned({ stage, transcription, references, moments, until }: Killing): Promise<number> {
  let kills = 0
  let starting = Promise.resolve()
  for (const moment of moments) {
    await waitForMoment(moment, { transcription, references, until })
    if (until.aborted) break
    await stage.system.kill()
    kills += 1
    // Not waited for: the next kill may hit a worker that is only just starting.
    starting = stage.system.start()
  }
  await starting
  return kills
}

async function waitForMoment(
  moment: KillMoment,
  { transcription, references, until }: Pick<Killing, 'transcription' | 'references' | 'until'>,
): Promise<void> {
  const before = countAnswers(transcription)
  const transcribedOutBefore = countTranscribedOut(transcription, references)
  const hasCome = {
    start: () => true,
    answers: () => moment.after === 'answers' && countAnswers(transcription) >= before + moment.count,
    // One after the other; when all are transcribed, nothing is left to wait for.
    'last answer': () =>
      countTranscribedOut(transcription, references) >= Math.min(transcribedOutBefore + 1, references.length),
  }[moment.after]
  while (!hasCome() && !until.aborted) await sleep(WATCH_MS)
  // Rejects only when it is aborted, which the caller sees.
  await sleep(moment.delayMs, undefined, { signal: until }).catch(() => {})
}

function countAnswers({ answers }: Transcription): number {
  return [...answers.values()].reduce((sum, count) => sum + count, 0)
}

/** Videos whose audio chunks are all transcribed. */
function countTranscribedOut({ answers }: Transcription, references: Reference[]): number {
  return references.filter(({ chunkHashes }) => chunkHashes.every((audio) => answers.has(audio))).length
}
