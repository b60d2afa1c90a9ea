import { countSeconds, judgeStep, lengthOf, type StepSpan, type TimeRanges } from '#contract/time-ranges.ts'
import { type Learner, percentOf } from './apply-report.ts'

/** Numbers of learners by percent, or by the number of a piece of the video. What is not there is 0. */
export type Histogram = Readonly<Record<string, number>>

/** How many learners saw something of a step, saw it to its end, saw some of it twice, and were last seen in it. */
export interface StepSums {
  reached: number
  finished: number
  rewatched: number
  /** By the percent of the video that they have seen: those who have completed it have left nowhere. */
  left: Histogram
}

/** Sums over learners of a module. A learner's own are what the learner adds to them. */
export interface LearningSums {
  learners: number
  seenSeconds: number
  /** Learners by the percent that they have seen, and by the percent that is verified. */
  percents: Histogram
  verified: Histogram
  /** Learners who have seen something of a piece of the video. */
  curve: Histogram
  steps: Readonly<Record<string, StepSums>>
}

/** A video with the steps that are counted. */
export interface SummedVideo {
  durationS: number
  steps: readonly (StepSpan & { id: string })[]
}

/** The most pieces in the curve of a video: more cannot be distinguished on a screen. */
const CURVE_PIECES = 100

const NO_STEP: StepSums = { reached: 0, finished: 0, rewatched: 0, left: {} }

/** Sums over no learners. */
export const NO_SUMS: LearningSums = { learners: 0, seenSeconds: 0, percents: {}, verified: {}, curve: {}, steps: {} }

/** Returns the length of the pieces that a video's curve is made of, seconds. */
export function pieceSeconds(durationS: number): number {
  return Math.ceil(countSeconds(durationS) / CURVE_PIECES)
}

/** Computes what one learner adds to the sums. */
export function sumLearner(learner: Learner, { durationS, steps }: SummedVideo): LearningSums {
  const percent = percentOf(learner.seen.once, durationS)
  return {
    learners: 1,
    seenSeconds: lengthOf(learner.seen.once),
    percents: { [percent]: 1 },
    verified: { [percentOf(learner.verified, durationS)]: 1 },
    curve: drawPieces(learner.seen.once, pieceSeconds(durationS)),
    steps: Object.fromEntries(steps.map((step) => [step.id, sumStep(learner, { step, percent })])),
  }
}

function sumStep({ seen, positionS }: Learner, { step, percent }: { step: StepSpan; percent: number }): StepSums {
  const { isReached, isFinished, isRewatched } = judgeStep(step, seen)
  const isHere = positionS >= Math.floor(step.start) && positionS < step.end
  return {
    reached: Number(isReached),
    finished: Number(isFinished),
    rewatched: Number(isRewatched),
    left: isHere ? { [percent]: 1 } : {},
  }
}

function drawPieces(ranges: TimeRanges, lengthS: number): Histogram {
  const pieces: Record<string, number> = {}
  for (const [from, to] of ranges) {
    for (let piece = Math.floor(from / lengthS); piece * lengthS < to; piece++) pieces[piece] = 1
  }
  return pieces
}

/** Adds sums to others. @param times 1, or -1 to take them away */
export function addSums(to: LearningSums, more: LearningSums, times: 1 | -1 = 1): LearningSums {
  const ids = new Set([...Object.keys(to.steps), ...Object.keys(more.steps)])
  const addStep = (id: string) => addSteps(to.steps[id] ?? NO_STEP, more.steps[id] ?? NO_STEP, times)
  return {
    learners: to.learners + times * more.learners,
    seenSeconds: to.seenSeconds + times * more.seenSeconds,
    percents: addHistograms(to.percents, more.percents, times),
    verified: addHistograms(to.verified, more.verified, times),
    curve: addHistograms(to.curve, more.curve, times),
    steps: Object.fromEntries([...ids].map((id) => [id, addStep(id)])),
  }
}

function addSteps(to: StepSums, more: StepSums, times: 1 | -1): StepSums {
  return {
    reached: to.reached + times * more.reached,
    finished: to.finished + times * more.finished,
    rewatched: to.rewatched + times * more.rewatched,
    left: addHistograms(to.left, more.left, times),
  }
}

function addHistograms(to: Histogram, more: Histogram, times: 1 | -1): Histogram {
  const sum: Record<string, number> = { ...to }
  for (const [key, count] of Object.entries(more)) sum[key] = (sum[key] ?? 0) + times * count
  return Object.fromEntries(Object.entries(sum).filter(([, count]) => count !== 0))
}

/** Counts the learners who have reached a percent. */
export function countFrom(percents: Histogram, percent: number): number {
  return Object.entries(percents).reduce((sum, [key, count]) => sum + (Number(key) >= percent ? count : 0), 0)
}

/** Counts the learners who have not. */
export function countBelow(percents: Histogram, percent: number): number {
  return Object.values(percents).reduce((sum, count) => sum + count, 0) - countFrom(percents, percent)
}

/** Lists the steps, by their ids, whose sums a change of the sums changes. */
export function listChangedSteps({ steps }: LearningSums): [id: string, step: StepSums][] {
  return Object.entries(steps).filter(
    ([, { reached, finished, rewatched, left }]) =>
      reached !== 0 || finished !== 0 || rewatched !== 0 || Object.keys(left).length > 0,
  )
}
