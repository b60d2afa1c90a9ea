import { type Input, type InputFormat, MP3, MP4, OGG, WAVE, WEBM } from 'mediabunny'
import { OVERLAP_MS, REACH_SHARE } from '#media/cut-audio.ts'
import { findCut } from '#media/find-cut.ts'
import { openBytes } from '#media/open-media.ts'
import { type OpenSound, openSound, readSoundKind } from '#media/open-sound.ts'
import { TrackFeed } from '#media/packet-feed.ts'
import type { AudioContentType, SpeechPart } from '#worker/ports/speech-to-text.ts'

/** One half of a part, playable by itself. Times are relative to the beginning of the part that was halved. */
export interface PartHalf {
  audio: Uint8Array<ArrayBuffer>
  /** Length of `audio`. */
  durationMs: number
  /** Where the sound in `audio` begins, overlap included. */
  audioStartMs: number
  /** The span that this half answers for: up to the cut, or from it on. */
  startMs: number
  endMs: number
}

/** Without its overlap no half is to be much shorter: there would be no sentence left to understand a word by. */
const SMALLEST_HALF_MS = 4_000

/** What our own cutter writes (see `audio-formats.ts`), and what browsers record. */
const CONTAINERS: Record<AudioContentType, InputFormat> = {
  'audio/mp4': MP4,
  'audio/ogg': OGG,
  'audio/mpeg': MP3,
  'audio/wav': WAVE,
  'audio/webm': WEBM,
}

/**
 * Cuts a part in two near its middle, where it is quiet, with the overlap that parts have. Packets are copied into the
 * same container, so nothing is lost but of PCM the last bit.
 * @returns null when the part is too short to be halved, or is no sound that can be read
 */
export async function halvePart(
  part: Pick<SpeechPart, 'audio' | 'contentType'>,
): Promise<readonly [PartHalf, PartHalf] | null> {
  using input = openBytes(part.audio, CONTAINERS[part.contentType])
  // A browser may have sent it: damage is nothing that trying again would mend.
  const sound = await readWhole(input).catch(() => null)
  if (sound === null) return null
  try {
    return cutInTwo(sound)
  } finally {
    sound.queue.close()
  }
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

function cutInTwo({ queue, write }: OpenSound): readonly [PartHalf, PartHalf] | null {
  // Vorbis counts its first packet, which sounds of nothing: such a file begins some milliseconds after zero.
  const beginMs = queue.packets[0]?.startMs ?? 0
  const halfMs = (queue.endMs - beginMs) / 2
  if (halfMs < SMALLEST_HALF_MS) return null
  const cutMs = findCut(queue.packets, { targetMs: beginMs + halfMs, reachMs: halfMs * REACH_SHARE })
  if (cutMs === null) return null
  const writeSpan = (startMs: number, endMs: number): PartHalf => {
    const run = queue.runAround({ startMs, endMs, overlapMs: OVERLAP_MS / 2 })
    const { bytes, audioDurationMs } = write(run)
    return {
      audio: bytes,
      durationMs: audioDurationMs,
      audioStartMs: Math.round((run[0]?.startMs ?? startMs) - beginMs),
      startMs: Math.round(startMs - beginMs),
      endMs: Math.round(endMs - beginMs),
    }
  }
  return [writeSpan(beginMs, cutMs), writeSpan(cutMs, queue.endMs)]
}
