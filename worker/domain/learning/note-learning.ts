import type { LearnerProgress, LearningReport } from '#contract/learning.ts'
import { countSeconds, lengthOf } from '#contract/time-ranges.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { AppError } from '#worker/errors.ts'
import { applyReport, type Learner } from './apply-report.ts'
import type { Watcher } from './find-watcher.ts'
import { readLearner, writeLearner } from './learning-store.ts'

/** Who has seen nothing. */
const NOBODY: Learner = { seen: { once: [], again: [] }, positionS: 0, isCompleted: false }

/** A learner has two tabs at most at work; more come between each other only for a moment. */
const TRIES = 5

/**
 * Counts what a learner's page has played; a report that comes again changes nothing.
 * @throws {AppError} too_early while the length of the video is not known, unavailable when too many come at once
 */
export async function noteLearning(
  { d1, nowMs }: { d1: D1Database; nowMs: number },
  { module, learnerId }: Watcher,
  report: LearningReport,
): Promise<LearnerProgress> {
  const durationS = durationOf(module)
  if (learnerId === null) return presentProgress(NOBODY, durationS)
  const id = { moduleId: module.id, learnerId, sessionId: report.sessionId }
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const stored = await readLearner(d1, id)
    if (stored.learner !== null && stored.seq >= report.seq) return presentProgress(stored.learner, durationS)
    const { version, completionPercent, countedSteps } = stored
    const { after, change } = applyReport(stored.learner, report, { durationS, completionPercent, steps: countedSteps })
    const write = { id, version, completionPercent, seq: report.seq, played: writePlayed(report), after, change, nowMs }
    if (await writeLearner(d1, write)) return presentProgress(after, durationS)
  }
  throw new AppError('unavailable', 'Your progress could not be saved right now. It is sent again.', { retryAfterS: 1 })
}

/** What a learner has seen so far; nothing for one who is not known. */
export async function findProgress(d1: D1Database, { module, learnerId }: Watcher): Promise<LearnerProgress> {
  const id = { moduleId: module.id, learnerId: learnerId ?? '', sessionId: '' }
  const { learner } = await readLearner(d1, id)
  return presentProgress(learner ?? NOBODY, (module.durationMs ?? 0) / 1000)
}

function durationOf({ durationMs }: ModuleRow): number {
  if (durationMs === null) {
    throw new AppError('too_early', 'This video is still being prepared.', { retryAfterS: 10 })
  }
  return durationMs / 1000
}

function presentProgress({ seen, positionS, isCompleted }: Learner, durationS: number): LearnerProgress {
  const percent = Math.min(100, Math.floor((lengthOf(seen.once) * 100) / countSeconds(durationS)))
  return {
    seen: seen.once.map(([from, to]) => [from, to] as [number, number]),
    percent,
    isCompleted,
    position: positionS,
  }
}

/** As the xAPI video profile writes played segments. @see https://w3id.org/xapi/video (1.0.3), `played-segments` */
function writePlayed({ segments }: LearningReport): string {
  return segments.map(([from, to]) => `${from.toFixed(3)}[.]${to.toFixed(3)}`).join('[,]')
}
