import type { AudioFacts, MediaFacts } from '#media/read-facts.ts'
import type { ServedContext } from '#worker/core/context.ts'
import { AppError, faultOf } from '#worker/core/errors.ts'
import { openAacMemory } from '#worker/domain/health/outcome-store.ts'
import { cutSourceSlice } from '#worker/domain/media/cut-source.ts'
import { listParts } from '#worker/domain/media/planned-chunk.ts'
import type { R2Window } from '#worker/domain/media/r2-window.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { paidSpeech } from '#worker/domain/quota/spend-ai.ts'
import { chunkKey } from '#worker/domain/run/chunk-store.ts'
import { type Answers, readAnswers, rememberAnswers, writeAnswers } from '#worker/domain/transcript/remember-answers.ts'
import { spokenLanguage, transcribeChunk } from '#worker/domain/transcript/transcribe-chunk.ts'
import { readSpokenWords } from '#worker/domain/translation/glossary-store.ts'
import { logLine } from '#worker/log/log.ts'
import type { TranscribedWord } from '#worker/ports/speech-to-text.ts'

/** Long enough that both have said something. */
const TRIAL_MS = 180_000
const TRIAL_CHUNK_MS = 30_000
/** Half of the words with less are wrong (docs/decisions/confidence-of-words.md). */
const SURE_CONFIDENCE = 0.5

interface Trial {
  context: ServedContext
  module: ModuleRow
  facts: MediaFacts
  /** Opens the video; each track is cut from a separate reading. */
  openSource: () => R2Window
  signal: AbortSignal
}

/**
 * Decides between tracks of audio with as much activity: three minutes of each are transcribed, and the one with more
 * words that the recogniser is sure of is cut. What a module has found is not tried again. Where the trial fails for
 * another reason than a busy model, the first is cut, and the tracks stay candidates.
 * @throws {AppError} ai_busy
 */
export async function tryTracks(trial: Trial): Promise<MediaFacts> {
  const { module, facts } = trial
  if (facts.candidates.length === 0) return facts
  const known = facts.candidates.find(({ trackId }) => trackId === module.takenTrack)
  const best = known ?? (await findBest(trial))
  return best === null ? facts : { ...facts, audio: best, candidates: [] }
}

async function findBest(trial: Trial): Promise<AudioFacts | null> {
  const { context, module, facts, signal } = trial
  const key = chunkKey({ moduleId: module.id, run: module.run, chunk: 'trial' })
  const answers = readAnswers((await (await context.bucket.get(key))?.text()) ?? null)
  const before = answers.size
  // One that fails ends the others.
  const stop = new AbortController()
  const stoppable = { ...trial, signal: AbortSignal.any([signal, stop.signal]) }
  try {
    const counts = await Promise.all(facts.candidates.map((audio) => countSureWords(stoppable, audio, answers)))
    const best = facts.candidates[counts.indexOf(Math.max(...counts))] ?? null
    const tracks = facts.candidates.map(({ trackId }, index) => `${trackId}: ${counts[index]}`).join(', ')
    logLine('info', 'tracks_tried', { moduleId: module.id, tracks })
    return best
  } catch (error) {
    // Whoever has lost the lease could replace what the next attempt has kept, or leave behind what was erased.
    const isOurs = !signal.aborted && answers.size > before
    const keep = isOurs ? context.bucket.put(key, writeAnswers(answers)) : null
    await keep?.catch((fault: unknown) =>
      logLine('warn', 'answers_not_kept', { moduleId: module.id, ...faultOf(fault) }),
    )
    if (signal.aborted || (error instanceof AppError && ['ai_busy', 'module_failed'].includes(error.code))) throw error
    logLine('warn', 'tracks_not_tried', { moduleId: module.id, ...faultOf(error) })
    return null
  } finally {
    stop.abort()
  }
}

/** One chunk after the other, so that as many are transcribed at once, and in memory, as there are candidates. */
async function countSureWords(trial: Trial, audio: AudioFacts, answers: Answers): Promise<number> {
  const { context, module, openSource, signal } = trial
  const facts = { ...trial.facts, audio }
  const speech = rememberAnswers(paidSpeech(context, module, context.services.speech), answers)
  const aac = await openAacMemory(context)
  const language = module.language === null ? null : spokenLanguage(module.language)
  const prompt = await readSpokenWords(context.db, module)
  let count = 0
  await cutSourceSlice({
    source: openSource(),
    facts,
    // The middle has neither a trailer nor credits.
    fromMs: Math.max(0, Math.round((facts.durationMs - TRIAL_MS) / 2)),
    firstChunk: 0,
    sliceMs: TRIAL_MS,
    chunkMs: TRIAL_CHUNK_MS,
    saveChunk: async (cut) => {
      for (const part of listParts({ ...cut, sizeBytes: cut.bytes.byteLength })) {
        signal.throwIfAborted()
        const { audioDurationMs: durationMs, contentType } = part
        const reload = async () => cut.bytes.slice(part.offset, part.offset + part.sizeBytes)
        const chunk = { durationMs, contentType, language, prompt, turn: module.id, audio: await reload() }
        const { words } = await transcribeChunk(speech, chunk, { signal, aac, reload })
        count += words.filter(isSure).length
      }
    },
  })
  return count
}

/** A recogniser that says nothing of its confidence is trusted. */
function isSure({ confidence }: TranscribedWord): boolean {
  return (confidence ?? 1) >= SURE_CONFIDENCE
}
