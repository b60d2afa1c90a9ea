import { NEW_STEP_LENGTH_S } from '#contract/limits.ts'
import { type StepProblems, validateAddedStep } from '#contract/step-editing.ts'
import type { AlignedStep, Recording, TakeRecording } from '#contract/training/recording.ts'
import type { ImagePlace } from '#media/place-by-image.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { parseTime } from '#web/lib/format/parse-time.ts'

/** From here on a place is right in all but rare cases. */
const SURE_MIN = 0.6

/** How sure the place of a step in the new recording is; `set`: a person has set it. */
export type Surety = 'sure' | 'unsure' | 'missing' | 'set'

export function suretyOf({ proposed }: AlignedStep): Exclude<Surety, 'set'> {
  if (proposed === null) return 'missing'
  return proposed.confidence >= SURE_MIN ? 'sure' : 'unsure'
}

/** A recording with the places that its images have shown, where nothing said has. */
export function withPlaces(recording: Recording, places: ReadonlyMap<string, ImagePlace>): Recording {
  const steps = recording.steps.map((step) => {
    const place = step.proposed === null ? places.get(step.id) : undefined
    if (place === undefined) return step
    const { startMs, endMs, confidence } = place
    return { ...step, proposed: { start: startMs / 1_000, end: endMs / 1_000, confidence } }
  })
  return { ...recording, steps }
}

/** Times of a step as a person types them. */
export interface TypedTimes {
  start: string
  end: string
}

/** A kept step at its place in the new recording. */
export interface PlacedStep {
  id: string
  /** Null for a time that cannot be read. */
  start: number | null
  end: number | null
  problems: Pick<StepProblems, 'start' | 'end'>
}

/**
 * The kept steps with their times in the new recording. One that was not found in it comes right behind the one before,
 * where a person finds it and sets its time.
 * @param typed by the id of the step, where a person has changed its times
 */
export function placeSteps(
  { steps, durationS }: Pick<Recording, 'steps' | 'durationS'>,
  keptIds: ReadonlySet<string>,
  typed: ReadonlyMap<string, TypedTimes> = new Map(),
): PlacedStep[] {
  const lastS = durationS ?? Number.POSITIVE_INFINITY
  let behindS = 0
  return steps.flatMap(({ id, proposed }) => {
    if (!keptIds.has(id)) return []
    const start = proposed?.start ?? Math.max(0, Math.min(behindS, lastS - NEW_STEP_LENGTH_S))
    const end = proposed?.end ?? Math.min(lastS, start + NEW_STEP_LENGTH_S)
    const placed = readTimes(typed.get(id), { start, end }, durationS)
    behindS = placed.end ?? end
    return [{ id, ...placed }]
  })
}

/** The fields show whole seconds, so an unchanged text still means the exact moment. */
function readTimes(
  typed: TypedTimes | undefined,
  exact: { start: number; end: number },
  durationS: number | null,
): Omit<PlacedStep, 'id'> {
  if (typed === undefined) return { ...exact, problems: {} }
  const read = (text: string, exactS: number) => (text.trim() === formatTime(exactS) ? exactS : parseTime(text))
  const times = { start: read(typed.start, exact.start), end: read(typed.end, exact.end) }
  const { start, end } = validateAddedStep({ title: '-', description: '', aliases: [], ...times }, durationS)
  // A step that is added may have no length yet.
  const isEmpty = times.start !== null && times.start === times.end
  const endProblem = end ?? (isEmpty ? m.end_after_start() : undefined)
  return {
    ...times,
    problems: { ...(start !== undefined && { start }), ...(endProblem !== undefined && { end: endProblem }) },
  }
}

/** What the server is told of the kept steps; null while a time of one of them is wrong. */
export function toRequest(placed: readonly PlacedStep[]): TakeRecording['steps'] | null {
  const steps = placed.flatMap(({ id, start, end, problems }) =>
    start === null || end === null || Object.keys(problems).length > 0 ? [] : [{ id, start, end }],
  )
  return steps.length === placed.length ? steps : null
}
