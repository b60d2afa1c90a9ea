import type { LearningReport } from '#contract/learning.ts'
import { judgeStep, type Seen, type StepSpan } from '#contract/step-progress.ts'
import { countSeconds, intersect, lengthOf, type TimeRanges, toWholeSeconds, unite } from '#contract/time-ranges.ts'

/** What is known of a learner of a module. */
export interface Learner {
  seen: Seen
  /** Whole second at which the video stood last. */
  positionS: number
  isCompleted: boolean
}

/** A video that reports are about. */
export interface LearnedVideo {
  durationS: number
  /** Share of its seconds that makes it completed, percent. */
  completionPercent: number
  /** Steps that are counted as they are now. */
  steps: readonly (StepSpan & { id: string })[]
}

/** By how much the sums of a module change. */
export interface LearningChange {
  learners: number
  completed: number
  seenSeconds: number
  /** Learners who have seen something of the piece of the video that begins there, and who were last seen there. */
  counts: { kind: 'seen' | 'left'; atS: number; learners: number }[]
  steps: { id: string; reached: number; finished: number; rewatched: number }[]
}

/** The curve of a video has so many pieces at most: more cannot be told apart on a screen, and each is a row. */
const CURVE_PIECES = 100
/** After the end one begins anew; whoever stops so close to it has ended. */
const END_S = 2

/** Length of the pieces that a video's curve is made of, seconds. */
export function pieceSeconds(durationS: number): number {
  return Math.ceil(countSeconds(durationS) / CURVE_PIECES)
}

/** Whole seconds that have to be seen for a video to be completed. */
export function secondsToComplete({ durationS, completionPercent }: Omit<LearnedVideo, 'steps'>): number {
  return Math.max(1, Math.ceil((countSeconds(durationS) * completionPercent) / 100))
}

/**
 * What a report makes of a learner, and of the sums over all of them.
 * @param before null when nothing is known of the learner
 */
export function applyReport(
  before: Learner | null,
  report: Pick<LearningReport, 'segments' | 'position'>,
  video: LearnedVideo,
): { after: Learner; change: LearningChange } {
  const seen = addSegments(before?.seen ?? NOTHING, report.segments, video.durationS)
  const after: Learner = {
    seen,
    positionS: placeOf(report.position, video.durationS),
    // Once completed is completed, also where the video is cut later.
    isCompleted: before?.isCompleted === true || lengthOf(seen.once) >= secondsToComplete(video),
  }
  return { after, change: compare(before, after, video) }
}

const NOTHING: Seen = { once: [], again: [] }

function addSegments(seen: Seen, segments: LearningReport['segments'], durationS: number): Seen {
  return segments.reduce<Seen>(({ once, again }, segment) => {
    const played = toWholeSeconds([segment], durationS)
    return { once: unite(once, played), again: unite(again, intersect(once, played)) }
  }, seen)
}

function placeOf(positionS: number, durationS: number): number {
  return positionS >= durationS - END_S ? 0 : Math.floor(positionS)
}

function compare(before: Learner | null, after: Learner, video: LearnedVideo): LearningChange {
  const old = before ?? { seen: NOTHING, positionS: 0, isCompleted: false }
  return {
    learners: before === null ? 1 : 0,
    completed: after.isCompleted && !old.isCompleted ? 1 : 0,
    seenSeconds: lengthOf(after.seen.once) - lengthOf(old.seen.once),
    counts: [...countNewPieces(old, after, video.durationS), ...countMove(before, after)],
    steps: video.steps.flatMap((step) => {
      const [was, is] = [judgeStep(step, old.seen), judgeStep(step, after.seen)]
      const change = {
        id: step.id,
        reached: Number(is.isReached) - Number(was.isReached),
        finished: Number(is.isFinished) - Number(was.isFinished),
        rewatched: Number(is.isRewatched) - Number(was.isRewatched),
      }
      return change.reached + change.finished + change.rewatched > 0 ? [change] : []
    }),
  }
}

function countNewPieces(before: Learner, after: Learner, durationS: number): LearningChange['counts'] {
  const lengthS = pieceSeconds(durationS)
  const known = piecesOf(before.seen.once, lengthS)
  const fresh = [...piecesOf(after.seen.once, lengthS)].filter((piece) => !known.has(piece))
  return fresh.map((piece) => ({ kind: 'seen', atS: piece * lengthS, learners: 1 }))
}

function piecesOf(ranges: TimeRanges, lengthS: number): Set<number> {
  const pieces = new Set<number>()
  for (const [from, to] of ranges) {
    for (let piece = Math.floor(from / lengthS); piece * lengthS < to; piece++) pieces.add(piece)
  }
  return pieces
}

/** Whoever has completed the video has left nowhere. */
function countMove(before: Learner | null, after: Learner): LearningChange['counts'] {
  const from = before === null || before.isCompleted ? null : before.positionS
  const to = after.isCompleted ? null : after.positionS
  if (from === to) return []
  const gone = from === null ? [] : [{ kind: 'left' as const, atS: from, learners: -1 }]
  const come = to === null ? [] : [{ kind: 'left' as const, atS: to, learners: 1 }]
  return [...gone, ...come]
}
