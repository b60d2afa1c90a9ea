import type { SaidSegment, StepDraft, StepWindow, StepWriter } from '#worker/ports/language-model.ts'
import { type CutPlan, chooseCuts } from './choose-cuts.ts'
import { FEATURE_NAMES, isClickThrough, measureFeatures, rateInstructions, usualStepMs } from './cut-features.ts'
import { describeStep } from './describe-step.ts'
import { learnTopic, proposeTitles, repeatsTitle, type TitleModel } from './name-step.ts'
import { actsOnPrevious, findAnnouncedSteps, readSentences, type Sentence, spokenMsOf } from './sentences.ts'
import { keepSpeakableAround } from './speakable.ts'
import { followsPause, MIN_STEP_MS } from './step-times.ts'
import fitted from './step-weights.json' with { type: 'json' }

/** How much each sign speaks for a cut, as log odds; a sign without a weight does not count. */
export interface CutModel {
  bias: number
  weights: Readonly<Record<string, number>>
}

/**
 * All that is fitted, by `npm run fit -- steps`: logistic regressions with a ridge on groups of recordings that count
 * the same.
 */
export interface StepModel {
  cuts: CutModel
  titles: TitleModel
}

/** People who mark chapters differ by a few seconds, so the evidence of sentences this near is pooled. */
const POOL_MS = 4_000
/** Among pooled sentences the one with the evidence is the better start. */
const OWN_WEIGHT = 2

/** In a clip of short steps the neighbours within {@link POOL_MS} are other steps, so the reach is this part of a step. */
const POOL_SHARE = 0.15

/**
 * Off the log odds of "Pull it straight up", which acts on what was just spoken of. Taken after pooling, since the
 * evidence of the sentence before or after must not make up for it; set by hand, as it is missing from the benchmark.
 */
const BOUND_PENALTY = 4

/** Log odds that a step begins at each sentence or within {@link POOL_MS} of it. */
function scoreCuts({ sentences, startsMs }: CutInput, usualMs: number, model: CutModel): number[] {
  const weights = FEATURE_NAMES.map((name) => model.weights[name] ?? 0)
  const odds = measureFeatures(sentences).map((row) => {
    return row.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), model.bias)
  })
  const reachMs = Math.min(POOL_MS, usualMs * POOL_SHARE)
  const chances = odds.map((logOdds) => 1 / (1 + Math.exp(-logOdds)))
  const fitted = pool(chances, startsMs, reachMs).map(Math.log)
  const rated = isClickThrough(sentences) ? rateInstructions(sentences, fitted) : fitted
  return rated.map((score, index) => score - (actsOnPrevious(sentences[index] as Sentence) ? BOUND_PENALTY : 0))
}

function pool(chances: readonly number[], startsMs: readonly number[], reachMs: number): number[] {
  return chances.map((own, index) => {
    const atMs = startsMs[index] ?? 0
    let sum = OWN_WEIGHT * own
    for (let left = index - 1; left >= 0 && atMs - (startsMs[left] ?? 0) <= reachMs; left -= 1)
      sum += chances[left] ?? 0
    for (let right = index + 1; right < chances.length && (startsMs[right] ?? 0) - atMs <= reachMs; right += 1) {
      sum += chances[right] ?? 0
    }
    return sum
  })
}

/** An announced step that is longer holds more than the announced action, so it is cut like a talk. */
const LONG_STEP_MS = 120_000

/** A narration as far as it was transcribed. */
interface CutInput {
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
interface Cut {
  /** Index of the segment that the step begins with, and its start. */
  place: number
  startMs: number
  /** The speaker says so, in a narrated list of steps. */
  isAnnounced: boolean
  /** A long pause lies before it, so that each section finds it. */
  isAfterPause: boolean
}

/**
 * Finds where steps begin, in order, the first sentence left out. A narrated list of steps is cut where the speaker
 * says so; all else where the signs are best.
 */
function findCuts(input: CutInput, model: CutModel): Cut[] {
  const { sentences } = input
  const usualMs = usualStepMs(sentences, input.lengthMs)
  const scored = { ...input, usualMs, scores: scoreCuts(input, usualMs, model) }
  const starts = findListStarts(input)
  const isTalk = starts.length === 1
  const placeAt = (index: number, isAnnounced: boolean): Cut => {
    return {
      place: sentences[index]?.segmentIndex ?? 0,
      startMs: input.startsMs[index] ?? 0,
      isAnnounced,
      isAfterPause: false,
    }
  }
  return starts.flatMap((from, order) => {
    const to = starts[order + 1] ?? sentences.length
    const inside = isTalk || spanMs(input, from, to) > LONG_STEP_MS ? cutPart(scored, from, to) : []
    const cuts = inside.map((index) => placeAt(index, false))
    return from === 0 ? cuts : [placeAt(from, true), ...cuts]
  })
}

/** The cuts, and one at each long pause. */
function cutAtPauses(cuts: readonly Cut[], all: readonly SaidSegment[]): Cut[] {
  const places = [...all.keys()].filter((place) => followsPause(place, all))
  if (places.length === 0) return [...cuts]
  const after = places.map((place): Cut => {
    return { place, startMs: all[place]?.startMs ?? 0, isAnnounced: false, isAfterPause: true }
  })
  const pausePlaces = new Set(places)
  const others = cuts.filter(({ place }) => !pausePlaces.has(place))
  return [...others, ...after].toSorted((left, right) => left.place - right.place)
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

function cutPart(scored: CutInput & Pick<CutPlan, 'scores' | 'usualMs'>, from: number, to: number): number[] {
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

/**
 * Where a step begins in the last seconds of a section depends on the words after it, so it is left to the next
 * section, whose first step may begin there. `tidySection` lets no step begin earlier.
 */
const LEFT_TO_NEXT_MS = 30_000
/** Of short steps this part is left, or whole steps would be. */
const LEFT_SHARE = 0.5

type Narration = ReturnType<typeof readNarration>

/** Cuts a section where steps begin, as if all that is known to be said were cut with it. */
function cutSection(window: StepWindow, model: CutModel) {
  const narration = readNarration(window)
  const { all, whole, boundary, until, isAhead, isOpen, lengthMs } = narration
  const startsMs = whole.map((sentence) => all[sentence.segmentIndex]?.startMs ?? sentence.startMs)
  const cuts = cutAtPauses(findCuts({ ...narration, sentences: whole, startsMs }, model), all)
  const { from, continues } = findFirstStart(narration, cuts)
  const leftFromMs = isAhead || !isOpen ? Number.POSITIVE_INFINITY : findLeft(whole, lengthMs)
  const inside = cuts.filter((cut) => cut.place > boundary && cut.place < until)
  const own = inside.filter((cut) => cut.isAnnounced || cut.isAfterPause || cut.startMs <= leftFromMs)
  const places = boundary === until ? [] : [boundary, ...own.map((cut) => cut.place)]
  const spans = places.map((place, order) => {
    const to = places[order + 1] ?? until
    const transcribedFrom = order === 0 ? from : place
    const transcribedTo = to < until ? to : (cuts.find((cut) => cut.place >= until)?.place ?? all.length)
    const segments = all.slice(place, to)
    const sentences = whole.filter(
      (sentence) => sentence.segmentIndex >= transcribedFrom && sentence.segmentIndex < transcribedTo,
    )
    // A sentence that began before the section may fill all of it.
    return { segments, sentences: sentences.length > 0 ? sentences : readSentences(segments, window.language) }
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
function readNarration({ before, segments, after, durationMs, language }: StepWindow) {
  const all = keepSpeakableAround(before, segments, after ?? [])
  const whole = readSentences(all, language)
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
  const sentencesBefore = whole.filter((sentence) => sentence.segmentIndex < boundary)
  const last = cuts.findLast((cut) => cut.place < boundary)
  if (isAhead || last === undefined || last.startMs <= findLeft(sentencesBefore, lengthMs)) {
    return { from: last?.place ?? 0, continues: true }
  }
  // The section before has begun a step there already after a pause, or if its own transcript had a list of steps.
  const isBegun = last.isAfterPause || (last.isAnnounced && findAnnouncedSteps(sentencesBefore, 'so far').length > 0)
  return { from: last.place, continues: isBegun }
}

/** From when on cuts are left to the next section. */
function findLeft(whole: readonly Sentence[], lengthMs: number): number {
  return (whole.at(-1)?.endMs ?? 0) - Math.min(LEFT_TO_NEXT_MS, LEFT_SHARE * usualStepMs(whole, lengthMs))
}

/**
 * Writes steps from nothing but the transcript: the offline engine, and the degraded mode when a hosted model fails.
 * Every word of its titles and descriptions comes from the recording, except "and" between two topics and "the" for "my".
 */
export const extractiveStepWriter: StepWriter = makeExtractiveStepWriter(fitted)

/** The same with other weights: the benchmark measures recordings with weights that were fitted to others. */
export function makeExtractiveStepWriter(model: StepModel): StepWriter {
  return {
    name: 'extractive',
    async writeSteps(window: StepWindow, signal: AbortSignal): Promise<StepDraft[]> {
      signal.throwIfAborted()
      return writeExtractiveSteps(window, model)
    },
  }
}

/** The same, without a port around it: pure, and quick enough for an hour of speech in one go. */
export function writeExtractiveSteps(window: StepWindow, model: StepModel = fitted): StepDraft[] {
  const { spans, continues, takenOver, whole } = cutSection(window, model.cuts)
  const topic = learnTopic(whole, window.moduleTitle, model.titles)
  const taken = new Set<string>()
  return spans.map((span, index) => {
    const isOpening = index === 0 && window.before.length === 0
    const proposed = proposeTitles(span.sentences, topic)
    const own = isOpening ? proposed.filter((each) => !repeatsTitle(each, window.moduleTitle)) : proposed
    const titles = own.length > 0 ? own : proposed
    const title = titles.find((each) => !taken.has(each.toLowerCase())) ?? titles[0] ?? ''
    taken.add(title.toLowerCase())
    const segmentIds = [...(index === 0 ? takenOver : []), ...span.segments].map((segment) => segment.id)
    const draft = { segmentIds, title, description: describeStep(span.sentences) }
    return index === 0 && continues ? { ...draft, continues, namesWhole: true } : draft
  })
}

/**
 * Log odds that a step begins with each segment of a narration; none where a sentence goes on. Of a list of clicks they
 * say nothing, since a step may begin with each.
 */
export function rateSegments(
  segments: readonly SaidSegment[],
  { durationMs, language }: Pick<StepWindow, 'durationMs' | 'language'>,
): number[] {
  const sentences = readSentences(segments, language)
  if (isClickThrough(sentences)) return segments.map(() => 0)
  const startsMs = sentences.map(({ segmentIndex, startMs }) => segments[segmentIndex]?.startMs ?? startMs)
  const lengthMs = Math.max(durationMs ?? 0, spokenMsOf(sentences))
  const input = { sentences, startsMs, endMs: segments.at(-1)?.endMs ?? 0, lengthMs, isOpen: false }
  const scores = scoreCuts(input, usualStepMs(sentences, lengthMs), fitted.cuts)
  const odds = segments.map(() => Number.NEGATIVE_INFINITY)
  for (const [index, { segmentIndex }] of sentences.entries())
    odds[segmentIndex] = Math.max(odds[segmentIndex] ?? Number.NEGATIVE_INFINITY, scores[index] ?? 0)
  return odds
}
