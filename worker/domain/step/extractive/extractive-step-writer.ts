import type { StepDraft, StepWindow, StepWriter } from '#worker/ports/language-model.ts'
import { MIN_STEP_MS } from '../section-step.ts'
import { findAnnouncedSteps } from './cues.ts'
import { usualStepMs } from './cut-features.ts'
import { CUT_MODEL } from './cut-weights.ts'
import { type Cut, type CutModel, findCuts } from './find-cuts.ts'
import { describeStep, learnTopic, proposeTitles } from './name-step.ts'
import { readSentences, type Sentence, spokenMsOf } from './sentences.ts'

/**
 * Where a step begins in the last seconds of a section depends on the words after it, so it is left to the next
 * section, whose first step may begin there. `tidySection` lets no step begin earlier.
 */
const LEFT_TO_NEXT_MS = 30_000
/** Of short steps this part is left, or whole steps would be. */
const LEFT_SHARE = 0.5

type Narration = ReturnType<typeof readNarration>

/**
 * Cuts a section where steps begin, as if all that is known to be said were cut with it.
 * @param model the weights of the signs; the benchmark passes others to measure recordings that were not fitted
 */
export function cutSection(
  window: Pick<StepWindow, 'before' | 'segments' | 'after' | 'durationMs'>,
  model: CutModel = CUT_MODEL,
) {
  const narration = readNarration(window)
  const { all, whole, boundary, until, isAhead, isOpen, lengthMs } = narration
  const startsMs = whole.map((sentence) => all[sentence.segmentIndex]?.startMs ?? sentence.startMs)
  const cuts = findCuts({ ...narration, sentences: whole, startsMs }, model)
  const { from, continues } = findFirstStart(narration, cuts)
  const leftFromMs = isAhead || !isOpen ? Number.POSITIVE_INFINITY : findLeft(whole, lengthMs)
  const inside = cuts.filter((cut) => cut.place > boundary && cut.place < until)
  const own = inside.filter((cut) => cut.isAnnounced || cut.startMs <= leftFromMs)
  const places = boundary === until ? [] : [boundary, ...own.map((cut) => cut.place)]
  const spans = places.map((place, order) => {
    const to = places[order + 1] ?? until
    const transcribedFrom = order === 0 ? from : place
    const transcribedTo = to < until ? to : (cuts.find((cut) => cut.place >= until)?.place ?? all.length)
    const segments = all.slice(place, to)
    const sentences = whole.filter((said) => said.segmentIndex >= transcribedFrom && said.segmentIndex < transcribedTo)
    // A sentence that began before the section may fill all of it.
    return { segments, sentences: sentences.length > 0 ? sentences : readSentences(segments) }
  })
  return {
    /** One per step: its segments in the section, which the spans cover in order, and all that is known to be said in it. */
    spans,
    /** The first span continues the step that was unfinished when the section began. */
    continues,
    /** The end of the transcript before the section, when the first span began there. */
    takenOver: continues ? [] : all.slice(from, boundary),
    /** All that is known to be said. */
    whole,
  }
}

/** All that is known to be said: before a section, in it, and maybe after it. */
function readNarration({ before, segments, after, durationMs }: Parameters<typeof cutSection>[0]) {
  const all = [...before, ...segments, ...(after ?? [])]
  const whole = readSentences(all)
  const endMs = all.at(-1)?.endMs ?? 0
  return {
    all,
    whole,
    /** Index of the section's first segment. */
    boundary: before.length,
    /** Index after its last one. */
    until: before.length + segments.length,
    /** The transcript after the section is known. */
    isAhead: after !== undefined,
    endMs,
    /** Length of the video as far as it is known. */
    lengthMs: Math.max(durationMs ?? 0, spokenMsOf(whole)),
    /** The narration continues after the known transcript; in less than the shortest step, nothing does. */
    isOpen: durationMs === null || durationMs - endMs >= MIN_STEP_MS,
  }
}

/** Where the section's first step begins: at its boundary, before it, or in an earlier section, which it continues. */
function findFirstStart(narration: Narration, cuts: readonly Cut[]): { from: number; continues: boolean } {
  const { boundary, whole, isAhead, lengthMs } = narration
  if (boundary === 0 || cuts.some((cut) => cut.place === boundary)) return { from: boundary, continues: false }
  const said = whole.filter((sentence) => sentence.segmentIndex < boundary)
  const last = cuts.findLast((cut) => cut.place < boundary)
  if (isAhead || last === undefined || last.startMs <= findLeft(said, lengthMs)) {
    return { from: last?.place ?? 0, continues: true }
  }
  // The section before has begun a step there already if its own transcript had a list of steps.
  return { from: last.place, continues: last.isAnnounced && findAnnouncedSteps(said, 'so far').length > 0 }
}

/** From when on cuts are left to the next section. */
function findLeft(whole: readonly Sentence[], lengthMs: number): number {
  return (whole.at(-1)?.endMs ?? 0) - Math.min(LEFT_TO_NEXT_MS, LEFT_SHARE * usualStepMs(whole, lengthMs))
}

/**
 * Writes steps from nothing but the transcript: the offline engine, and the degraded mode when a hosted model fails.
 * Every word of its titles and descriptions comes from the recording, except "Understand" and "the" for "my".
 */
export const extractiveStepWriter: StepWriter = {
  name: 'extractive',
  async writeSteps(window: StepWindow, signal: AbortSignal): Promise<StepDraft[]> {
    signal.throwIfAborted()
    return writeExtractiveSteps(window)
  },
}

/** The same, without a port around it: pure, and quick enough for an hour of speech in one go. */
export function writeExtractiveSteps(window: StepWindow): StepDraft[] {
  const { spans, continues, takenOver, whole } = cutSection(window)
  const topic = learnTopic(whole, window.moduleTitle)
  const taken = new Set<string>()
  return spans.map((span, index) => {
    const titles = proposeTitles(span.sentences, topic)
    const title = titles.find((proposed) => !taken.has(proposed.toLowerCase())) ?? titles[0] ?? ''
    taken.add(title.toLowerCase())
    const segmentIds = [...(index === 0 ? takenOver : []), ...span.segments].map((segment) => segment.id)
    const draft = { segmentIds, title, description: describeStep(span.sentences) }
    return index === 0 && continues ? { ...draft, continues, namesWhole: true } : draft
  })
}
