import type { LearningMetricsAnswer, StepMetrics } from '#contract/learning.ts'
import { countSeconds } from '#contract/time/time-ranges.ts'
import { listVisibleSteps, percentOfWhole } from '#contract/time/visible-time.ts'
import { ALL_COUNTED } from '#worker/db/learner-tables.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { addSums, countBelow, countFrom, NO_STEP, NO_SUMS, pieceSeconds, sumLearner } from './learning-sums.ts'
import { type CountedStep, type ModuleCounts, readCounts, readLearnerPage, writeRecount } from './metrics-store.ts'

/** Pages of learners that one call recounts at most; the next call continues. */
const PAGES_PER_CALL = 3

/**
 * Reads the learning metrics of a module, from sums that are updated with each report. Steps whose times have
 * changed are recounted, some learners with each call.
 * @param mayRecount asked before learners are read; where it answers no, a later call continues
 */
export async function readMetrics(
  d1: D1Database,
  module: ModuleRow,
  mayRecount: () => Promise<boolean> = async () => true,
): Promise<LearningMetricsAnswer> {
  const durationS = (module.durationMs ?? 0) / 1000
  let counts = await readCounts(d1, module.id)
  const pages = hasOpenSteps(counts) && (await mayRecount()) ? PAGES_PER_CALL : 0
  for (let page = 0; page < pages && hasOpenSteps(counts); page++) {
    await recountSome(d1, { moduleId: module.id, durationS }, counts)
    counts = await readCounts(d1, module.id)
  }
  const { learners, seenSeconds, percents, verified } = counts
  const { completionPercent, cuts } = module
  const video = { durationS, cuts }
  // Learners are counted by their percent of the whole video, which no cut changes.
  const enough = percentOfWhole(completionPercent, video)
  const completed = countFrom(verified, enough)
  const meanShare = seenSeconds / ((learners * countSeconds(durationS) * percentOfWhole(100, video)) / 100)
  const shownIds = new Set(listVisibleSteps(counts.steps, cuts).map(({ stepId }) => stepId))
  return {
    success: true,
    learners,
    completed,
    selfReported: Math.max(0, countFrom(percents, enough) - completed),
    meanPercent: learners === 0 ? null : Math.min(100, Math.round(meanShare * 1000) / 10),
    completionPercent,
    curve: drawCurve(counts, durationS),
    steps: counts.steps
      .filter(({ stepId }) => shownIds.has(stepId))
      .map((step) => presentStep(step, { counts, enough })),
    isCounting: hasOpenSteps(counts),
  }
}

const isOpen = ({ countedTo }: CountedStep) => countedTo !== ALL_COUNTED

/** Without learners there is nothing to count. */
function hasOpenSteps({ learners, steps }: ModuleCounts): boolean {
  return learners > 0 && steps.some(isOpen)
}

/** Adds the next learners to the steps that are counted least far. */
async function recountSome(
  d1: D1Database,
  { moduleId, durationS }: { moduleId: string; durationS: number },
  counts: ModuleCounts,
): Promise<void> {
  const open = counts.steps.filter(isOpen)
  const after = open.reduce((least, { countedTo }) => (countedTo < least ? countedTo : least), ALL_COUNTED)
  const steps = open.filter(({ countedTo }) => countedTo === after)
  const page = await readLearnerPage(d1, moduleId, after)
  const video = { durationS, steps: steps.map(({ stepId, start, end }) => ({ id: stepId, start, end })) }
  const sums = page.learners.reduce((sum, learner) => addSums(sum, sumLearner(learner, video)), NO_SUMS)
  const counted = steps.map((step) => ({ ...step, sums: sums.steps[step.stepId] ?? NO_STEP }))
  await writeRecount(d1, { moduleId, recount: counts.recount }, { after, page, steps: counted })
}

function presentStep(
  { sums, stepId, title, start, end }: CountedStep,
  { counts, enough }: { counts: ModuleCounts; enough: number },
): StepMetrics {
  const leftEarly = countBelow(sums.left, enough)
  const countIn = (of: ModuleCounts['questions']) => of.find((each) => each.stepId === stepId)?.count ?? 0
  const [questions, reports] = [countIn(counts.questions), countIn(counts.reports)]
  return { ...sums, stepId, title, start, end, left: leftEarly, questions, reports }
}

function drawCurve({ curve }: ModuleCounts, durationS: number): LearningMetricsAnswer['curve'] {
  const lengthS = pieceSeconds(durationS)
  const pieces = Math.ceil(countSeconds(durationS) / lengthS)
  return { pieceSeconds: lengthS, learners: Array.from({ length: pieces }, (_, piece) => curve[piece] ?? 0) }
}
