import { type Input, type InputFormat, MP3, MP4, OGG, WAVE, WEBM } from 'mediabunny'
import { openBytes } from '#media/open-media.ts'
import { type OpenSound, openSound, readSoundKind } from '#media/open-sound.ts'
import { TrackFeed } from '#media/packet-feed.ts'
import type { AudioContentType, SpeechPart } from '#worker/ports/speech-to-text.ts'

/** A part of a video's sound, as a file of its own. */
export type ReadablePart = Pick<SpeechPart, 'audio' | 'contentType'>

/** What our own cutter writes (see `audio-formats.ts`), and what browsers record. */
const CONTAINERS: Record<AudioContentType, InputFormat> = {
  'audio/mp4': MP4,
  'audio/ogg': OGG,
  'audio/mpeg': MP3,
  'audio/wav': WAVE,
  'audio/webm': WEBM,
}

/** Opens a part as the container that its type names. */
export function openPart({ audio, contentType }: ReadablePart): Input {
  return openBytes(audio, CONTAINERS[contentType])
}

/**
 * Reads all packets of a part and hands them to `use`, for as long as that takes.
 * @returns what `use` does, or null when there is no sound in it that can be read
 */
export async function readPart<T>(part: ReadablePart, use: (sound: OpenSound) => T): Promise<T | null> {
  using input = openPart(part)
  // The file may come from a browser: a retry would not repair a damaged one.
  const sound = await readWhole(input).catch(() => null)
  if (sound === null) return null
  try {
    return use(sound)
  } finally {
    sound.queue.close()
  }
}

/** How long a part sounds by its own packets, milliseconds; null when there is no sound in it that can be read. */
export function measurePart(part: ReadablePart): Promise<number | null> {
  return readPart(part, ({ queue }) => Math.round(queue.endMs - (queue.packets[0]?.startMs ?? 0)))
}

/** All packets; null when there is no sound. @throws whatever reading a damaged file meets */
async function readWhole(input: Input): Promise<OpenSound | null> {
  if (!(await input.canRead())) return null
  const track = await input.getPrimaryAudioTrack()
  const kind = await readSoundKind(track)
  if (track === null || kind === null) return null
  const sound = openSound(kind, new TrackFeed(track))
  try {
    await sound.queue.seek(0)
    await sound.queue.fillUntil(Number.POSITIVE_INFINITY)
    return sound
  } catch (error) {
    sound.queue.close()
    throw error
  }
}
