import { STEP_RULES } from '#contract/limits.ts'
import { trimEndOf } from '#contract/trim-end.ts'
import type { SaidSegment, StepDraft } from '#worker/ports/language-model.ts'
import { describeStep, learnTopic, proposeTitles, shortenAtWord } from './extractive/name-step.ts'
import { readSentences, SENTENCE_END } from './extractive/sentences.ts'
import {
  cleanText,
  findTakenOver,
  joinText,
  MAX_STEP_MS,
  MIN_STEP_MS,
  orderSegments,
  type SectionStep,
  type StepRange,
} from './section-step.ts'

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
/** A greeting before the first draft joins it; what is longer was left out by mistake and becomes a step. */
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
    run = isNear ? [...run, index] : [index]
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

/** How much a boundary away from the middle loses against a pause of one second or the end of a sentence. */
const OFF_CENTRE_PENALTY = 4

/**
 * Joins steps that are too short to their neighbour before them, or after them at the very start. The last step, and a
 * first one that continues an earlier step, keep their boundaries: they may be parts of a longer step.
 */
function mergeShortRanges(ranges: readonly StepRange[], segments: readonly SaidSegment[]): StepRange[] {
  const merged: StepRange[] = []
  for (const range of ranges) {
    const previous = merged.at(-1)
    const isOpenStart = previous?.from === 0 && previous.draft?.continues === true
    const isPreviousShort = previous !== undefined && lengthMs(previous, segments) < MIN_STEP_MS
    const isShort = lengthMs(range, segments) < MIN_STEP_MS && range.to < segments.length
    if (previous === undefined || isOpenStart || !(isPreviousShort || isShort)) merged.push(range)
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

/** Until the next range starts; of the last one, until its last segment ends. */
function lengthMs(range: StepRange, segments: readonly SaidSegment[]): number {
  const endMs = segments[range.to]?.startMs ?? segments.at(-1)?.endMs ?? 0
  return endMs - (segments[range.from]?.startMs ?? 0)
}

/** Gives every range a legal title, unlike all others, and a legal description; what a draft lacks comes from the words. */
function giveTexts(ranges: readonly StepRange[], segments: readonly SaidSegment[]) {
  const topic = learnTopic(readSentences(segments))
  const taken = new Set<string>()
  return ranges.map((range) => {
    const spoken = segments.slice(range.from, range.to)
    const sentences = readSentences(spoken)
    const written = cleanTitle(range.draft?.title ?? '')
    const title = takeDistinct([written, ...proposeTitles(sentences, topic).map(cleanTitle)].filter(isTitle), taken)
    return { title, description: chooseDescription(range.draft?.description ?? '', describeStep(sentences), spoken) }
  })
}

/** Titles unlike each other: the first step keeps its title, a later one with the same is named after other words. */
export function makeTitlesDistinct(steps: readonly { title: string; originalText: string }[]): string[] {
  const taken = new Set<string>()
  return steps.map(({ title, originalText: text }) => {
    if (!taken.has(title.toLowerCase())) return takeDistinct([title], taken)
    const sentences = readSentences([{ id: '', startMs: 0, endMs: 0, text }])
    const others = proposeTitles(sentences, learnTopic(sentences)).map(cleanTitle).filter(isTitle)
    return takeDistinct([title, ...others], taken)
  })
}

/** A writer's numbering says nothing that the list does not show, and is wrong after a merge. */
const NUMBERING = /^(?:(?:step|part|chapter|section)\s*\d+\s*(?:[:.)–—-]+\s*|$)|\d+\s*[.):]\s+)/i

function cleanTitle(title: string): string {
  const line = cleanText(title)
    .replace(NUMBERING, '')
    .replace(/^["'“”‘’*#_`\s-]+/, '')
  return shortenAtWord(trimEndOf(line, /["“”*#_`\s.,;:–—-]/), STEP_RULES.titleMaxChars)
}

function isTitle(title: string): boolean {
  return title.length >= STEP_RULES.titleMinChars && /[\p{L}\p{N}]/u.test(title)
}

const FALLBACK_TITLE = 'Watch this part'

/** The first title that is not taken, or else a part of the first; it is taken then. */
function takeDistinct(titles: readonly string[], taken: Set<string>): string {
  const [base = FALLBACK_TITLE] = titles
  let title = titles.find((each) => !taken.has(each.toLowerCase())) ?? base
  for (let part = 2; taken.has(title.toLowerCase()); part += 1) {
    const suffix = ` (part ${part})`
    title = shortenAtWord(base, STEP_RULES.titleMaxChars - suffix.length) + suffix
  }
  taken.add(title.toLowerCase())
  return title
}

function chooseDescription(written: string, extracted: string, spoken: readonly SaidSegment[]): string {
  const max = STEP_RULES.descriptionMaxChars
  const long = [written, extracted].map(cleanText).find((text) => text.length >= STEP_RULES.descriptionMinChars)
  if (long === undefined) return `In this part: ${shortenAtWord(joinText(spoken), max - 20)}`
  return long.length <= max ? long : `${shortenAtWord(long, max - 1)}…`
}

interface Untidy {
  drafts: readonly StepDraft[]
  /** The transcript before the section, as its writer saw it; empty by default. */
  before?: readonly SaidSegment[]
  /** The section's own. */
  segments: readonly SaidSegment[]
  /** Length of the video; null while it is unknown. */
  durationMs: number | null
}

/**
 * Makes any writer's answer for one section safe: steps in time order that cover all usable segments, with legal
 * titles and descriptions, distinct within the section. Times come from segments only. Steps inside the section have
 * legal lengths; the last one, and a first one that continues, may be shorter than `STEP_RULES` allows, because what
 * they touch is in another section: `composeSteps` settles that. Pure.
 * @returns no step when nothing usable was said
 */
export function tidySection({ drafts, before = [], segments, durationMs }: Untidy): SectionStep[] {
  const said = orderSegments(segments, durationMs)
  if (said.length === 0) return []
  const ranges = splitLongRanges(mergeShortRanges(claimRanges(drafts, said), said), said)
  const texts = giveTexts(ranges, said)
  return ranges.map((range, index) => {
    const step = { ...spanRange(range, said), ...(texts[index] as (typeof texts)[number]) }
    return index === 0 ? linkToBefore(step, range.draft, before) : { ...step, continues: false }
  })
}

function spanRange({ from, to }: StepRange, said: readonly SaidSegment[]) {
  const spoken = said.slice(from, to)
  const startMs = spoken[0]?.startMs ?? 0
  const endMs = said[to]?.startMs ?? spoken.at(-1)?.endMs ?? startMs
  return {
    segmentIds: spoken.map((segment) => segment.id),
    startMs,
    endMs: Math.min(endMs, startMs + MAX_STEP_MS),
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
