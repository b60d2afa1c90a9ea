import { OVERLAP_MS, REACH_SHARE } from '#media/cut-audio.ts'
import { findCut } from '#media/find-cut.ts'
import type { OpenAudio } from '#media/open-audio.ts'
import { type ReadableChunk, readChunk } from './read-chunk.ts'

/** One half of a chunk, playable by itself. Times are relative to the beginning of the chunk that was halved. */
export interface ChunkHalf {
  audio: Uint8Array<ArrayBuffer>
  /** Length of `audio`. */
  durationMs: number
  /** Where the audio in `audio` begins, overlap included. */
  audioStartMs: number
  /** The span that this half answers for: up to the cut, or from it on. */
  startMs: number
  endMs: number
}

/** Without its overlap no half is to be much shorter: there would be no sentence left to understand a word by. */
const SMALLEST_HALF_MS = 4_000

/**
 * Cuts a chunk in two near its middle, where it is quiet, with the overlap that chunks have. Packets are copied into the
 * same container, so nothing is lost but of PCM the last bit.
 * @returns null when the chunk is too short to be halved, or is no audio that can be read
 */
export function halveChunk(chunk: ReadableChunk): Promise<readonly [ChunkHalf, ChunkHalf] | null> {
  return readChunk(chunk, cutInTwo)
}

function cutInTwo({ queue, write }: OpenAudio): readonly [ChunkHalf, ChunkHalf] | null {
  // Vorbis counts its first packet, which plays nothing: such a file begins some milliseconds after zero.
  const beginMs = queue.packets[0]?.startMs ?? 0
  const halfMs = (queue.endMs - beginMs) / 2
  if (halfMs < SMALLEST_HALF_MS) return null
  const cutMs = findCut(queue.packets, { targetMs: beginMs + halfMs, reachMs: halfMs * REACH_SHARE })
  if (cutMs === null) return null
  const writeSpan = (startMs: number, endMs: number): ChunkHalf => {
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
