import type { LearningMetricsAnswer, StepMetrics } from '#contract/learning.ts'
import { countSeconds } from '#contract/time-ranges.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { pieceSeconds } from './apply-report.ts'
import {
  type CountedStep,
  countSteps,
  keepSteps,
  type ModuleCounts,
  readCounts,
  type StepCounts,
} from './metrics-store.ts'

/**
 * What became of a module with its learners. Reads sums that are kept with each report; only steps whose times have
 * changed since are counted anew, once.
 */
export async function readMetrics(d1: D1Database, module: ModuleRow): Promise<LearningMetricsAnswer> {
  const counts = await readCounts(d1, module.id)
  const steps = await withCounts(d1, module.id, counts)
  const durationS = (module.durationMs ?? 0) / 1000
  const { learners, completed, seenSeconds } = counts
  const meanShare = seenSeconds / (learners * countSeconds(durationS))
  return {
    success: true,
    learners,
    completed,
    meanPercent: learners === 0 ? null : Math.min(100, Math.round(meanShare * 1000) / 10),
    completionPercent: module.completionPercent,
    curve: drawCurve(counts, durationS),
    steps: steps.map((step) => presentStep(step, counts)),
  }
}

type Counted = CountedStep & { counts: StepCounts }

function isCounted(step: CountedStep): step is Counted {
  return step.counts !== null
}

async function withCounts(d1: D1Database, moduleId: string, { steps, version }: ModuleCounts): Promise<Counted[]> {
  const stale = steps.filter((step) => !isCounted(step))
  if (stale.length === 0) return steps.filter(isCounted)
  const fresh = await countSteps(d1, moduleId, stale)
  await keepSteps(d1, { moduleId, version }, fresh)
  const byId = new Map(fresh.map((step) => [step.stepId, step]))
  return steps.flatMap((step) => (isCounted(step) ? step : (byId.get(step.stepId) ?? [])))
}

function presentStep({ counts, ...step }: Counted, { left, questions }: ModuleCounts): StepMetrics {
  const leftHere = left.filter(({ atS }) => atS >= Math.floor(step.start) && atS < step.end)
  return {
    ...step,
    ...counts,
    left: leftHere.reduce((sum, { learners }) => sum + learners, 0),
    questions: questions.find(({ stepId }) => stepId === step.stepId)?.count ?? 0,
  }
}

function drawCurve({ seen }: ModuleCounts, durationS: number): LearningMetricsAnswer['curve'] {
  const lengthS = pieceSeconds(durationS)
  const at = new Map(seen.map(({ atS, learners }) => [atS, learners]))
  const pieces = Math.ceil(countSeconds(durationS) / lengthS)
  return { pieceSeconds: lengthS, learners: Array.from({ length: pieces }, (_, piece) => at.get(piece * lengthS) ?? 0) }
}
