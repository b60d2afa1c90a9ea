import { PLAYBACK_RATE_MAX } from '#contract/limits.ts'
import { lengthOf, toWholeSeconds } from '#contract/time-ranges.ts'
import type { Segments } from './bound-ranges.ts'
import { EARLY_MAX_S } from './learning-limits.ts'

/** Whether the clock allows what was reported. */
export type Credit =
  | { kind: 'verified'; creditedUntilMs: number }
  /** Good once so many seconds have passed. */
  | { kind: 'early'; waitS: number }
  | { kind: 'selfReported' }

/** What a report is held against. */
export interface CreditInput {
  segments: Segments
  durationS: number
  /** When the session began, by the server's clock. */
  startedAtMs: number
  /** Up to when the learner's earlier reports have used up time; null before the first. */
  creditedUntilMs: number | null
  nowMs: number
}

/**
 * Checks a report against the time since its session began, at the fastest playback rate. Time that another report of
 * the learner has used up does not count twice, so that many sessions credit no more than one.
 */
export function creditReport({ segments, durationS, startedAtMs, creditedUntilMs, nowMs }: CreditInput): Credit {
  // Whole seconds, as they are counted: they add up over reports that are cut anywhere.
  const playedS = segments.reduce((sum, segment) => sum + lengthOf(toWholeSeconds([segment], durationS)), 0)
  const fromMs = Math.max(startedAtMs, creditedUntilMs ?? 0)
  const untilMs = Math.ceil(fromMs + (playedS * 1000) / PLAYBACK_RATE_MAX)
  if (untilMs <= nowMs)
    return { kind: 'verified', creditedUntilMs: playedS === 0 ? (creditedUntilMs ?? fromMs) : untilMs }
  const waitS = Math.ceil((untilMs - nowMs) / 1000)
  return waitS <= EARLY_MAX_S ? { kind: 'early', waitS } : { kind: 'selfReported' }
}
