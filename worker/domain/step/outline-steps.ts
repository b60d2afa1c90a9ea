import type { OutlineEntry, OutlineTask, StepWriter } from '#worker/ports/language-model.ts'
import { joinSteps } from './compose-steps.ts'
import { makeTitlesDistinct, readTitle, titleByTimes } from './extractive/name-step.ts'
import { estimateOutlineTokens, OUTLINE_STEPS_MAX_TOKENS } from './prompts/outline-steps.v1.ts'
import { MAX_STEP_MS, type StepToStore } from './tidy-section.ts'

/** An entry of the list beside a video, by the id of the step that begins it. */
export interface Outlined {
  id: string
  title: string
}

/** Fewer steps have no grain that a look at the whole could correct. */
export const OUTLINED_MIN_STEPS = 3

/** What a writer is asked once all sections of a video are written. */
export type OutlineRequest = Omit<OutlineTask, 'steps'> & { steps: readonly StepToStore[] }

/**
 * Asks which steps of a whole video begin an entry of its list; of a list that is too long for one call, in halves.
 * @returns entries in the order of the steps
 * @throws {AppError} what the writer throws; also where it cannot be asked
 */
export async function askOutline(
  { outline }: Required<Pick<StepWriter, 'outline'>>,
  request: OutlineRequest,
  signal: AbortSignal,
): Promise<Outlined[]> {
  const { steps } = request
  if (steps.length > 1 && estimateOutlineTokens(steps) > OUTLINE_STEPS_MAX_TOKENS) {
    const half = Math.ceil(steps.length / 2)
    const before = await askOutline({ outline }, { ...request, steps: steps.slice(0, half) }, signal)
    return [...before, ...(await askOutline({ outline }, { ...request, steps: steps.slice(half) }, signal))]
  }
  return nameEntries(await outline(request, signal), steps)
}

function nameEntries(entries: readonly OutlineEntry[], steps: readonly StepToStore[]): Outlined[] {
  return entries.flatMap(({ first, title }) => {
    const step = steps[first - 1]
    return step === undefined ? [] : [{ id: step.id, title }]
  })
}

/**
 * Joins the steps of each entry to one, with the entry's title and the id of its first. What comes before the first
 * entry announces it and belongs to it. Steps that are kept stay as they are, and steps that would be too long together
 * stay single.
 * @param steps in time order, none overlapping the next
 * @param entries those that name no step are left out; none leave the steps as they are
 * @param kept ids of steps that a person has added, changed or removed
 */
export function outlineSteps(
  steps: readonly StepToStore[],
  entries: readonly Outlined[],
  kept: readonly string[],
): StepToStore[] {
  const titles = new Map(entries.map(({ id, title }) => [id, title]))
  const starts = steps.flatMap(({ id }, at) => (titles.has(id) ? [at] : []))
  if (starts.length === 0) return [...steps]
  const joined = starts.flatMap((from, order) => {
    const group = steps.slice(order === 0 ? 0 : from, starts[order + 1])
    return joinEntry(group, titles.get(steps[from]?.id ?? '') ?? '', new Set(kept))
  })
  const distinct = makeTitlesDistinct(joined)
  const timed = new Set(steps.flatMap((step, at) => (step.title === titleByTimes(step, at + 1) ? [step.title] : [])))
  return joined.map((step, at) => {
    if (kept.includes(step.id)) return step
    return { ...step, title: timed.has(step.title) ? titleByTimes(step, at + 1) : (distinct[at] ?? step.title) }
  })
}

function joinEntry(group: readonly StepToStore[], title: string, kept: ReadonlySet<string>): readonly StepToStore[] {
  const [first, ...rest] = group
  if (first === undefined) return []
  const isTooLong = (rest.at(-1) ?? first).endMs - first.startMs > MAX_STEP_MS
  if (isTooLong || group.some(({ id }) => kept.has(id))) return group
  return [{ ...joinSteps([first, ...rest]), title: readTitle(title) ?? first.title }]
}
