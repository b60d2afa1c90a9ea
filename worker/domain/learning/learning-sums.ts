import { judgeStep, type StepSpan } from '#contract/step-progress.ts'
import { countSeconds, lengthOf, type TimeRanges } from '#contract/time/time-ranges.ts'
import { percentOf } from './apply-report.ts'
import { type Learner } from './learner.ts'

/** Numbers of learners by percent, or by the number of a piece of the video. A missing key means 0. */
export type Histogram = Readonly<Record<string, number>>

/** How many learners saw something of a step, saw it to its end, saw some of it twice, and were last seen in it. */
export type StepSums = {
  reached: number
  finished: number
  rewatched: number
  /** By the percent of the video that they have seen: those who have completed it have left nowhere. */
  left: Histogram
}

/** Sums over learners of a module. A learner's own are what the learner adds to them. */
export type LearningSums = {
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

/** Sums over no learners of a step. */
export const NO_STEP: StepSums = { reached: 0, finished: 0, rewatched: 0, left: {} }

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
export function addSums(to: LearningSums, addend: LearningSums, times: 1 | -1 = 1): LearningSums {
  return addCounts(to, addend, times) as LearningSums
}

/** Counts by name, or by name and name. */
interface Counts {
  readonly [name: string]: number | Counts
}

function addCounts(to: Counts, addend: Counts, times: 1 | -1): Counts {
  const sum: Record<string, number | Counts> = { ...to }
  for (const [name, count] of Object.entries(addend)) {
    const before = sum[name]
    if (typeof count === 'number') sum[name] = Number(before ?? 0) + times * count
    else sum[name] = addCounts(typeof before === 'object' ? before : {}, count, times)
  }
  return sum
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
  return Object.entries(steps).filter(([, { left, ...counts }]) =>
    [...Object.values(counts), ...Object.values(left)].some((count) => count !== 0),
  )
}
