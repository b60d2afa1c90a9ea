import { halveChunk } from '#worker/domain/media/halve-chunk.ts'
import { AppError } from '#worker/errors.ts'
import { type Heard, meanConfidence, type SpeechChunk, type SpeechToText } from '#worker/ports/speech-to-text.ts'
import { mergeWords } from './merge-words.ts'

/** How a chunk is heard. */
interface Transcription {
  signal: AbortSignal
  /** Fetches the chunk's audio once more, where the recogniser has freed it. */
  reload: () => Promise<Uint8Array<ArrayBuffer>>
}

/**
 * Hears one chunk. What the recogniser refuses as too large is halved, as often as it takes, and what the halves said
 * is joined; nobody sees from the answer that it was so.
 * @throws {AppError} as the port does; `ai_too_large` only when the chunk is too short to be halved any more
 */
export async function transcribeChunk(
  speech: SpeechToText,
  chunk: SpeechChunk,
  hearing: Transcription,
): Promise<Heard> {
  try {
    return await speech.transcribe(chunk, hearing.signal)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'ai_too_large')) throw error
    const halves = await halveChunk({ ...chunk, audio: await hearing.reload() })
    if (halves === null) throw error
    const heard: (Heard & TranscribedSpan)[] = []
    // One after the other: a recogniser that is short of room is not to be asked for more at once.
    for (const { audio, durationMs, ...span } of halves) {
      const half = { ...chunk, audio: audio.slice(), durationMs }
      heard.push({ ...span, ...(await transcribeChunk(speech, half, { ...hearing, reload: async () => audio })) })
    }
    return joinHalves(heard, chunk.durationMs)
  }
}

interface TranscribedSpan {
  audioStartMs: number
  startMs: number
  endMs: number
}

function joinHalves(halves: (Heard & TranscribedSpan)[], durationMs: number): Heard {
  const words = mergeWords(halves).map((word) => ({
    ...word,
    // The length of a chunk is told in its index, and that of the halves is measured.
    startMs: Math.min(word.startMs, durationMs),
    endMs: Math.min(word.endMs, durationMs),
  }))
  return { words, language: languageOfMost(halves), confidence: meanConfidence(words) }
}

function languageOfMost(halves: Heard[]): string | null {
  const known = halves.filter(({ language }) => language !== null)
  const [most] = known.toSorted((a, b) => b.words.length - a.words.length)
  return most?.language ?? null
}
