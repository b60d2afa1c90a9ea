import type { ServedContext } from '#worker/context.ts'
import { openAacMemory } from '#worker/domain/health/outcome-store.ts'
import { publishState } from '#worker/domain/live/publish.ts'
import { measureChunk, type ReadableChunk } from '#worker/domain/media/read-chunk.ts'
import { DURATION_TOLERANCE_MS, openAudioChunk } from '#worker/domain/media/read-source.ts'
import { paidSpeech } from '#worker/domain/quota/spend-ai.ts'
import { type ChunkRow, countLanguages, findChunk, storeTranscribed } from '#worker/domain/run/chunk-store.ts'
import {
  awaitsVideo,
  type CurrentRun,
  isFurther,
  needsCaptionPlan,
  type RunRow,
  reportRun,
} from '#worker/domain/run/run-store.ts'
import type { Task } from '#worker/domain/run/task-store.ts'
import { spokenLanguage, transcribeChunk } from '#worker/domain/transcript/transcribe-chunk.ts'
import { readSpokenWords } from '#worker/domain/translation/glossary-store.ts'
import { AppError } from '#worker/errors.ts'
import type { AudioContentType, SpeechResult } from '#worker/ports/speech-to-text.ts'
import { advanceRun, canAdvance, failIfUseless, planCaptions } from './advance-run.ts'
import type { Attempt } from './tasks.ts'

/** Transcribes one audio chunk, and forms the section that it completes. */
export async function transcribe(task: Task, context: ServedContext, attempt: Attempt): Promise<void> {
  const current = await attempt.findCurrent()
  const chunk = await findChunk(context.db, task, task.index)
  if (current === null || chunk === null) return
  if (needsCaptionPlan(current)) return planCaptions(context, task)
  const { module } = current
  const contentType = chunk.contentType as AudioContentType
  const load = () => loadAudio(context, chunk, task)
  const audio = await load()
  if (awaitsVideo(current.run)) await checkLength({ audio, contentType }, chunk)
  const result = await transcribeChunk(
    paidSpeech(context, module, context.services.speech),
    {
      audio,
      contentType,
      durationMs: chunk.audioDurationMs,
      language: module.language === null ? null : spokenLanguage(module.language),
      prompt: await readSpokenWords(context.db, module),
    },
    { signal: attempt.signal, reload: load, aac: await openAacMemory(context) },
  )
  const stored = await storeTranscribed(context.db, current, { task, chunk, result, nowMs: context.nowMs() })
  if (stored !== null) await weighRun({ context, attempt, current: stored, result, chunk: chunk.chunk })
}

async function loadAudio(
  { bucket }: ServedContext,
  chunk: ChunkRow,
  { attempts }: Task,
): Promise<Uint8Array<ArrayBuffer>> {
  const object = await openAudioChunk(bucket, chunk)
  if (object === null && attempts + 1 < MISSING_ATTEMPTS) throw new Error(`audio chunk ${chunk.key} is missing`)
  if (object === null) throw audioFailed('got lost')
  if (!('body' in object)) throw audioFailed('was replaced')
  return new Uint8Array(await object.arrayBuffer())
}

/**
 * A browser says how long its audio is, and that is what its owner's quotas count: the video has not arrived yet.
 * @throws {AppError} module_failed where more would be transcribed than that
 */
async function checkLength(audio: ReadableChunk, { chunk, audioDurationMs }: ChunkRow): Promise<void> {
  const audioDurationsMs = await measureChunk(audio)
  if (audioDurationsMs !== null && audioDurationsMs <= audioDurationMs + DURATION_TOLERANCE_MS) return
  const reason = `Chunk ${chunk} of the audio is not what the browser said.`
  throw new AppError('module_failed', reason, { failure: 'unreadable' })
}

/** Attempts at a chunk whose object is not there; it does not come back by itself. */
const MISSING_ATTEMPTS = 2

/** Before the video has arrived the server cuts all of the audio instead; afterwards processing again does. */
function audioFailed(how: string): AppError {
  const reason = `A piece of the audio that was cut out of your video ${how}. Please process the video again.`
  return new AppError('module_failed', reason, { failure: 'source_missing' })
}

/** After each chunk: is it worth going on, and what can be written now? */
async function weighRun(at: {
  context: ServedContext
  attempt: Attempt
  current: CurrentRun
  result: SpeechResult
  chunk: number
}): Promise<void> {
  const { context, attempt, current, result, chunk } = at
  const { run, module } = current
  if (await failIfUseless(context, current)) return attempt.stopRun()
  if (module.language === null && result.language !== null) await settleLanguage(context, run)
  if (!canAdvance(run, chunk)) return isFurther(run) ? publishState(context.rooms, module) : undefined
  const advanced = await advanceRun(context, run, current)
  if (advanced !== null) await publishState(context.rooms, advanced.module)
}

/** So many chunks that agree decide the language of the rest; a jingle or a greeting in another one does not. */
const LANGUAGE_VOTES = 3

/** Fixes the language of most chunks, so that no later chunk is transcribed in another one. */
async function settleLanguage(context: ServedContext, run: RunRow): Promise<void> {
  const votes = await countLanguages(context.db, run)
  const result = votes.reduce((sum, vote) => sum + vote.chunks, 0)
  const [most] = votes
  if (most === undefined || most.language === null || most.chunks * 2 <= result) return
  if (most.chunks < LANGUAGE_VOTES && result < (run.chunkCount ?? LANGUAGE_VOTES)) return
  await reportRun(context.db, { ...run, nowMs: context.nowMs() }, { language: most.language })
}
