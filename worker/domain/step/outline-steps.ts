import type { OutlinedStep, OutlineEntry, OutlineTask, SaidSegment, StepWriter } from '#worker/ports/language-model.ts'
import { joinSteps, spanOf } from './compose-steps.ts'
import { rateSegments } from './extractive/extractive-step-writer.ts'
import { cleanText, makeTitlesDistinct, readTitle, titleByTimes } from './extractive/name-step.ts'
import { MAX_PAUSE_MS, MAX_STEP_MS, MIN_STEP_MS } from './extractive/step-times.ts'
import { divideNote } from './ground-note.ts'
import { groundTitles } from './ground-titles.ts'
import type { Inside, Outlined } from './outlined.ts'
import { estimateOutlineTokens, OUTLINE_STEPS_MAX_TOKENS } from './prompts/outline-steps.v2.ts'
import { settleEntries } from './settle-entries.ts'
import { describeWords, type StepToStore } from './tidy-section.ts'

/** Fewer steps have no grain that a look at the whole could correct. */
export const OUTLINED_MIN_STEPS = 3

/** From here on a list is too long to be seen at a glance, and has chapters over its steps. */
const LONG_ENTRIES = 12
const LONG_MS = 20 * 60_000
/** One entry for so many steps is no list: the model did not look for where it is divided. */
const DIVIDED_MIN_STEPS = 5
/** About as many fine steps make a dozen entries. */
const LONG_STEPS = 24
/** A longer part before the first entry, or a larger share, is no greeting: the model left it out by mistake. */
const GREETING_MS = 60_000
const GREETING_SHARE = 0.2
/** A hundred entries or so fit into one answer. */
const STEPS_PER_CALL = 200
/** The most of a video for one call: its entries take 27 of the call's 40 s at 30 tokens a second, and the list waits for them. */
export const OUTLINED_MAX_MS = 40 * 60_000

/** What a writer is asked once all sections of a video are written. */
export type OutlineRequest = Omit<OutlineTask, 'steps' | 'hasChapters'> & {
  steps: readonly StepToStore[]
  /** Those that the steps were made of, at least. */
  segments: readonly SaidSegment[]
}

/** A step to be outlined, and where an entry begins that begins with one of its lines. */
interface Numbered extends Omit<OutlinedStep, 'lines'> {
  places: (Inside & { id: string; text: string })[]
}

/**
 * Asks which lines of a whole video begin an entry of its list, and of a long one a chapter; of a list that is too long
 * for one call, in halves at the same time.
 * @returns entries in the order of the steps
 * @throws {AppError} what the writer throws; also where it cannot be asked
 */
export async function askOutline(
  writer: Required<Pick<StepWriter, 'outline'>>,
  request: OutlineRequest,
  signal: AbortSignal,
): Promise<Outlined[]> {
  const { steps, segments, durationMs, ...about } = request
  const hasChapters = steps.length >= LONG_STEPS || (durationMs ?? spanOf(steps)) >= LONG_MS
  const segmentsById = new Map(segments.map((segment) => [segment.id, segment]))
  const askAbout = async (numbered: readonly Numbered[]): Promise<Outlined[]> => {
    const outlined = showLines(numbered)
    if (numbered.length > 1 && isTooLong(outlined)) {
      const half = Math.ceil(numbered.length / 2)
      const halves = [numbered.slice(0, half), numbered.slice(half)]
      return (await Promise.all(halves.map(askAbout))).flat()
    }
    const entries = await writer.outline({ ...about, durationMs, hasChapters, steps: outlined }, signal)
    const said = outlined.flatMap(({ title, lines }) => [title, ...lines.map(({ text }) => text)])
    return placeEntries(groundTitles(entries, [about.moduleTitle, ...said]), numbered)
  }
  const entries = await askAbout(steps.map((step) => findPlaces(step, segmentsById)))
  if (entries.length === 1 && steps.length >= DIVIDED_MIN_STEPS) return []
  const odds = rateSegments(segments, { durationMs, language: about.language })
  const oddsById = new Map(segments.map(({ id }, index) => [id, odds[index] ?? 0]))
  return settleEntries(entries, steps, (segmentId) => oddsById.get(segmentId) ?? 0)
}

function isTooLong(steps: readonly OutlinedStep[]): boolean {
  if (steps.length > STEPS_PER_CALL || spanOf(steps) > OUTLINED_MAX_MS) return true
  return estimateOutlineTokens(steps) > OUTLINE_STEPS_MAX_TOKENS
}

/**
 * Finds each segment of a step in its words. What is not found there begins no entry; what comes after a few words and a
 * long pause begins with them.
 */
function findPlaces(step: StepToStore, segmentsById: ReadonlyMap<string, SaidSegment>): Numbered {
  const { id, startMs, endMs, title, originalText } = step
  let textAt = 0
  let saidUntilMs = startMs
  const places = step.segmentIds.flatMap((segmentId) => {
    const segment = segmentsById.get(segmentId)
    const text = cleanText(segment?.text ?? '')
    const offset = text === '' ? -1 : originalText.indexOf(text, textAt)
    if (segment === undefined || offset === -1) return []
    textAt = offset + text.length
    const isFirst = segment.startMs - saidUntilMs > MAX_PAUSE_MS && saidUntilMs - startMs < MIN_STEP_MS
    saidUntilMs = segment.endMs
    return [{ id, segmentId, startMs: Math.floor(segment.startMs), textAt: isFirst ? 0 : offset, text }]
  })
  return { startMs, endMs, title, places }
}

function showLines(steps: readonly Numbered[]): OutlinedStep[] {
  let line = 0
  return steps.map(({ places, ...step }) => {
    return { ...step, lines: places.map(({ startMs, text }) => ({ line: ++line, startMs, text })) }
  })
}

function placeEntries(entries: readonly OutlineEntry[], steps: readonly Numbered[]): Outlined[] {
  const places = steps.flatMap((step) => step.places)
  return entries.flatMap(({ first, ...entry }) => {
    const place = places[first - 1]
    if (place === undefined) return []
    const { id, segmentId, startMs, textAt } = place
    return [{ id, ...(textAt > 0 && { inside: { segmentId, startMs, textAt } }), ...entry }]
  })
}

/**
 * Makes a step of each entry, with the entry's title: steps are joined, and one in which an entry begins is divided there.
 * It has the id of the step that it begins with. A short announcement before the first entry is in no step. Steps that
 * are kept stay as they are, and what would be too long for a step stays divided, under one chapter. Steps with a long
 * pause between them are not joined: the first of them has the title of the entry.
 * @param steps in time order, none overlapping the next
 * @param entries in their order; those that name no step are left out, and none leave the steps as they are
 * @param touched ids of steps that a person has added, changed or removed
 */
export function outlineSteps(
  steps: readonly StepToStore[],
  entries: readonly Outlined[],
  touched: readonly string[],
): StepToStore[] {
  const keptIds = new Set(touched)
  const { parts, begun } = divideSteps(steps, entries, keptIds)
  if (begun.length === 0) return [...steps]
  const placed = begun.map(({ entry }) => entry)
  const chapters = readChapters(placed, spanOf(steps))
  const greetingMs = Math.min(GREETING_MS, spanOf(steps) * GREETING_SHARE)
  const joined = begun.flatMap(({ partIndex, entry }, order) => {
    const end = begun[order + 1]?.partIndex
    const isFirst = order === 0
    const group = isFirst
      ? leaveGreeting(parts.slice(0, end), partIndex, { greetingMs, keptIds })
      : parts.slice(partIndex, end)
    return joinEntry(group, { title: entry.title, chapter: chapters[order] ?? null }, keptIds)
  })
  const distinct = makeTitlesDistinct(joined)
  const timed = new Set(
    steps.flatMap((step, index) => (step.title === titleByTimes(step, index + 1) ? [step.title] : [])),
  )
  return joined.map((step, index) => {
    if (keptIds.has(step.id)) return step
    return { ...step, title: timed.has(step.title) ? titleByTimes(step, index + 1) : (distinct[index] ?? step.title) }
  })
}

/**
 * Divides steps where an entry begins inside of them, unless that would leave less than a step: then it begins with the
 * step, or with the next one. Of entries that begin with the same part, the first counts.
 */
function divideSteps(steps: readonly StepToStore[], entries: readonly Outlined[], keptIds: ReadonlySet<string>) {
  const parts: StepToStore[] = []
  const begun: { partIndex: number; entry: Outlined }[] = []
  const entriesOf = Map.groupBy(entries, ({ id }) => id)
  for (const step of steps) {
    let rest = step
    let restTextAt = 0
    for (const entry of entriesOf.get(step.id) ?? []) {
      const { inside } = entry
      const cutMs = inside === undefined || keptIds.has(step.id) ? rest.startMs : inside.startMs
      if (inside !== undefined && cutMs - rest.startMs >= MIN_STEP_MS && rest.endMs - cutMs >= MIN_STEP_MS) {
        const [part, tail] = divideStep(rest, { ...inside, textAt: inside.textAt - restTextAt })
        parts.push(part)
        rest = tail
        restTextAt = inside.textAt
      }
      const isNearEnd = cutMs > rest.startMs && rest.endMs - cutMs < MIN_STEP_MS
      begun.push({ partIndex: parts.length + (isNearEnd ? 1 : 0), entry })
    }
    parts.push(rest)
  }
  return {
    parts,
    begun: begun.filter(
      ({ partIndex }, order) => partIndex < parts.length && partIndex !== begun[order - 1]?.partIndex,
    ),
  }
}

function divideStep(step: StepToStore, { segmentId, startMs, textAt }: Inside): [StepToStore, StepToStore] {
  const index = step.segmentIds.indexOf(segmentId)
  const { segmentIds, originalText, proposedCallouts } = step
  const take = (words: string, part: Pick<StepToStore, 'segmentIds' | 'startMs' | 'endMs' | 'notes'>) => ({
    ...step,
    ...part,
    originalText: words,
    proposedCallouts: proposedCallouts.filter(({ quote }) => words.includes(quote)),
  })
  const [before, after] = [originalText.slice(0, textAt).trimEnd(), originalText.slice(textAt)] as const
  const [notes, notesAfter] = divideNote(step.notes, [before, after])
  const part = take(before, { segmentIds: segmentIds.slice(0, index), startMs: step.startMs, endMs: startMs, notes })
  const rest = take(after, { segmentIds: segmentIds.slice(index), startMs, endMs: step.endMs, notes: notesAfter })
  const tail = { ...rest, id: `r${step.run}-${segmentId}` }
  // The description is of the longer one; what the other says is said in its own words.
  return startMs - step.startMs < step.endMs - startMs
    ? [{ ...part, description: describeWords(before) }, tail]
    : [part, { ...tail, description: describeWords(tail.originalText) }]
}

/**
 * Leaves out what is said before the first entry, which has the id of the first step then. A person's step stays, and so
 * does what is more than a greeting.
 * @param from number of the part with which the entry begins
 */
function leaveGreeting(
  parts: readonly StepToStore[],
  from: number,
  { greetingMs, keptIds }: { greetingMs: number; keptIds: ReadonlySet<string> },
): readonly StepToStore[] {
  const [opening] = parts
  const [first, ...rest] = parts.slice(from)
  if (opening === undefined || first === undefined || parts.some(({ id }) => keptIds.has(id))) return parts
  const isGreeting = first.startMs - opening.startMs <= greetingMs
  return isGreeting ? [{ ...first, id: opening.id }, ...rest] : parts
}

/** The chapter of each entry. A list that is short, or has one chapter for all, needs none. */
function readChapters(entries: readonly Outlined[], spanMs: number): (string | null)[] {
  const chapters: (string | null)[] = []
  for (const { chapter = '' } of entries) chapters.push(readTitle(chapter) ?? chapters.at(-1) ?? null)
  const isLong = entries.length >= LONG_ENTRIES || spanMs >= LONG_MS
  return isLong && new Set(chapters).size > 1 ? chapters : []
}

function joinEntry(
  group: readonly StepToStore[],
  { title, chapter }: { title: string; chapter: string | null },
  keptIds: ReadonlySet<string>,
): readonly StepToStore[] {
  const ofEntry = readTitle(title)
  if (spanOf(group) > MAX_STEP_MS) return group.map((step) => ({ ...step, chapter: chapter ?? ofEntry }))
  if (group.some(({ id }) => keptIds.has(id))) return group.map((step) => ({ ...step, chapter }))
  return divideAtPauses(group).map((run, index) => {
    const joined = joinSteps(run)
    return { ...joined, title: index === 0 ? (ofEntry ?? joined.title) : joined.title, chapter }
  })
}

type StepRun = [StepToStore, ...StepToStore[]]

function divideAtPauses(group: readonly StepToStore[]): StepRun[] {
  const runs: StepRun[] = []
  for (const step of group) {
    const run = runs.at(-1)
    const endMs = run?.at(-1)?.endMs
    if (run === undefined || step.startMs - (endMs ?? 0) > MAX_PAUSE_MS) runs.push([step])
    else run.push(step)
  }
  return runs
}
