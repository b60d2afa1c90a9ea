import { ADTS, type Input, type InputFormat, MP3, MP4, OGG, WAVE, WEBM } from 'mediabunny'
import { readAudioKind } from '#media/audio-chunk.ts'
import { OVERLAP_MS, REACH_SHARE } from '#media/cut-audio.ts'
import { findCut } from '#media/find-cut.ts'
import { openBytes, TrackFeed } from '#media/open-media.ts'
import { PacketQueue } from '#media/packet-queue.ts'
import type { AudioContentType, SpeechChunk } from '#worker/ports/speech-to-text.ts'

/** A part of a video's audio, as a file of its own. */
export type ReadableChunk = Pick<SpeechChunk, 'audio' | 'contentType'>

/** What our own cutter writes (see `audio-chunk.ts`), and what browsers record. */
const CONTAINERS: Record<AudioContentType, InputFormat> = {
  'audio/mp4': MP4,
  'audio/aac': ADTS,
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
async function readChunk<T>(chunk: ReadableChunk, use: (queue: PacketQueue) => T): Promise<T | null> {
  using input = openChunk(chunk)
  // The file may come from a browser: a retry would not repair a damaged one.
  return await readWhole(input, use).catch(() => null)
}

/** How long a chunk plays by its own packets, milliseconds; null when there is no audio in it that can be read. */
export function measureChunk(chunk: ReadableChunk): Promise<number | null> {
  return readChunk(chunk, (queue) => Math.round(queue.endMs - (queue.packets[0]?.startMs ?? 0)))
}

/** Copies the packets of an M4A into ADTS frames; null where that cannot be. */
export function toAdts(audio: SpeechChunk['audio']): Promise<Uint8Array<ArrayBuffer> | null> {
  return readChunk({ audio, contentType: 'audio/mp4' }, (queue) => queue.writeAdts())
}

/** Copies the packets of a chunk of two channels so that only one of them is left; null where that cannot be. */
export function keepOneChannel(chunk: ReadableChunk): Promise<Uint8Array<ArrayBuffer> | null> {
  return readChunk(chunk, (queue) => queue.writeOneChannel())
}

/** @throws whatever reading a damaged file meets */
async function readWhole<T>(input: Input, use: (queue: PacketQueue) => T): Promise<T | null> {
  if (!(await input.canRead())) return null
  const track = await input.getPrimaryAudioTrack()
  const kind = await readAudioKind(track)
  if (track === null || kind === null) return null
  const queue = new PacketQueue(kind, new TrackFeed(track))
  try {
    await queue.seek(0)
    await queue.fillUntil(Number.POSITIVE_INFINITY)
    return use(queue)
  } finally {
    queue.close()
  }
}

/** A piece of a chunk, playable by itself. Times are relative to the beginning of the chunk that it was cut out of. */
export interface ChunkPiece {
  audio: Uint8Array<ArrayBuffer>
  /** Length of `audio`. */
  durationMs: number
  /** Where the audio in `audio` begins, overlap included. */
  audioStartMs: number
  /** The span that this piece answers for. */
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
export function halveChunk(chunk: ReadableChunk): Promise<readonly [ChunkPiece, ChunkPiece] | null> {
  return readChunk(chunk, cutInTwo)
}

function cutInTwo(queue: PacketQueue): readonly [ChunkPiece, ChunkPiece] | null {
  // Vorbis counts its first packet, which plays nothing: such a file begins some milliseconds after zero.
  const beginMs = queue.packets[0]?.startMs ?? 0
  const halfMs = (queue.endMs - beginMs) / 2
  if (halfMs < SMALLEST_HALF_MS) return null
  const cutMs = findCut(queue.packets, { targetMs: beginMs + halfMs, reachMs: halfMs * REACH_SHARE })
  if (cutMs === null) return null
  const overlapMs = OVERLAP_MS / 2
  return [
    writePiece(queue, { startMs: beginMs, endMs: cutMs, overlapMs }),
    writePiece(queue, { startMs: cutMs, endMs: queue.endMs, overlapMs }),
  ]
}

function writePiece(queue: PacketQueue, span: { startMs: number; endMs: number; overlapMs: number }): ChunkPiece {
  const beginMs = queue.packets[0]?.startMs ?? 0
  const run = queue.runAround(span)
  const { bytes, audioDurationMs } = queue.write(run)
  return {
    audio: bytes,
    durationMs: audioDurationMs,
    audioStartMs: Math.round((run[0]?.startMs ?? span.startMs) - beginMs),
    startMs: Math.round(span.startMs - beginMs),
    endMs: Math.round(span.endMs - beginMs),
  }
}

/**
 * Copies a chunk without its first `skippedMs` into a new file.
 * @returns null when that is less than half of the chunk, or it is no audio that can be read
 */
export function skipStart(chunk: ReadableChunk, skippedMs: number): Promise<ChunkPiece | null> {
  return readChunk(chunk, (queue) => {
    const startMs = (queue.packets[0]?.startMs ?? 0) + skippedMs
    const isTooShort = queue.endMs - startMs < skippedMs
    return isTooShort ? null : writePiece(queue, { startMs, endMs: queue.endMs, overlapMs: 0 })
  })
}
