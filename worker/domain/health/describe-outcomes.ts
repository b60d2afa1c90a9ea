import type { OutcomeRow, WatchedPart } from './outcome-store.ts'

/** A sweep comes every minute and may take one; two that are missing are no accident. */
const SWEEP_LATE_MS = 5 * 60_000

/** What it means when a model fails. */
const WITHOUT: Partial<Record<WatchedPart, string>> = {
  speech: 'videos are not transcribed',
  steps: 'steps are written without a model',
  rewriter: 'texts are rewritten without a model',
  tutor: 'the tutor quotes the video',
}

/** Describes the state of the models, as known from their latest calls. */
export function describeModels(rows: readonly OutcomeRow[]): string {
  const models = rows.filter(({ part }) => part in WITHOUT)
  if (models.length === 0) return 'not called yet'
  const failing = models.filter(({ okAt, failedAt }) => (failedAt ?? 0) > (okAt ?? 0))
  if (failing.length === 0) return 'ok'
  return failing
    .map(({ part, code, failedAt }) => `${part} failed at ${toTime(failedAt ?? 0)} (${code}): ${WITHOUT[part]}`)
    .join('; ')
}

/** @returns null when the sweep comes as it should */
export function describeSweep(rows: readonly OutcomeRow[], nowMs: number): string | null {
  const okAt = rows.find(({ part }) => part === 'sweep')?.okAt ?? null
  if (okAt !== null && nowMs - okAt <= SWEEP_LATE_MS) return null
  const since = okAt === null ? 'has not run yet' : `has not run since ${toTime(okAt)}`
  return `the sweep ${since}: lost work is not found again`
}

/** To the second, UTC. */
function toTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
