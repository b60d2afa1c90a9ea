import { STEP_HARD_LIMITS, STEP_RULES } from '#contract/limits.ts'
import type { StepToStore } from './step-row.ts'
import { MAX_STEP_MS } from './tidy-range.ts'

/**
 * No more steps than can be saved at once, beside those that a person has added or changed, which are kept as they are.
 * @param steps in time order, none overlapping the next
 * @param touched ids of what a person has added or changed; some of the steps may be among them
 */
export function limitBeside(steps: readonly StepToStore[], touched: readonly string[]): StepToStore[] {
  const own = new Set(steps.map(({ id }) => id))
  const others = touched.filter((id) => !own.has(id)).length
  return limitSteps(steps, { most: STEP_HARD_LIMITS.maxSteps - others, kept: new Set(touched) })
}

/**
 * So many steps at most: neighbours are joined that are not longer together than need be, so that steps become longer
 * where they are shortest. The first of them gives the id and the title, all of them the transcript.
 */
function limitSteps(
  steps: readonly StepToStore[],
  { most, kept }: { most: number; kept: ReadonlySet<string> },
): StepToStore[] {
  if (steps.length <= most) return [...steps]
  let tooShortMs = 0
  let longestMs = spanOf(steps)
  while (longestMs - tooShortMs > 1) {
    const middleMs = Math.floor((tooShortMs + longestMs) / 2)
    if (groupSteps(steps, { longestMs: middleMs, kept }).length > most) tooShortMs = middleMs
    else longestMs = middleMs
  }
  return groupSteps(steps, { longestMs, kept }).map(joinSteps)
}

type StepGroup = [StepToStore, ...StepToStore[]]

/** From left to right as many as fit into the length: no other grouping has fewer groups. */
function groupSteps(
  steps: readonly StepToStore[],
  { longestMs, kept }: { longestMs: number; kept: ReadonlySet<string> },
): StepGroup[] {
  const groups: StepGroup[] = []
  for (const step of steps) {
    const group = groups.at(-1)
    const isFree = group !== undefined && !kept.has(group[0].id) && !kept.has(step.id)
    if (isFree && spanOf([group[0], step]) <= longestMs) group.push(step)
    else groups.push([step])
  }
  return groups
}

function spanOf(steps: readonly StepToStore[]): number {
  return (steps.at(-1)?.endMs ?? 0) - (steps[0]?.startMs ?? 0)
}

function joinSteps(group: StepGroup): StepToStore {
  const [first, ...rest] = group
  if (rest.length === 0) return first
  return {
    ...first,
    description: joinDescriptions(group),
    // Only a video of almost a day has steps that cannot be joined within what is legal.
    endMs: Math.min(first.startMs + spanOf(group), first.startMs + MAX_STEP_MS),
    originalText: group.map(({ originalText }) => originalText).join(' '),
    segmentIds: group.flatMap(({ segmentIds }) => segmentIds),
    isDraft: group.some(({ isDraft }) => isDraft),
  }
}

/** As many whole ones as a description may hold. */
function joinDescriptions([first, ...rest]: StepGroup): string {
  let joined = first.description
  for (const { description } of rest) {
    if (joined.length + 1 + description.length > STEP_RULES.descriptionMaxChars) break
    joined = `${joined} ${description}`
  }
  return joined
}
