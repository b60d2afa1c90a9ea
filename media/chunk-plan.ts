/** What hosted recognisers take well, and short enough that many are transcribed at once. */
const CHUNK_MS = 30_000
/** The first chunks are short, so that the first step is there while most of the recording is being transcribed. */
const FIRST_CHUNKS_MS = [10_000, 20_000] as const

/** How long a chunk is meant to be; where it is cut depends on where it is quiet. */
export function chunkMsAt(chunk: number): number {
  return FIRST_CHUNKS_MS[chunk] ?? CHUNK_MS
}

/** About how many chunks a recording makes; at least 1. */
export function estimateChunkCount(durationMs: number): number {
  const firstMs = FIRST_CHUNKS_MS.reduce((sum, ms) => sum + ms, 0)
  return Math.max(1, FIRST_CHUNKS_MS.length + Math.round((durationMs - firstMs) / CHUNK_MS))
}
