import type { OutlineEntry, OutlineTask, StepWriter } from '#worker/ports/language-model.ts'
import { joinSteps } from './compose-steps.ts'
import { makeTitlesDistinct, readTitle, titleByTimes } from './extractive/name-step.ts'
import { estimateOutlineTokens, OUTLINE_STEPS_MAX_TOKENS } from './prompts/outline-steps.v1.ts'
import { MAX_STEP_MS, type StepToStore } from './tidy-section.ts'

/** An entry of the list beside a video, by the id of the step that begins it. */
export type Outlined = Omit<OutlineEntry, 'first'> & { id: string }

/** Fewer steps have no grain that a look at the whole could correct. */
export const OUTLINED_MIN_STEPS = 3

/** From here on a list is too long to be seen at a glance, and has chapters over its steps. */
const LONG_ENTRIES = 12
const LONG_MS = 20 * 60_000
/** About as many fine steps make a dozen entries. */
const LONG_STEPS = 24
/** A hundred entries or so fit into one answer. */
const STEPS_PER_CALL = 200

/** What a writer is asked once all sections of a video are written. */
export type OutlineRequest = Omit<OutlineTask, 'steps' | 'hasChapters'> & { steps: readonly StepToStore[] }

function spanOf(steps: readonly StepToStore[]): number {
  return (steps.at(-1)?.endMs ?? 0) - (steps[0]?.startMs ?? 0)
}

type Asked = Required<Pick<StepWriter, 'outline'>>

/**
 * Asks which steps of a whole video begin an entry of its list, and of a long one a chapter; of a list that is too long
 * for one call, in halves.
 * @returns entries in the order of the steps
 * @throws {AppError} what the writer throws; also where it cannot be asked
 */
export function askOutline(writer: Asked, request: OutlineRequest, signal: AbortSignal): Promise<Outlined[]> {
  const { steps, durationMs } = request
  const hasChapters = steps.length >= LONG_STEPS || (durationMs ?? spanOf(steps)) >= LONG_MS
  return askInHalves(writer, { ...request, hasChapters }, signal)
}

async function askInHalves(
  writer: Asked,
  request: OutlineRequest & Pick<OutlineTask, 'hasChapters'>,
  signal: AbortSignal,
): Promise<Outlined[]> {
  const { steps } = request
  const isTooLong = steps.length > STEPS_PER_CALL || estimateOutlineTokens(steps) > OUTLINE_STEPS_MAX_TOKENS
  if (steps.length > 1 && isTooLong) {
    const half = Math.ceil(steps.length / 2)
    const before = await askInHalves(writer, { ...request, steps: steps.slice(0, half) }, signal)
    return [...before, ...(await askInHalves(writer, { ...request, steps: steps.slice(half) }, signal))]
  }
  return nameEntries(await writer.outline(request, signal), steps)
}

function nameEntries(entries: readonly OutlineEntry[], steps: readonly StepToStore[]): Outlined[] {
  return entries.flatMap(({ first, ...entry }) => {
    const step = steps[first - 1]
    return step === undefined ? [] : [{ id: step.id, ...entry }]
  })
}

/**
 * Joins the steps of each entry to one, with the entry's title and the id of its first. What comes before the first
 * entry announces it and belongs to it. Steps that are kept stay as they are, and steps that would be too long together
 * stay single, under one chapter.
 * @param steps in time order, none overlapping the next
 * @param entries in their order; those that name no step are left out, and none leave the steps as they are
 * @param kept ids of steps that a person has added, changed or removed
 */
export function outlineSteps(
  steps: readonly StepToStore[],
  entries: readonly Outlined[],
  kept: readonly string[],
): StepToStore[] {
  const places = new Map(steps.map(({ id }, place) => [id, place]))
  const listed = entries.filter(({ id }) => places.has(id))
  if (listed.length === 0) return [...steps]
  const chapters = readChapters(listed, spanOf(steps))
  const starts = listed.map(({ id }) => places.get(id))
  const joined = listed.flatMap(({ title }, order) => {
    const group = steps.slice(order === 0 ? 0 : starts[order], starts[order + 1])
    return joinEntry(group, { title, chapter: chapters[order] ?? null }, new Set(kept))
  })
  const distinct = makeTitlesDistinct(joined)
  const timed = new Set(steps.flatMap((step, at) => (step.title === titleByTimes(step, at + 1) ? [step.title] : [])))
  return joined.map((step, at) => {
    if (kept.includes(step.id)) return step
    return { ...step, title: timed.has(step.title) ? titleByTimes(step, at + 1) : (distinct[at] ?? step.title) }
  })
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
  kept: ReadonlySet<string>,
): readonly StepToStore[] {
  const [first, ...rest] = group
  if (first === undefined) return []
  const ofEntry = readTitle(title)
  if (spanOf(group) > MAX_STEP_MS) return group.map((step) => ({ ...step, chapter: chapter ?? ofEntry }))
  if (group.some(({ id }) => kept.has(id))) return group.map((step) => ({ ...step, chapter }))
  return [{ ...joinSteps([first, ...rest]), title: ofEntry ?? first.title, chapter }]
}
