import { PLAYBACK_RATE_MAX } from '#contract/limits.ts'
import { lengthOf, toWholeSeconds } from '#contract/time/time-ranges.ts'
import { type Learner, type Segments } from './learner.ts'
import { EARLY_MAX_S } from './learning-limits.ts'

/** Whether the clock allows what was reported. */
export type Credit =
  | { kind: 'verified'; creditedUntilMs: number }
  /** Good once so many seconds have passed. */
  | { kind: 'early'; waitS: number }
  | { kind: 'selfReported' }

/**
 * Checks a report against the time since its session began, at the fastest playback rate. Time that another report of
 * the learner has used up does not count twice, so that many sessions credit no more than one.
 * @param report `startedAtMs` is when its session began and `nowMs` what time it is, by the server's clock
 */
export function creditReport({
  segments,
  durationS,
  startedAtMs,
  creditedUntilMs,
  nowMs,
}: Pick<Learner, 'creditedUntilMs'> &
  Record<'durationS' | 'startedAtMs' | 'nowMs', number> & { segments: Segments }): Credit {
  // Whole seconds, as they are counted, so that the sum does not depend on where reports are divided.
  const playedS = segments.reduce((sum, segment) => sum + lengthOf(toWholeSeconds([segment], durationS)), 0)
  const fromMs = Math.max(startedAtMs, creditedUntilMs ?? 0)
  const untilMs = Math.ceil(fromMs + (playedS * 1000) / PLAYBACK_RATE_MAX)
  if (untilMs <= nowMs)
    return { kind: 'verified', creditedUntilMs: playedS === 0 ? (creditedUntilMs ?? fromMs) : untilMs }
  const waitS = Math.ceil((untilMs - nowMs) / 1000)
  return waitS <= EARLY_MAX_S ? { kind: 'early', waitS } : { kind: 'selfReported' }
}
