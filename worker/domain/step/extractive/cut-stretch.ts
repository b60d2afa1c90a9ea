import { STEP_RULES } from '#contract/limits.ts'
import type { SaidSegment, StepWindow } from '#worker/ports/step-writer.ts'
import { findAnnouncedSteps } from './announced-steps.ts'
import { spokenMsOf, usualStepMs } from './count-steps.ts'
import { CUT_MODEL } from './cut-weights.ts'
import { type Cut, findCuts } from './find-cuts.ts'
import type { CutModel } from './score-cuts.ts'
import { readSentences, type Sentence } from './sentences.ts'

/**
 * Where a step begins in the last seconds of a stretch can only be judged by what follows, so it is left to the next
 * stretch, which lets its first step begin at the border then. About what people's marks differ by.
 */
const LEFT_TO_NEXT_MS = 12_000
/** Of short steps this part is left, or whole steps would be. */
const LEFT_SHARE = 0.15
/** With less than the shortest step left of the video, nothing follows. */
const END_MS = STEP_RULES.minDurationS * 1_000

/** The part of a stretch that makes one step. Spans cover all segments in order. */
export interface Span {
  segments: SaidSegment[]
  sentences: Sentence[]
}

/** A stretch, cut where steps begin. */
export interface CutStretch {
  spans: Span[]
  /** The first span goes on with what was under way when the stretch began. */
  continues: boolean
  /** All that was said up to the end of the stretch. */
  heard: Sentence[]
}

/**
 * Cuts a stretch where steps begin, as if all that was said before were cut with it.
 * @param model the weights of the signs; the benchmark passes others to measure recordings that were not fitted
 */
export function cutStretch(
  { before, segments, durationMs }: Pick<StepWindow, 'before' | 'segments' | 'durationMs'>,
  model: CutModel = CUT_MODEL,
): CutStretch {
  const all = [...before, ...segments]
  const heard = readSentences(all)
  const startsMs = heard.map((sentence) => all[sentence.segmentIndex]?.startMs ?? sentence.startMs)
  const endMs = all.at(-1)?.endMs ?? 0
  const isOpen = durationMs === null || durationMs - endMs >= END_MS
  const lengthMs = Math.max(durationMs ?? 0, spokenMsOf(heard))
  const cuts = findCuts({ sentences: heard, startsMs, endMs, lengthMs, isOpen }, model).map((cut) => {
    return { ...cut, place: (heard[cut.index]?.segmentIndex ?? 0) - before.length, startMs: startsMs[cut.index] ?? 0 }
  })
  const leftFromMs = isOpen ? findLeft(heard, lengthMs) : endMs
  const starts = cuts.filter((cut) => cut.place > 0 && (cut.isAnnounced || cut.startMs <= leftFromMs))
  const places = segments.length === 0 ? [] : [0, ...starts.map((cut) => cut.place)]
  const own = heard.map((sentence) => ({ ...sentence, segmentIndex: sentence.segmentIndex - before.length }))
  const said = heard.filter((sentence) => sentence.segmentIndex < before.length)
  return {
    spans: places.map((from, order) => makeSpan(segments, own, { from, to: places[order + 1] ?? segments.length })),
    continues: before.length > 0 && !cuts.some((cut) => cut.place === 0 || wasLeft(cut, said, lengthMs)),
    heard,
  }
}

interface PlacedCut extends Cut {
  /** Segment of the stretch; negative before the stretch. */
  place: number
  startMs: number
}

/** From when on cuts are left to the next stretch. */
function findLeft(heard: readonly Sentence[], lengthMs: number): number {
  return (heard.at(-1)?.endMs ?? 0) - Math.min(LEFT_TO_NEXT_MS, LEFT_SHARE * usualStepMs(heard, lengthMs))
}

/** True for a cut that the stretch before has left to this one. */
function wasLeft(cut: PlacedCut, said: readonly Sentence[], lengthMs: number): boolean {
  if (cut.place >= 0 || cut.startMs <= findLeft(said, lengthMs)) return false
  // That stretch has begun a step there already if it heard a list of steps.
  return !(cut.isAnnounced && findAnnouncedSteps(said, 'so far').length > 0)
}

function makeSpan(
  segments: readonly SaidSegment[],
  heard: readonly Sentence[],
  { from, to }: { from: number; to: number },
): Span {
  const own = segments.slice(from, to)
  const sentences = heard.filter((sentence) => sentence.segmentIndex >= from && sentence.segmentIndex < to)
  // A sentence that began before the stretch may fill all of it.
  return { segments: own, sentences: sentences.length > 0 ? sentences : readSentences(own) }
}
