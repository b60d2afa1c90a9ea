import type { SaidSegment } from '#worker/ports/step-writer.ts'

/**
 * Tokens of transcript per call. Llama 3.3 70B takes 24,000 in and out together; half an hour of speech makes about
 * 40 steps, whose answer, the repaired answer, and the prompt take the rest.
 */
export const STEP_WINDOW_MAX_TOKENS = 8_000

/** English text in the tokenizers of Llama and GPT. */
const CHARS_PER_TOKEN = 4
/** Segment number, time and line break. */
const TOKENS_PER_SEGMENT = 10
/** A window may end this much before it is full, to end at a long pause. */
const SEARCHED_SHARE = 0.5

/** An estimate that is rather too high: other scripts than Latin take about a token per character. */
export function estimateTokens(text: string): number {
  const beyondAscii = text.replace(/[\u0020-\u007e]/g, '').length
  return Math.ceil((text.length - beyondAscii) / CHARS_PER_TOKEN) + beyondAscii
}

function tokensOf(segment: SaidSegment): number {
  return estimateTokens(segment.text) + TOKENS_PER_SEGMENT
}

interface Reach {
  /** Index after the last segment that fits. */
  fullAt: number
  /** Index after the first segment where the window is full enough to end. */
  enoughAt: number
}

function reach(segments: SaidSegment[], from: number, maxTokens: number): Reach {
  let tokens = 0
  let enoughAt = segments.length
  for (let at = from; at < segments.length; at++) {
    tokens += tokensOf(segments[at] as SaidSegment)
    if (tokens > maxTokens && at > from) return { fullAt: at, enoughAt: Math.min(enoughAt, at) }
    if (tokens >= maxTokens * SEARCHED_SHARE) enoughAt = Math.min(enoughAt, at + 1)
  }
  return { fullAt: segments.length, enoughAt }
}

function findLongestPause(segments: SaidSegment[], { fullAt, enoughAt }: Reach): number {
  let best = { at: fullAt, pauseMs: Number.NEGATIVE_INFINITY }
  for (let at = enoughAt; at <= fullAt; at++) {
    const pauseMs = (segments[at]?.startMs ?? 0) - (segments[at - 1]?.endMs ?? 0)
    if (pauseMs >= best.pauseMs) best = { at, pauseMs }
  }
  return best.at
}

/**
 * Splits a transcript into windows that fit one call of the model, each ending at the longest pause in its second
 * half. Every segment is in exactly one window, in order; one that is too long by itself is a window of its own.
 */
export function windowSegments(
  segments: SaidSegment[],
  { maxTokens }: { maxTokens: number } = { maxTokens: STEP_WINDOW_MAX_TOKENS },
): SaidSegment[][] {
  const windows: SaidSegment[][] = []
  let from = 0
  while (from < segments.length) {
    const reached = reach(segments, from, maxTokens)
    const to = reached.fullAt === segments.length ? segments.length : findLongestPause(segments, reached)
    windows.push(segments.slice(from, to))
    from = to
  }
  return windows
}
