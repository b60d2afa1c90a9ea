import { STEP_RULES } from '#contract/limits.ts'
import type { SaidSegment } from '#worker/ports/step-writer.ts'
import { findAnnouncedSteps } from './announced-steps.ts'
import { chooseCuts } from './choose-cuts.ts'
import { countSteps } from './count-steps.ts'
import { CUT_MODEL } from './cut-weights.ts'
import { type CutModel, scoreCuts } from './score-cuts.ts'
import { readSentences, type Sentence } from './sentences.ts'

/** The part of a transcript that makes one step. Spans cover all segments in order. */
export interface Span {
  segments: SaidSegment[]
  sentences: Sentence[]
}

/** Two announcements nearer than the shortest legal step make one step. */
const MIN_STEP_MS = STEP_RULES.minDurationS * 1_000
/** An announced step that lasts longer than this holds more than what was announced, so it is cut like a talk. */
const LONG_STEP_MS = 120_000

/**
 * Cuts a transcript where steps begin.
 * @param model the weights of the signs; the benchmark passes others to measure recordings that were not fitted
 */
export function cutTranscript(segments: readonly SaidSegment[], model: CutModel = CUT_MODEL): Span[] {
  const sentences = readSentences(segments)
  if (sentences.length === 0) return []
  const startsMs = sentences.map((sentence) => segments[sentence.segmentIndex]?.startMs ?? sentence.startMs)
  const endMs = segments.at(-1)?.endMs ?? 0
  const cuts = cutSaid({ sentences, startsMs, endMs, scores: scoreCuts({ sentences, startsMs, model }) })
  return [0, ...cuts].map((from, index) => {
    const to = cuts[index]
    const fromSegment = index === 0 ? 0 : sentences[from]?.segmentIndex
    const toSegment = to === undefined ? segments.length : sentences[to]?.segmentIndex
    return { segments: segments.slice(fromSegment, toSegment), sentences: sentences.slice(from, to) }
  })
}

interface Said {
  sentences: readonly Sentence[]
  /** Start of the segment at which each sentence would open a step. */
  startsMs: readonly number[]
  endMs: number
  scores: readonly number[]
}

/** A narrated list of steps is cut where the speaker says so; all else where the signs are best. */
function cutSaid(said: Said): number[] {
  const starts = [0]
  for (const index of findAnnouncedSteps(said.sentences)) {
    if (spanMs(said, starts.at(-1) ?? 0, index) >= MIN_STEP_MS) starts.push(index)
  }
  if (spanMs(said, starts.at(-1) ?? 0, said.sentences.length) < MIN_STEP_MS && starts.length > 1) starts.pop()
  const isTalk = starts.length === 1
  return starts.flatMap((from, order) => {
    const to = starts[order + 1] ?? said.sentences.length
    const inside = isTalk || spanMs(said, from, to) > LONG_STEP_MS ? cutPart(said, from, to) : []
    return from === 0 ? inside : [from, ...inside]
  })
}

function spanMs({ startsMs, endMs }: Said, from: number, to: number): number {
  return (startsMs[to] ?? endMs) - (startsMs[from] ?? 0)
}

function cutPart(said: Said, from: number, to: number): number[] {
  const sentences = said.sentences.slice(from, to)
  const plan = {
    startsMs: said.startsMs.slice(from, to),
    endMs: said.startsMs[to] ?? said.endMs,
    scores: said.scores.slice(from, to),
    stepCount: countSteps(sentences),
  }
  return chooseCuts(plan).map((cut) => from + cut)
}
