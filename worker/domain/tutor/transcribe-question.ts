import { EncodedPacketSink, type Input, type InputAudioTrack } from 'mediabunny'
import { RECORDING_MAX_MS } from '#contract/limits.ts'
import { readAudioKind } from '#media/audio-chunk.ts'
import { measurePacketMs } from '#media/packet-duration.ts'
import { AppError, faultOf } from '#worker/core/errors.ts'
import { openChunk, type ReadableChunk } from '#worker/domain/media/read-chunk.ts'
import { spokenLanguage, transcribeChunk } from '#worker/domain/transcript/transcribe-chunk.ts'
import { logLine } from '#worker/log/log.ts'
import { type AudioContentType, joinWords, type SpeechResult, type SpeechToText } from '#worker/ports/speech-to-text.ts'

/** What a learner recorded. */
export interface Recording {
  audio: Uint8Array<ArrayBuffer>
  contentType: AudioContentType
}

/** @see specification §9 */
const USUAL_LANGUAGE = 'en'

/**
 * Measures a recording before it is paid for and transcribed.
 * @returns milliseconds of audio in it
 * @throws {AppError} payload_too_large when it is too long, unsupported_media_type when it cannot be measured
 */
export async function measureQuestion(recording: Recording): Promise<number> {
  const durationMs = await measureRecording(recording, RECORDING_MAX_MS)
  if (durationMs === null) {
    throw new AppError('unsupported_media_type', 'This recording cannot be read. Say it again, or type it.')
  }
  if (durationMs <= RECORDING_MAX_MS) return Math.ceil(durationMs)
  throw new AppError(
    'payload_too_large',
    'This recording is longer than two minutes. Say it in fewer words, or type it.',
  )
}

/** The shortest packet of any codec that browsers record; one that claims less still costs a look. */
const SHORTEST_PACKET_MS = 2.5

/**
 * Measures a recording by its packets, because the header of a file may declare less than a recogniser transcribes. Of
 * several tracks the longest counts. Stops reading at the limit.
 * @returns more than `limitMs` where it is longer; null where there is no audio in it that can be measured
 */
async function measureRecording(recording: ReadableChunk, limitMs: number): Promise<number | null> {
  using input = openChunk(recording)
  // The recording comes from a client: a retry would not repair a damaged file.
  return await measureTracks(input, limitMs).catch(() => null)
}

async function measureTracks(input: Input, limitMs: number): Promise<number | null> {
  if (!(await input.canRead())) return null
  let longestMs = 0
  for (const track of await input.getAudioTracks()) {
    const measuredMs = await measureTrack(track, limitMs)
    if (measuredMs === null) return null
    longestMs = Math.max(longestMs, measuredMs)
  }
  return longestMs === 0 ? null : longestMs
}

async function measureTrack(track: InputAudioTrack, limitMs: number): Promise<number | null> {
  const kind = await readAudioKind(track)
  if (kind === null) return null
  let audioDurationsMs = 0
  for await (const { data } of new EncodedPacketSink(track).packets()) {
    const packetMs = measurePacketMs(kind.config, data)
    if (packetMs === null) return null
    audioDurationsMs += Math.max(packetMs, SHORTEST_PACKET_MS)
    if (audioDurationsMs > limitMs) break
  }
  return audioDurationsMs
}

/**
 * Transcribes a spoken question.
 * @param language what is spoken, BCP 47; null where that is not known
 * @returns an empty text for a silent recording, as what the recogniser took it, and whether its words begin with blanks
 * @throws {AppError} not_implemented without a recogniser, unavailable when it fails or takes too long
 */
export async function transcribeQuestion(
  speech: SpeechToText,
  {
    language,
    glossary,
    ...recording
  }: Recording & { durationMs: number; language: string | null; glossary: string | null },
  deadline: AbortSignal,
): Promise<{ text: string; takenAs: AudioContentType } & Pick<SpeechResult, 'hasBlanks'>> {
  let takenAs = recording.contentType
  const aac = { isM4aRefused: false, note: async () => void (takenAs = 'audio/aac') }
  try {
    const spoken = language === null ? USUAL_LANGUAGE : spokenLanguage(language)
    const chunk = { ...recording, language: spoken, prompt: glossary, isAwaited: true }
    const spare = recording.audio.slice()
    const { words, hasBlanks } = await transcribeChunk(speech, chunk, {
      signal: deadline,
      reload: async () => spare,
      aac,
    })
    return {
      text: joinWords(words.map(({ text }) => text)),
      takenAs,
      ...(hasBlanks === undefined ? {} : { hasBlanks }),
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'no_recogniser') {
      throw new AppError('not_implemented', 'Speech recognition is not installed here. Type instead.')
    }
    logLine('warn', 'question_not_transcribed', { model: speech.name, ...faultOf(error) })
    throw new AppError('unavailable', 'What you said could not be understood. Say it again, or type it.', {
      cause: error,
      retryAfterS: 5,
    })
  }
}
