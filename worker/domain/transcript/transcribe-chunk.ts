import { AppError } from '#worker/core/errors.ts'
import { halveChunk, keepOneChannel, skipStart, toAdts } from '#worker/domain/media/read-chunk.ts'
import type { SpeechChunk, SpeechResult, SpeechToText, TranscribedWord } from '#worker/ports/speech-to-text.ts'
import { languageOfMost } from './join-voices.ts'
import { mergeWords } from './merge-words.ts'

/** How a chunk is transcribed. */
interface TranscribeOptions {
  signal: AbortSignal
  /** Fetches the chunk's audio once more, where the recogniser has freed it. */
  reload: () => Promise<Uint8Array<ArrayBuffer>>
  /** Without it, M4A is tried first and the result is not remembered. */
  aac?: AacMemory
}

/** Remembers in which container the recogniser accepts AAC. */
export interface AacMemory {
  /** Whether it has refused M4A lately, and took ADTS. */
  readonly isM4aRefused: boolean
  /** Takes what a chunk has shown to be otherwise. */
  note: (isM4aRefused: boolean) => Promise<void>
}

/**
 * Asks for the words of a chunk: of AAC as M4A, or as ADTS where the recogniser refuses that.
 * @throws {AppError} as the port does, but `ai_failed` where it takes neither
 */
async function askInAnyContainer(
  speech: SpeechToText,
  chunk: SpeechChunk,
  { signal, reload, aac = { isM4aRefused: false, note: async () => {} } }: TranscribeOptions,
): Promise<SpeechResult> {
  const isAac = chunk.contentType === 'audio/mp4'
  const wasRefused = aac.isM4aRefused
  if (!isAac || !wasRefused) {
    try {
      return await speech.transcribe(chunk, signal)
    } catch (error) {
      if (!isRefused(error)) throw error
      if (!isAac) throw toFailure(error, chunk.contentType)
    }
  }
  const audio = await toAdts(wasRefused ? chunk.audio : await reload())
  if (audio === null) throw toFailure(null, 'AAC that only an M4A can hold')
  try {
    const result = await speech.transcribe({ ...chunk, audio, contentType: 'audio/aac' }, signal)
    if (!wasRefused) await aac.note(true)
    return result
  } catch (error) {
    if (!isRefused(error)) throw error
    // The remembered container may be out of date, so the next attempt begins with M4A.
    if (wasRefused) await aac.note(false)
    throw toFailure(error, 'AAC, neither as M4A nor as ADTS')
  }
}

function isRefused(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'ai_refused_audio'
}

function toFailure(error: AppError | null, audio: string): AppError {
  return new AppError('ai_failed', `The speech service cannot decode ${audio}.`, { cause: error?.cause })
}

/** A recogniser finds other words in audio that begins later; those of the skipped part come from the first answer. */
const SHIFT_MS = 1_000

/**
 * Asks once more where the recogniser repeated itself: without the hint, which may be what it repeats, and from a little
 * later on. The second answer counts unless it has fewer words or repeats itself as well: a recogniser that says the same
 * of whatever it is given would have it twice.
 */
async function askWithoutLoop(
  first: SpeechResult,
  speech: SpeechToText,
  chunk: SpeechChunk,
  options: TranscribeOptions,
): Promise<SpeechResult> {
  const piece = await skipStart({ ...chunk, audio: await options.reload() }, SHIFT_MS)
  if (piece === null) return first
  const { audio, durationMs, ...span } = piece
  const again = { ...chunk, audio: audio.slice(), durationMs, prompt: null }
  const second = await askInAnyContainer(speech, again, { ...options, reload: async () => audio }).catch(keepFirst)
  if (second === null || second.isLooped) return first
  const beginning = { ...first, words: first.words.filter(({ startMs }) => startMs < span.startMs) }
  const joined = joinPieces(
    [
      { audioStartMs: 0, startMs: 0, endMs: span.startMs, ...beginning },
      { ...span, ...second },
    ],
    chunk.durationMs,
  )
  return joined.words.length < first.words.length ? first : joined
}

/** With a hint, Whisper was seen to pass over 8 and 17 s of clear speech. Speakers rarely pause for so long. */
const HINT_GAP_MS = 5_000

/**
 * Asks once more without the hint, where the answer leaves out so much time that the hint may be why. The second answer
 * counts where it has more words.
 */
async function askWithoutHint(
  first: SpeechResult,
  speech: SpeechToText,
  chunk: SpeechChunk,
  options: TranscribeOptions,
): Promise<SpeechResult> {
  const again = { ...chunk, audio: await options.reload(), prompt: null }
  const second = await askInAnyContainer(speech, again, options).catch(keepFirst)
  return second === null || second.isLooped || second.words.length <= first.words.length ? first : second
}

function findLongestGapMs(words: readonly TranscribedWord[], durationMs: number): number {
  const starts = [...words.map(({ startMs }) => startMs), durationMs]
  return Math.max(...starts.map((startMs, index) => startMs - (words[index - 1]?.endMs ?? 0)))
}

/** Asks once more where the first answer is not to be trusted. */
async function askTwice(speech: SpeechToText, chunk: SpeechChunk, options: TranscribeOptions): Promise<SpeechResult> {
  const first = await askInAnyContainer(speech, chunk, options)
  if (first.isLooped) return askWithoutLoop(first, speech, chunk, options)
  const mayBeHint = chunk.prompt !== null && findLongestGapMs(first.words, chunk.durationMs) >= HINT_GAP_MS
  return mayBeHint ? askWithoutHint(first, speech, chunk, options) : first
}

function keepFirst(error: unknown): null {
  if (error instanceof AppError) return null
  throw error
}

/**
 * Asks once more where there are no words in two channels: of one channel alone, in case that they cancel each other.
 */
async function askOfEither(
  speech: SpeechToText,
  chunk: SpeechChunk,
  options: TranscribeOptions,
): Promise<SpeechResult> {
  const both = await askTwice(speech, chunk, options)
  if (both.words.length > 0) return both
  const audio = await keepOneChannel({ ...chunk, audio: await options.reload() })
  if (audio === null) return both
  const one = { ...options, reload: async () => audio.slice() }
  return (await askTwice(speech, { ...chunk, audio: audio.slice() }, one).catch(keepBoth)) ?? both
}

/** A failure that passes by itself is thrown: after it, nothing is known of the channel. */
function keepBoth(error: unknown): null {
  if (error instanceof AppError && error.code === 'ai_failed') return null
  throw error
}

/**
 * Transcribes one chunk. What the recogniser refuses as too large is halved, as often as it takes, and what the halves said
 * is joined; where it repeats itself, or leaves out much with a hint, it is asked once more. The answer shows neither.
 * @throws {AppError} as the port does; `ai_too_large` only when the chunk is too short to be halved any more
 */
export async function transcribeChunk(
  speech: SpeechToText,
  chunk: SpeechChunk,
  options: TranscribeOptions,
): Promise<SpeechResult> {
  try {
    return await askOfEither(speech, chunk, options)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'ai_too_large')) throw error
    const halves = await halveChunk({ ...chunk, audio: await options.reload() })
    if (halves === null) throw error
    const transcribed: (SpeechResult & TranscribedSpan)[] = []
    // One after the other: a recogniser that is short of room is not to be asked for more at once.
    for (const { audio, durationMs, ...span } of halves) {
      const half = { ...chunk, audio: audio.slice(), durationMs }
      transcribed.push({ ...span, ...(await transcribeChunk(speech, half, { ...options, reload: async () => audio })) })
    }
    return joinPieces(transcribed, chunk.durationMs)
  }
}

interface TranscribedSpan {
  audioStartMs: number
  startMs: number
  endMs: number
}

function joinPieces(pieces: (SpeechResult & TranscribedSpan)[], durationMs: number): SpeechResult {
  const words = mergeWords(pieces).map((word) => ({
    ...word,
    // The length of a chunk stands in its index, and that of the pieces is measured.
    startMs: Math.min(word.startMs, durationMs),
    endMs: Math.min(word.endMs, durationMs),
  }))
  return { words, language: languageOfMost(pieces) }
}

/**
 * Returns the language of a BCP 47 tag as recognisers expect it: `pt-BR` → `pt`. They know no regions and no scripts.
 * @param tag a tag that has been checked
 */
export function spokenLanguage(tag: string): string {
  return new Intl.Locale(tag).language
}
