import { STEP_RULES } from '#contract/limits.ts'
import { findAnnouncedSteps } from './announced-steps.ts'
import { chooseCuts } from './choose-cuts.ts'
import { spokenMsOf, usualStepMs } from './count-steps.ts'
import { type CutModel, isClickThrough, scoreCuts } from './score-cuts.ts'
import type { Sentence } from './sentences.ts'

/** Two announcements nearer than the shortest legal step make one step. */
const MIN_STEP_MS = STEP_RULES.minDurationS * 1_000
/** An announced step that lasts longer than this holds more than what was announced, so it is cut like a talk. */
const LONG_STEP_MS = 120_000

/** A narration as far as it was transcribed. */
export interface CutInput {
  sentences: readonly Sentence[]
  /** Start of the segment at which each sentence would open a step. */
  startsMs: readonly number[]
  endMs: number
  /** Length of the video, or of the transcript while that is unknown. */
  lengthMs: number
  /** The narration continues after `endMs`. */
  isOpen: boolean
}

/** A sentence at which a step begins. */
export interface Cut {
  index: number
  /** The speaker says so, in a narrated list of steps. */
  isAnnounced: boolean
}

interface Scored extends CutInput {
  scores: readonly number[]
  usualMs: number
}

/**
 * Finds where steps begin, in order, the first sentence left out. A narrated list of steps is cut where the speaker
 * says so; all else where the signs are best.
 */
export function findCuts(input: CutInput, model: CutModel): Cut[] {
  const { sentences, startsMs } = input
  const usualMs = usualStepMs(sentences, input.lengthMs)
  const scored = { ...input, usualMs, scores: scoreCuts({ sentences, startsMs, usualMs, model }) }
  const starts = findListStarts(input)
  const isTalk = starts.length === 1
  return starts.flatMap((from, order) => {
    const to = starts[order + 1] ?? sentences.length
    const inside = isTalk || spanMs(input, from, to) > LONG_STEP_MS ? cutPart(scored, from, to) : []
    const cuts = inside.map((index) => ({ index, isAnnounced: false }))
    return from === 0 ? cuts : [{ index: from, isAnnounced: true }, ...cuts]
  })
}

/** The first sentence, and where announced steps begin. */
function findListStarts(input: CutInput): number[] {
  const starts = [0]
  for (const index of findAnnouncedSteps(input.sentences, input.isOpen ? 'so far' : 'all')) {
    if (spanMs(input, starts.at(-1) ?? 0, index) >= MIN_STEP_MS) starts.push(index)
  }
  return starts
}

function spanMs({ startsMs, endMs }: CutInput, from: number, to: number): number {
  return (startsMs[to] ?? endMs) - (startsMs[from] ?? 0)
}

function cutPart(scored: Scored, from: number, to: number): number[] {
  const sentences = scored.sentences.slice(from, to)
  const isAll = sentences.length === scored.sentences.length
  const plan = {
    startsMs: scored.startsMs.slice(from, to),
    endMs: scored.startsMs[to] ?? scored.endMs,
    scores: scored.scores.slice(from, to),
    usualMs: isAll ? scored.usualMs : usualStepMs(sentences, spokenMsOf(sentences)),
    isComparable: !isClickThrough(scored.sentences),
    isOpen: scored.isOpen && to === scored.sentences.length,
  }
  return chooseCuts(plan).map((cut) => from + cut)
}
