import type { ServedContext } from '#worker/core/context.ts'
import { AppError, faultOf, isRetryable } from '#worker/core/errors.ts'
import { openAacMemory } from '#worker/domain/health/outcome-store.ts'
import { publishState } from '#worker/domain/live/publish.ts'
import { DURATION_TOLERANCE_MS } from '#worker/domain/media/compare-audio.ts'
import { listParts, openAudioChunk, type PlacedPart } from '#worker/domain/media/planned-chunk.ts'
import { measureChunk, type ReadableChunk } from '#worker/domain/media/read-chunk.ts'
import { paidSpeech } from '#worker/domain/quota/spend-ai.ts'
import {
  type ChunkRow,
  countLanguages,
  findChunk,
  keepAnswers,
  planOtherLanguages,
  readWords,
  storeTranscribed,
} from '#worker/domain/run/chunk-store.ts'
import {
  awaitsVideo,
  type CurrentRun,
  needsCaptionPlan,
  type RunRow,
  raisesProgress,
} from '#worker/domain/run/run-store.ts'
import type { RunTask } from '#worker/domain/run/run-subject.ts'
import { settleRunTask } from '#worker/domain/run/run-task-store.ts'
import { joinVoices, type Voice } from '#worker/domain/transcript/join-voices.ts'
import { readAnswers, rememberAnswers } from '#worker/domain/transcript/remember-answers.ts'
import { spokenLanguage, transcribeChunk } from '#worker/domain/transcript/transcribe-chunk.ts'
import { readSpokenWords } from '#worker/domain/translation/glossary-store.ts'
import { logLine } from '#worker/log/log.ts'
import type { SpeechResult } from '#worker/ports/speech-to-text.ts'
import { ring } from '#worker/tasks/ring.ts'
import { advanceRun, canAdvance, planCaptions } from './advance-run.ts'
import type { RunAttempt } from './run-attempt.ts'

/** Transcribes one audio chunk, and forms the section that it completes. */
export async function transcribe(task: RunTask, context: ServedContext, attempt: RunAttempt): Promise<void> {
  const current = await attempt.findCurrent()
  const chunk = await findChunk(context.db, task, task.index)
  if (current === null || chunk === null) return
  if (needsCaptionPlan(current)) return planCaptions(context, task)
  if (chunk.status === 'transcribed') return void (await settleRunTask(context.db, task))
  const { module } = current
  const result = await transcribeParts({ context, task, attempt, current, chunk }).catch((error: unknown) =>
    keepFirst(error, chunk),
  )
  const stored = await storeTranscribed(context.db, current, { task, chunk, result, nowMs: context.nowMs() })
  if (stored !== null)
    await advanceAfterChunk({ context, moduleBefore: module, current: stored, result, chunk: chunk.chunk })
}

interface Transcribing {
  context: ServedContext
  task: RunTask
  attempt: RunAttempt
  current: CurrentRun
  chunk: ChunkRow
}

/** Transcribes what a chunk holds, which is a file for each speaker where they have tracks of their own. */
async function transcribeParts({ context, task, attempt, current, chunk }: Transcribing): Promise<SpeechResult> {
  const { module, run } = current
  const asked = {
    language: module.language === null ? null : spokenLanguage(module.language),
    prompt: await readSpokenWords(context.db, module),
    turn: module.id,
  }
  const answers = readAnswers(chunk.voices)
  const before = answers.size
  const speech = rememberAnswers(paidSpeech(context, module, context.services.speech), answers)
  const aac = await openAacMemory(context)
  const voices: Voice[] = []
  // One after the other: the files of all speakers together are as much for the recogniser as several chunks.
  try {
    for (const part of listParts(chunk)) {
      const { contentType, audioDurationMs: durationMs, audioStartMs } = part
      const load = () => loadAudio(context, { chunk, part, task })
      const audio = await load()
      if (awaitsVideo(run)) await checkLength({ audio, contentType }, { chunk: chunk.chunk, durationMs })
      const options = { signal: attempt.signal, reload: load, aac }
      const result = await transcribeChunk(speech, { ...asked, audio, contentType, durationMs }, options)
      voices.push({ ...result, afterMs: audioStartMs - chunk.audioStartMs })
    }
  } catch (error) {
    const keep = answers.size > before ? keepAnswers(context.db, task, chunk, answers) : null
    await keep?.catch((fault: unknown) =>
      logLine('warn', 'answers_not_kept', { moduleId: module.id, ...faultOf(fault) }),
    )
    throw error
  }
  return joinVoices(voices)
}

/**
 * Falls back to the words from before when a chunk is transcribed again in another language and the recogniser refuses
 * it.
 */
function keepFirst(error: unknown, chunk: ChunkRow): SpeechResult {
  if (chunk.words === null || !(error instanceof AppError) || isRetryable(error)) throw error
  if (error.code === 'module_failed') throw error
  return { words: readWords(chunk), language: chunk.language }
}

async function loadAudio(
  { bucket }: ServedContext,
  { chunk, part, task: { attempts } }: { chunk: ChunkRow; part: PlacedPart; task: RunTask },
): Promise<Uint8Array<ArrayBuffer>> {
  const object = await openAudioChunk(bucket, chunk, part)
  if (object === null && attempts + 1 < MISSING_ATTEMPTS) throw new Error(`audio chunk ${chunk.key} is missing`)
  if (object === null) throw audioFailed('got lost')
  if (!('body' in object)) throw audioFailed('was replaced')
  return new Uint8Array(await object.arrayBuffer())
}

/**
 * Compares a chunk with the duration that the browser declared, because the owner's quotas count that duration until
 * the video has arrived.
 * @throws {AppError} module_failed when the audio is longer than declared
 */
async function checkLength(
  audio: ReadableChunk,
  { chunk, durationMs }: { chunk: number; durationMs: number },
): Promise<void> {
  const measuredMs = await measureChunk(audio)
  if (measuredMs !== null && measuredMs <= durationMs + DURATION_TOLERANCE_MS) return
  const reason = `Chunk ${chunk} of the audio is not what the browser said.`
  throw new AppError('module_failed', reason, { failure: 'unreadable' })
}

/** Attempts at a chunk whose object is missing; more would not help, since nothing uploads it again. */
const MISSING_ATTEMPTS = 2

/**
 * Makes the failure of missing audio. Reprocessing cuts the audio again; before the video has arrived, the server does
 * so by itself.
 */
function audioFailed(how: string): AppError {
  const reason = `A piece of the audio that was cut out of your video ${how}. Please process the video again.`
  return new AppError('module_failed', reason, { failure: 'source_missing' })
}

/** Decides after each chunk which language the run has, and which section can be written now. */
async function advanceAfterChunk(input: {
  context: ServedContext
  /** The module as it was before the chunk was transcribed. */
  moduleBefore: CurrentRun['module']
  current: CurrentRun
  result: SpeechResult
  chunk: number
}): Promise<void> {
  const { context, moduleBefore, current, result, chunk } = input
  const { run, module } = current
  const isSettled = moduleBefore.language === null && (await settleLanguage(context, current, { result, chunk }))
  if (!isSettled && !canAdvance(current, chunk))
    return raisesProgress(run) ? publishState(context.rooms, module) : undefined
  const advanced = await advanceRun(context, run, isSettled ? undefined : current)
  if (advanced !== null) await publishState(context.rooms, advanced.module)
}

/**
 * Settles the language of a module as soon as its chunks show it, and plans another transcription of the chunks in
 * other languages. This chunk is one of them when the language was settled while it was being transcribed.
 * @returns false when nothing has changed
 */
async function settleLanguage(
  context: ServedContext,
  { run, module }: CurrentRun,
  { result, chunk }: { result: SpeechResult; chunk: number },
): Promise<boolean> {
  const settled = module.language === null ? null : spokenLanguage(module.language)
  const isOther = result.language !== null && result.language !== settled
  const language = settled ?? (await findSpokenLanguage(context, run, result))
  if (language === null || (settled !== null && !isOther)) return false
  const which = settled === null ? {} : { chunk }
  const planned = await planOtherLanguages(context.d1, run, { language, ...which, nowMs: context.nowMs() })
  if (planned > 0) await ring(context, 'transcribe')
  return true
}

/**
 * This many chunks in one language settle the module's language, so that a jingle or a greeting in another one does
 * not.
 */
const LANGUAGE_VOTES = 3

/** The language of most chunks, once it is that of enough of them, or all are transcribed. */
async function findSpokenLanguage(
  context: ServedContext,
  run: RunRow,
  { language }: SpeechResult,
): Promise<string | null> {
  const isAll = run.transcribedCount === run.chunkCount
  // Silence changes no vote.
  if (language === null && !isAll) return null
  const votes = await countLanguages(context.db, run)
  const [most] = votes
  const sum = votes.reduce((chunks, vote) => chunks + vote.chunks, 0)
  if (most === undefined || most.chunks * 2 <= sum) return null
  return most.chunks >= LANGUAGE_VOTES || isAll ? most.language : null
}
