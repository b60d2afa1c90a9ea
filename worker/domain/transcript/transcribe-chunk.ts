import { halveChunk } from '#worker/domain/media/halve-chunk.ts'
import { AppError } from '#worker/errors.ts'
import { meanConfidence, type SpeechChunk, type SpeechResult, type SpeechToText } from '#worker/ports/speech-to-text.ts'
import { mergeWords } from './merge-words.ts'

/** How a chunk is transcribed. */
interface Transcription {
  signal: AbortSignal
  /** Fetches the chunk's audio once more, where the recogniser has freed it. */
  reload: () => Promise<Uint8Array<ArrayBuffer>>
}

/**
 * Transcribes one chunk. What the recogniser refuses as too large is halved, as often as it takes, and what the halves said
 * is joined; the answer does not show it.
 * @throws {AppError} as the port does; `ai_too_large` only when the chunk is too short to be halved any more
 */
export async function transcribeChunk(
  speech: SpeechToText,
  chunk: SpeechChunk,
  options: Transcription,
): Promise<SpeechResult> {
  try {
    return await speech.transcribe(chunk, options.signal)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'ai_too_large')) throw error
    const halves = await halveChunk({ ...chunk, audio: await options.reload() })
    if (halves === null) throw error
    const result: (SpeechResult & TranscribedSpan)[] = []
    // One after the other: a recogniser that is short of room is not to be asked for more at once.
    for (const { audio, durationMs, ...span } of halves) {
      const half = { ...chunk, audio: audio.slice(), durationMs }
      result.push({ ...span, ...(await transcribeChunk(speech, half, { ...options, reload: async () => audio })) })
    }
    return joinHalves(result, chunk.durationMs)
  }
}

interface TranscribedSpan {
  audioStartMs: number
  startMs: number
  endMs: number
}

function joinHalves(halves: (SpeechResult & TranscribedSpan)[], durationMs: number): SpeechResult {
  const words = mergeWords(halves).map((word) => ({
    ...word,
    // The length of a chunk stands in its index, and that of the halves is measured.
    startMs: Math.min(word.startMs, durationMs),
    endMs: Math.min(word.endMs, durationMs),
  }))
  return { words, language: languageOfMost(halves), confidence: meanConfidence(words) }
}

function languageOfMost(halves: SpeechResult[]): string | null {
  const known = halves.filter(({ language }) => language !== null)
  const [most] = known.toSorted((a, b) => b.words.length - a.words.length)
  return most?.language ?? null
}
