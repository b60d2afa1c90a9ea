import { AUDIO_PART_MAX_BYTES } from '#contract/limits.ts'
import type { AudioArrived } from '#contract/upload.ts'

/** What our own cutter never reaches: its longest part. */
const PART_MAX_MS = 120_000
/** Neighbours share 2.5 s, and a packet may stand over at either end. */
const OVERLAP_MAX_MS = 5_000
/** Containers round durations to their own ticks. */
const END_TOLERANCE_MS = 1_000
/** Each part costs a call of the recogniser: no honest cut makes so many of them. */
const PARTS_AT_LEAST = 10
const PART_AT_LEAST_MS = 5_000

/** The span that a part's words are taken from. */
interface Span {
  part: number
  startMs: number
  endMs: number
}

/**
 * Finds what is wrong with parts of a browser's sound before they are transcribed; null when nothing is.
 * @param known parts that were taken before, at least the neighbours of those that have arrived
 */
export function findAudioFault(arrived: AudioArrived, known: readonly Span[]): string | null {
  const spans = new Map([...arrived.parts, ...known].map((span) => [span.part, span]))
  for (const part of arrived.parts) {
    const fault = findPartFault(part, arrived) ?? findBorderFault(spans, part)
    if (fault !== null) return `part ${part.part} ${fault}`
  }
  return null
}

function findPartFault(part: AudioArrived['parts'][number], { durationMs, partCount }: AudioArrived): string | null {
  const { startMs, endMs, audioStartMs, audioDurationMs } = part
  const partsMax = PARTS_AT_LEAST + durationMs / PART_AT_LEAST_MS
  if (part.part >= Math.min(partsMax, partCount ?? partsMax)) return 'is one too many'
  if (part.sizeBytes > AUDIO_PART_MAX_BYTES) return 'is too large'
  if (endMs <= startMs || endMs - startMs > PART_MAX_MS || audioDurationMs > PART_MAX_MS) return 'is too long'
  if (endMs > durationMs + END_TOLERANCE_MS) return 'lies outside of the video'
  const isOutside = audioStartMs < startMs - OVERLAP_MAX_MS || audioStartMs + audioDurationMs > endMs + OVERLAP_MAX_MS
  if (isOutside) return 'has sound from elsewhere'
  const isLast = partCount !== null && part.part === partCount - 1
  return isLast && endMs < durationMs - END_TOLERANCE_MS ? 'ends before the video' : null
}

function findBorderFault(spans: ReadonlyMap<number, Span>, { part, startMs, endMs }: Span): string | null {
  const before = part === 0 ? 0 : (spans.get(part - 1)?.endMs ?? startMs)
  if (startMs !== before) return 'does not begin where the one before it ends'
  return (spans.get(part + 1)?.startMs ?? endMs) === endMs ? null : 'does not end where the next one begins'
}
