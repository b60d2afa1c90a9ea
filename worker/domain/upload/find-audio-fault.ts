import { AUDIO_CHUNK_MAX_BYTES, AUDIO_TRACKS_MAX } from '#contract/limits.ts'
import type { AudioArrived, ClientAudioChunk } from '#contract/upload.ts'
import { DURATION_TOLERANCE_MS } from '#worker/domain/media/compare-audio.ts'
import { listParts, type PlacedPart } from '#worker/domain/media/planned-chunk.ts'

/** What our own cutter never reaches: its longest chunk. */
const CHUNK_MAX_MS = 120_000
/** Neighbours share 2.5 s, and a packet may stand over at either end. */
const OVERLAP_MAX_MS = 5_000
/** Each chunk costs a call of the recogniser: no honest cut makes so many of them. */
const CHUNKS_AT_LEAST = 10
const CHUNK_AT_LEAST_MS = 5_000

/** The span that a chunk's words are taken from. */
type Span = Pick<ClientAudioChunk, 'chunk' | 'startMs' | 'endMs'>

/**
 * Finds what is wrong with parts of a browser's audio before they are transcribed; null when nothing is.
 * @param storedChunks chunks that were taken before, at least the neighbours of those that have arrived
 */
export function findAudioFault(arrived: AudioArrived, storedChunks: readonly Span[]): string | null {
  const spans = new Map([...arrived.chunks, ...storedChunks].map((span) => [span.chunk, span]))
  for (const chunk of arrived.chunks) {
    const fault = findChunkFault(chunk, arrived) ?? findBoundaryFault(spans, chunk)
    if (fault !== null) return `chunk ${chunk.chunk} ${fault}`
  }
  return null
}

function findChunkFault(chunk: ClientAudioChunk, { durationMs, chunkCount }: AudioArrived): string | null {
  const { startMs, endMs } = chunk
  const chunksMax = CHUNKS_AT_LEAST + durationMs / CHUNK_AT_LEAST_MS
  if (chunk.chunk >= Math.min(chunksMax, chunkCount ?? chunksMax)) return 'is one too many'
  if (endMs <= startMs || endMs - startMs > CHUNK_MAX_MS) return 'is too long'
  if (endMs > durationMs + DURATION_TOLERANCE_MS) return 'lies outside of the video'
  const parts = listParts({ ...chunk, parts: chunk.parts ?? [] })
  for (const part of parts) {
    const fault = findPartFault(part, chunk)
    if (fault !== null) return fault
  }
  const audioMs = parts.reduce((sum, { audioDurationMs }) => sum + audioDurationMs, 0)
  if (audioMs > AUDIO_TRACKS_MAX * (endMs - startMs + 2 * OVERLAP_MAX_MS)) return 'is too long'
  const isLast = chunkCount !== null && chunk.chunk === chunkCount - 1
  return isLast && endMs < durationMs - DURATION_TOLERANCE_MS ? 'ends before the video' : null
}

function findPartFault(part: PlacedPart, { startMs, endMs }: Span): string | null {
  const { sizeBytes, audioStartMs, audioDurationMs } = part
  if (sizeBytes > AUDIO_CHUNK_MAX_BYTES) return 'is too large'
  if (sizeBytes <= 0) return 'is smaller than its parts'
  if (audioDurationMs > CHUNK_MAX_MS) return 'is too long'
  const isOutside = audioStartMs < startMs - OVERLAP_MAX_MS || audioStartMs + audioDurationMs > endMs + OVERLAP_MAX_MS
  return isOutside ? 'has audio from elsewhere' : null
}

function findBoundaryFault(spans: ReadonlyMap<number, Span>, { chunk, startMs, endMs }: Span): string | null {
  const before = chunk === 0 ? 0 : (spans.get(chunk - 1)?.endMs ?? startMs)
  if (startMs !== before) return 'does not begin where the one before it ends'
  return (spans.get(chunk + 1)?.startMs ?? endMs) === endMs ? null : 'does not end where the next one begins'
}
