import { STEP_RULES } from '#contract/limits.ts'
import type { ProposedCallout } from '#contract/step.ts'
import type { stepProposals, steps } from '#worker/db/schema.ts'
import { showClock } from '#worker/domain/prompt-data.ts'
import type { SaidSegment, StepDraft } from '#worker/ports/language-model.ts'
import { describeStep, quoteOpening } from './extractive/describe-step.ts'
import { proposeCallouts } from './extractive/find-callouts.ts'
import { areFraming } from './extractive/framing.ts'
import { findLexicon } from './extractive/lexicon.ts'
import { cleanText, cleanTitle, isTitle, learnTopic, proposeTitles, TakenTitles } from './extractive/name-step.ts'
import { readSentences, SENTENCE_END, type Sentence } from './extractive/sentences.ts'
import { keepSpeakable } from './extractive/speakable.ts'
import { followsPause, MAX_STEP_MS, MIN_STEP_MS } from './extractive/step-times.ts'
import { shortenAtWord } from './extractive/title-ideas.ts'
import { groundNote, joinNotes } from './ground-note.ts'
import { listUnsureStems, restsOnUnsure } from './unsure-words.ts'

/** A step as it is stored. */
export type StepRow = typeof steps.$inferSelect

/** A step that is ready to be stored; its module, place and version are given by the store. */
export type StepToStore = Omit<StepRow, 'moduleId' | 'position' | 'addedVersion'>

/** A step that a new run offers. */
export type ProposalRow = typeof stepProposals.$inferSelect

/** Consecutive segments that make one step, and the draft that asked for them. */
interface StepRange {
  /** Index of the first segment. */
  from: number
  /** Index after the last segment. */
  to: number
  /** Null where no draft spoke for the segments. */
  draft: StepDraft | null
}

/** No recogniser or caption holds one line for longer; a segment that claims to is cut, so that steps can be split. */
const MAX_SEGMENT_MS = 240_000

/** Segments as steps can be built on: whole milliseconds, in time order, inside the video, not overlapping, not empty. */
function orderSegments(segments: readonly SaidSegment[], durationMs: number | null): SaidSegment[] {
  const limitMs = durationMs !== null && durationMs > 0 ? Math.floor(durationMs) : Number.POSITIVE_INFINITY
  const seen = new Set<string>()
  const usable = segments
    .map((segment) => ({ ...segment, text: cleanText(segment.text) }))
    .filter(({ id, startMs, endMs, text }) => {
      const isTimed = Number.isFinite(startMs) && Number.isFinite(endMs) && endMs > 0
      return isTimed && startMs < limitMs && text !== '' && !seen.has(id) && seen.add(id)
    })
    .toSorted((left, right) => left.startMs - right.startMs)
  return usable.map((segment, index) => {
    const startMs = Math.max(0, Math.floor(segment.startMs))
    const nextMs = Math.max(0, Math.floor(usable[index + 1]?.startMs ?? limitMs))
    const endMs = Math.min(Math.floor(segment.endMs), startMs + MAX_SEGMENT_MS, nextMs, limitMs)
    return { ...segment, startMs, endMs: Math.max(startMs, endMs) }
  })
}

/** Joins the transcript of some segments to one line of text. */
function joinText(segments: readonly SaidSegment[]): string {
  return segments.map((segment) => segment.text).join(' ')
}

/** How far before a section its first step may begin. Older segments were judged with half a minute after them. */
const MAX_TAKEN_OVER_MS = 30_000

/** The last segments before a section, which its first step takes over from the unfinished step. */
export type TakenOver = Pick<SectionStep, 'segmentIds' | 'startMs' | 'originalText'>

/**
 * Finds what the first step of a section takes over: all from the earliest segment on that its draft names. Only a step
 * that is long enough without these segments may take them, so that it is valid whatever the section before has.
 * @param step what it has in its own section
 * @param before the transcript before the section, tidied
 * @returns null for nothing
 */
function findTakenOver(
  step: Pick<SectionStep, 'startMs' | 'endMs'>,
  draft: StepDraft | null,
  before: readonly SaidSegment[],
): TakenOver | null {
  if (draft === null || step.endMs - step.startMs < MIN_STEP_MS) return null
  const saidUntilMs = before.at(-1)?.endMs ?? 0
  const named = new Set(draft.segmentIds)
  const from = before.findIndex(
    (segment) => named.has(segment.id) && saidUntilMs - segment.startMs <= MAX_TAKEN_OVER_MS,
  )
  const first = before[from]
  if (first === undefined || step.endMs - first.startMs > MAX_STEP_MS) return null
  const taken = before.slice(from)
  return { segmentIds: taken.map(({ id }) => id), startMs: first.startMs, originalText: joinText(taken) }
}

/** A step as one section of the narration knows it; its ends may still move when the neighbours are there. JSON-safe. */
export interface SectionStep {
  /** Every segment said during the step, in time order; no segment is in two steps. Never empty. */
  segmentIds: string[]
  /** Whole milliseconds of the video: when the first segment starts. */
  startMs: number
  /** When the next step of the section starts; of the last one, and before a long pause, when its last segment ends. */
  endMs: number
  /** Empty where no word of the step is sure enough to name it. */
  title: string
  description: string
  /** The transcript of the segments, joined by spaces. */
  originalText: string
  /** Continues the last step of the section before; only ever true of the first step. */
  continues: boolean
  /** Of one that continues: title and description are those of the whole step, from where it began. */
  namesWhole?: boolean
  /**
   * Of the first step of a section that does not continue: it began before the section, with this. It is not among the
   * step's segments, times and text, since it belongs to the step that was under way unless that can do without it.
   */
  takenOver?: TakenOver
  /** Only greets, announces or takes leave, so that it is no step by itself. */
  isFraming?: boolean
  /** Some of its words may not have been said. */
  isUnsure?: boolean
  /** What a learner is to know before it, each with its quote; left out where there is nothing. */
  callouts?: ProposedCallout[]
  /** Teaching notes; left out where there are none. */
  notes?: string
}

/** A section of the narration as far as its steps are written. */
export interface WrittenSection {
  /** Null while they are not written; empty when nothing usable was said. */
  steps: readonly SectionStep[] | null
  /** Written by the extractive engine because the language model failed. */
  isDraft: boolean
}

const SENTENCE_END_BONUS = 1
const MAX_PAUSE_BONUS = 3

/** How good a place to divide lies before a segment: seconds of silence up to three, and one for the end of a sentence. */
export function scoreBoundary(boundary: number, segments: readonly SaidSegment[]): number {
  const before = segments[boundary - 1]
  const pauseS = ((segments[boundary]?.startMs ?? 0) - (before?.endMs ?? 0)) / 1_000
  return Math.min(MAX_PAUSE_BONUS, pauseS) + (SENTENCE_END.test(before?.text ?? '') ? SENTENCE_END_BONUS : 0)
}

/** Segments that a draft may skip inside its passage; ids further off are taken for slips of the writer. */
const MAX_SKIPPED_SEGMENTS = 5
/** A greeting before the first draft joins it; a longer part was left out by mistake and becomes a step. */
const LEAD_IN_MS = 30_000

/**
 * Turns drafts into ranges that cover all segments without overlap. A range begins where its draft's passage begins
 * and runs to the next one; ids that do not exist are dropped, and of two drafts with one beginning the first wins.
 */
function claimRanges(drafts: readonly StepDraft[], segments: readonly SaidSegment[]): StepRange[] {
  const indexes = new Map(segments.map((segment, index) => [segment.id, index]))
  const claims = new Map<number, StepDraft>()
  for (const draft of drafts) {
    const start = findPassageStart(draft, indexes)
    if (start !== null && !claims.has(start)) claims.set(start, draft)
  }
  const starts = [...claims.keys()].toSorted((left, right) => left - right)
  const ranges = starts.map((from, order): StepRange => {
    return { from, to: starts[order + 1] ?? segments.length, draft: claims.get(from) ?? null }
  })
  return coverLeadIn(ranges, segments)
}

/** The first segment of the draft's longest run of neighbouring segments. */
function findPassageStart(draft: StepDraft, indexes: ReadonlyMap<string, number>): number | null {
  const named = draft.segmentIds.flatMap((id) => indexes.get(id) ?? []).toSorted((left, right) => left - right)
  let best: number[] = []
  let run: number[] = []
  for (const index of named) {
    const isNear = index - (run.at(-1) ?? index) <= MAX_SKIPPED_SEGMENTS + 1
    if (isNear) run.push(index)
    else run = [index]
    if (run.length > best.length) best = run
  }
  return best[0] ?? null
}

function coverLeadIn(ranges: readonly StepRange[], segments: readonly SaidSegment[]): StepRange[] {
  const [first, ...others] = ranges
  if (first === undefined) return [{ from: 0, to: segments.length, draft: null }]
  const leadInMs = (segments[first.from]?.startMs ?? 0) - (segments[0]?.startMs ?? 0)
  if (leadInMs <= LEAD_IN_MS) return [{ ...first, from: 0 }, ...others]
  return [{ from: 0, to: first.from, draft: null }, ...ranges]
}

/**
 * Divides steps at long pauses. The part with the most speech keeps the draft; the first one keeps of it how it is
 * linked to the section before.
 */
function divideAtPauses(ranges: readonly StepRange[], segments: readonly SaidSegment[]): StepRange[] {
  return ranges.flatMap((range) => {
    const starts = [range.from]
    for (let index = range.from + 1; index < range.to; index += 1) if (followsPause(index, segments)) starts.push(index)
    if (starts.length === 1) return [range]
    const parts = starts.map((from, order) => ({ from, to: starts[order + 1] ?? range.to }))
    const lengths = parts.map((part) => lengthMs(part, segments))
    const main = lengths.indexOf(Math.max(...lengths))
    const link = range.draft && { ...range.draft, title: '', description: '', namesWhole: false }
    return parts.map((part, order) => {
      if (order === main) return { ...part, draft: range.draft }
      return { ...part, draft: order === 0 ? link : null }
    })
  })
}

/** How much a boundary away from the middle loses against a pause of one second or the end of a sentence. */
const OFF_CENTRE_PENALTY = 4

/**
 * Joins steps that are too short to their neighbour before them, or after them at the very start or after a long pause.
 * The last step, and a first one that continues an earlier step, keep their boundaries: they may be parts of a longer
 * step. So does what is said between two long pauses.
 */
function mergeShortRanges(ranges: readonly StepRange[], segments: readonly SaidSegment[]): StepRange[] {
  const merged: StepRange[] = []
  for (const range of ranges) {
    const previous = merged.at(-1)
    const isOpenStart = previous?.from === 0 && previous.draft?.continues === true
    const isPreviousShort = previous !== undefined && lengthMs(previous, segments) < MIN_STEP_MS
    const isShort = lengthMs(range, segments) < MIN_STEP_MS && range.to < segments.length
    const isApart = isOpenStart || followsPause(range.from, segments)
    if (previous === undefined || isApart || !(isPreviousShort || isShort)) merged.push(range)
    else {
      const draft = isPreviousShort ? (range.draft ?? previous.draft) : (previous.draft ?? range.draft)
      merged[merged.length - 1] = { from: previous.from, to: range.to, draft }
    }
  }
  return merged
}

/** Splits steps that would be too long, at the best boundary between segments; later parts carry no draft. */
function splitLongRanges(ranges: readonly StepRange[], segments: readonly SaidSegment[]): StepRange[] {
  return ranges.flatMap((range) => {
    const boundary = findBoundary(range, segments)
    if (boundary === null) return [range]
    const parts = [
      { ...range, to: boundary },
      { from: boundary, to: range.to, draft: null },
    ]
    return splitLongRanges(parts, segments)
  })
}

/** Where to split a range; null when it is short enough, or has no boundary that leaves two legal steps. */
function findBoundary(range: StepRange, segments: readonly SaidSegment[]): number | null {
  const startMs = segments[range.from]?.startMs ?? 0
  const spokenMs = (segments[range.to - 1]?.endMs ?? startMs) - startMs
  if (spokenMs <= MAX_STEP_MS) return null
  let best: { boundary: number; score: number } | null = null
  for (let boundary = range.from + 1; boundary < range.to; boundary += 1) {
    const leftMs = (segments[boundary]?.startMs ?? 0) - startMs
    const rightMs = lengthMs({ ...range, from: boundary }, segments)
    if (leftMs < MIN_STEP_MS || rightMs < MIN_STEP_MS) continue
    const score = scoreBoundary(boundary, segments) - OFF_CENTRE_PENALTY * Math.abs(leftMs / spokenMs - 0.5)
    if (best === null || score > best.score) best = { boundary, score }
  }
  return best?.boundary ?? null
}

/** Until the next range starts; of the last one, and before a long pause, until its last segment ends. */
function lengthMs({ from, to }: Pick<StepRange, 'from' | 'to'>, segments: readonly SaidSegment[]): number {
  return findEndMs(to, segments) - (segments[from]?.startMs ?? 0)
}

/** When a range ends. @param to index after its last segment */
function findEndMs(to: number, segments: readonly SaidSegment[]): number {
  const next = followsPause(to, segments) ? undefined : segments[to]
  return next?.startMs ?? segments[to - 1]?.endMs ?? 0
}

const NO_STEMS: ReadonlySet<string> = new Set()

/**
 * Gives every range a legal title, unlike all others, and a legal description; what a draft lacks comes from the words.
 * Where no word is sure, the title stays empty.
 */
function giveTexts(
  ranges: readonly StepRange[],
  segments: readonly SaidSegment[],
  { drafts, language = null }: Pick<Untidy, 'drafts' | 'language'>,
) {
  const speakable = keepSpeakable(segments)
  let topic: ReturnType<typeof learnTopic> | null = null
  const propose = (sentences: readonly Sentence[]) => {
    topic ??= learnTopic(readSentences(speakable, language))
    return proposeTitles(sentences, topic).map(cleanTitle)
  }
  const taken = new TakenTitles()
  return ranges.map((range) => {
    const spoken = segments.slice(range.from, range.to)
    const sentences = readSentences(speakable.slice(range.from, range.to), language)
    const isUnsure = spoken.some(({ unsure = [] }) => unsure.length > 0)
    const written = cleanTitle(range.draft?.title ?? '')
    const unsureStems = isUnsure ? listUnsureStems(sentences) : NO_STEMS
    const callouts = proposeCallouts(drafts, spoken, sentences)
    const notes = takeNotes(drafts, spoken, unsureStems)
    const isUsable = (title: string) => isTitle(title) && !restsOnUnsure(title, unsureStems)
    const isGood = isUsable(written) && !taken.has(written)
    const titles = isGood ? [written] : [written, ...propose(sentences)].filter(isUsable)
    return {
      title: isUnsure && titles.length === 0 ? '' : taken.take(titles),
      description: chooseDescription(range.draft?.description ?? '', () => quoteOpening(sentences), spoken),
      ...(areFraming(sentences) ? { isFraming: true } : {}),
      ...(isUnsure ? { isUnsure } : {}),
      ...(callouts.length > 0 ? { callouts } : {}),
      ...(notes === '' ? {} : { notes }),
    }
  })
}

/** What the drafts that begin in a step note of it, as far as its words support that. */
function takeNotes(
  drafts: readonly StepDraft[],
  spoken: readonly SaidSegment[],
  unsureStems: ReadonlySet<string>,
): string {
  const ids = new Set(spoken.map(({ id }) => id))
  const own = drafts.filter(({ segmentIds: [first] }) => first !== undefined && ids.has(first))
  return joinNotes(own.flatMap(({ notes }) => (notes ? groundNote(notes, joinText(spoken), unsureStems) || [] : [])))
}

/** Describes a step by its own words. */
export function describeWords(text: string): string {
  const spoken = [{ id: '', startMs: 0, endMs: 0, text }]
  return chooseDescription('', () => describeStep(readSentences(keepSpeakable(spoken), null)), spoken)
}

/** Chooses the written description where it is long enough, otherwise an extracted one, otherwise the spoken words. */
function chooseDescription(written: string, extract: () => string, spoken: readonly SaidSegment[]): string {
  const max = STEP_RULES.descriptionMaxChars
  const isLong = (text: string) => text.length >= STEP_RULES.descriptionMinChars
  const own = cleanText(written)
  const text = isLong(own) ? own : cleanText(extract())
  if (!isLong(text)) return `${introduce(spoken)}: ${shortenAtWord(joinText(spoken), max - 20)}`
  return text.length <= max ? text : `${shortenAtWord(text, max - 1)}…`
}

/** What stands before words that are too few for a description: in another language than English, their times. */
function introduce(spoken: readonly SaidSegment[]): string {
  const [first, last] = [spoken[0], spoken.at(-1)]
  const isEnglish = findLexicon(null, joinText(spoken)) === null
  return isEnglish ? 'In this part' : `${showClock(first?.startMs ?? 0)}–${showClock(last?.endMs ?? 0)}`
}

interface Untidy {
  drafts: readonly StepDraft[]
  /** The transcript before the section, as its writer saw it; empty by default. */
  before?: readonly SaidSegment[]
  /** The section's own. */
  segments: readonly SaidSegment[]
  /** Length of the video; null while it is unknown. */
  durationMs: number | null
  /** ISO 639-1; recognised by the words by default. */
  language?: string | null
}

/**
 * Makes any writer's answer for one section safe: steps in time order that cover all usable segments, with legal
 * titles and descriptions, distinct within the section. Times come from segments only. Steps inside the section have
 * legal lengths and no long pause; the last one, a first one that continues, and one between two long pauses may be
 * shorter than `STEP_RULES` allows, because what they touch may be in another section: `composeSteps` settles that. Pure.
 * @returns no step when nothing usable was said
 */
export function tidySection({ drafts, before = [], segments, durationMs, language }: Untidy): SectionStep[] {
  const orderedSegments = orderSegments(segments, durationMs)
  if (orderedSegments.length === 0) return []
  const ranges = splitLongRanges(
    mergeShortRanges(divideAtPauses(claimRanges(drafts, orderedSegments), orderedSegments), orderedSegments),
    orderedSegments,
  )
  const texts = giveTexts(ranges, orderedSegments, { drafts, language })
  return ranges.map((range, index) => {
    const step = { ...spanRange(range, orderedSegments), ...(texts[index] as (typeof texts)[number]) }
    return index === 0 ? linkToBefore(step, range.draft, before) : { ...step, continues: false }
  })
}

function spanRange({ from, to }: StepRange, segments: readonly SaidSegment[]) {
  const spoken = segments.slice(from, to)
  const startMs = spoken[0]?.startMs ?? 0
  return {
    segmentIds: spoken.map((segment) => segment.id),
    startMs,
    endMs: Math.min(findEndMs(to, segments), startMs + MAX_STEP_MS),
    originalText: joinText(spoken),
  }
}

/** Whether and how the first step of a section reaches back. */
function linkToBefore(
  step: Omit<SectionStep, 'continues'>,
  draft: StepDraft | null,
  before: readonly SaidSegment[],
): SectionStep {
  if (draft?.continues === true) {
    return { ...step, continues: true, ...(draft.namesWhole === true ? { namesWhole: true } : {}) }
  }
  const takenOver = findTakenOver(step, draft, orderSegments(before, step.startMs))
  return { ...step, continues: false, ...(takenOver === null ? {} : { takenOver }) }
}
