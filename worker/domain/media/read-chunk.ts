import { type Input, type InputFormat, MP3, MP4, OGG, WAVE, WEBM } from 'mediabunny'
import { type OpenAudio, openAudio, readAudioKind } from '#media/open-audio.ts'
import { openBytes } from '#media/open-media.ts'
import { TrackFeed } from '#media/packet-feed.ts'
import type { AudioContentType, SpeechChunk } from '#worker/ports/speech-to-text.ts'

/** A part of a video's audio, as a file of its own. */
export type ReadableChunk = Pick<SpeechChunk, 'audio' | 'contentType'>

/** What our own cutter writes (see `audio-formats.ts`), and what browsers record. */
const CONTAINERS: Record<AudioContentType, InputFormat> = {
  'audio/mp4': MP4,
  'audio/ogg': OGG,
  'audio/mpeg': MP3,
  'audio/wav': WAVE,
  'audio/webm': WEBM,
}

/** Opens a chunk as the container that its type names. */
export function openChunk({ audio, contentType }: ReadableChunk): Input {
  return openBytes(audio, CONTAINERS[contentType])
}

/**
 * Reads all packets of a chunk and hands them to `use`, for as long as that takes.
 * @returns what `use` does, or null when there is no audio in it that can be read
 */
export async function readChunk<T>(chunk: ReadableChunk, use: (audio: OpenAudio) => T): Promise<T | null> {
  using input = openChunk(chunk)
  // The file may come from a browser: a retry would not repair a damaged one.
  const audio = await readWhole(input).catch(() => null)
  if (audio === null) return null
  try {
    return use(audio)
  } finally {
    audio.queue.close()
  }
}

/** How long a chunk plays by its own packets, milliseconds; null when there is no audio in it that can be read. */
export function measureChunk(chunk: ReadableChunk): Promise<number | null> {
  return readChunk(chunk, ({ queue }) => Math.round(queue.endMs - (queue.packets[0]?.startMs ?? 0)))
}

/** All packets; null when there is no audio. @throws whatever reading a damaged file meets */
async function readWhole(input: Input): Promise<OpenAudio | null> {
  if (!(await input.canRead())) return null
  const track = await input.getPrimaryAudioTrack()
  const kind = await readAudioKind(track)
  if (track === null || kind === null) return null
  const audio = openAudio(kind, new TrackFeed(track))
  try {
    await audio.queue.seek(0)
    await audio.queue.fillUntil(Number.POSITIVE_INFINITY)
    return audio
  } catch (error) {
    audio.queue.close()
    throw error
  }
}
