import { NEW_STEP_LENGTH_S } from '#contract/limits.ts'
import { BLANK_STEP, type SaveSteps, type Step } from '#contract/step.ts'

/** What a person does to a list of steps. It names steps, not places, so that it also fits a list that has changed. */
export type StepChange =
  /** Puts steps where others were: an edit (one by one), a deletion (one by none), a split, a merge. */
  | { kind: 'replace'; ids: readonly string[]; by: readonly Step[] }
  /** `afterId` null puts them first; without it they take their place in time. */
  | { kind: 'insert'; steps: readonly Step[]; afterId?: string | null }
  | { kind: 'move'; id: string; afterId: string | null }
  /** Puts steps under a heading; null takes them out of their chapter. */
  | { kind: 'chapter'; ids: readonly string[]; title: string | null }
  | { kind: 'clear' }
  | { kind: 'batch'; changes: readonly StepChange[] }

export function applyChange(steps: readonly Step[], change: StepChange): readonly Step[] {
  switch (change.kind) {
    case 'replace':
      return replaceSteps(steps, change.ids, change.by)
    case 'insert':
      return insertSteps(without(steps, change.steps.map(idOf)), change.steps, change.afterId)
    case 'move':
      return moveStep(steps, change.id, change.afterId)
    case 'chapter':
      return steps.map((step) => (change.ids.includes(step.id) ? { ...step, chapter: change.title } : step))
    case 'clear':
      return []
    case 'batch':
      return applyChanges(steps, change.changes)
  }
}

export function applyChanges(steps: readonly Step[], changes: readonly StepChange[]): readonly Step[] {
  return changes.reduce(applyChange, steps)
}

function replaceSteps(steps: readonly Step[], ids: readonly string[], by: readonly Step[]): readonly Step[] {
  const removedIds = [...ids, ...by.map(idOf)]
  const place = steps.findIndex((step) => ids.includes(step.id))
  // Another person may have removed the step that is edited here; the edit is kept.
  if (place === -1) return insertSteps(without(steps, removedIds), by)
  // A form may have been opened before its step came under another heading.
  const currentSteps = new Map(steps.map((step) => [step.id, step]))
  const listed = by.map((step) => ({ ...step, chapter: (currentSteps.get(step.id) ?? step).chapter }))
  return [...without(steps.slice(0, place), removedIds), ...listed, ...without(steps.slice(place), removedIds)]
}

/** Steps without a place of their own come to it by their time, and into the chapter that is there. */
function insertSteps(steps: readonly Step[], added: readonly Step[], afterId?: string | null): readonly Step[] {
  const place = findPlace(steps, added[0], afterId)
  if (afterId !== undefined) return steps.toSpliced(place + 1, 0, ...added)
  const chapter = chapterAt(steps, place)
  return steps.toSpliced(place + 1, 0, ...added.map((step) => ({ ...step, chapter: step.chapter ?? chapter })))
}

/** A step that is moved comes into the chapter that it is moved to. */
function moveStep(steps: readonly Step[], id: string, afterId: string | null): readonly Step[] {
  const moved = steps.find((step) => step.id === id)
  if (moved === undefined) return steps
  const others = without(steps, [id])
  const place = findPlace(others, moved, afterId)
  return others.toSpliced(place + 1, 0, { ...moved, chapter: chapterAt(others, place) })
}

/** The chapter of the step at a place; at the top of the list that of the first. */
function chapterAt(steps: readonly Step[], place: number): string | null {
  return (steps[place] ?? steps[0])?.chapter ?? null
}

/** Index of the step that some are put after; -1 puts them first. */
function findPlace(steps: readonly Step[], added: Step | undefined, afterId: string | null | undefined): number {
  if (afterId === null) return -1
  const named = steps.findIndex((step) => step.id === afterId)
  return named === -1 ? findPlaceInTime(steps, added?.start ?? 0) : named
}

/** Index of the step that begins last before a moment; -1 when there is none. */
function findPlaceInTime(steps: readonly Step[], startS: number): number {
  let found = -1
  for (const [index, step] of steps.entries()) {
    if (step.start <= startS && step.start >= (steps[found]?.start ?? 0)) found = index
  }
  return found
}

function without(steps: readonly Step[], ids: readonly string[]): readonly Step[] {
  return steps.filter((step) => !ids.includes(step.id))
}

function idOf({ id }: Step): string {
  return id
}

/** Names the steps of a chapter from one of them on. */
export function listChapter(steps: readonly Step[], id: string): string[] {
  const from = steps.findIndex((step) => step.id === id)
  const after = steps.findIndex(({ chapter }, index) => index > from && chapter !== steps[from]?.chapter)
  return from === -1 ? [] : steps.slice(from, after === -1 ? steps.length : after).map(idOf)
}

/** Moves a step one place up (-1) or down (1); null at the end of the list. */
export function moveByOne(steps: readonly Step[], id: string, by: -1 | 1): StepChange | null {
  const index = steps.findIndex((step) => step.id === id)
  const isOut = index === -1 || index + by < 0 || index + by >= steps.length
  return isOut ? null : moveTo(steps, id, index + by)
}

/** Moves a step to a place of the list as it will be. */
export function moveTo(steps: readonly Step[], id: string, index: number): StepChange {
  return { kind: 'move', id, afterId: without(steps, [id])[index - 1]?.id ?? null }
}

/** Body of the save that makes a change of the steps that the server has. */
export function toSaveRequest(steps: readonly Step[], change: StepChange): Omit<SaveSteps, 'version'> {
  const next = applyChange(steps, change)
  const storedSteps = new Map(steps.map((step) => [step.id, step]))
  return { steps: next.map((step) => toInput(step, storedSteps.get(step.id))), ...describeAction(steps, next, change) }
}

function describeAction(
  before: readonly Step[],
  after: readonly Step[],
  change: StepChange,
): Pick<SaveSteps, 'action' | 'stepIndex'> {
  const findIndex = (list: readonly Step[], id: string | undefined) => list.findIndex((step) => step.id === id)
  if (change.kind === 'move') return { action: 'reorder', stepIndex: findIndex(after, change.id) }
  if (change.kind === 'insert') return { action: 'add', stepIndex: findIndex(after, change.steps[0]?.id) }
  if (change.kind !== 'replace' || change.ids.length !== 1) return {}
  const stepIndex = Math.max(0, findIndex(before, change.ids[0]))
  if (change.by.length === 0) return { action: 'delete', stepIndex }
  return change.by.length === 1 ? { action: 'update', stepIndex: findIndex(after, change.ids[0]) } : {}
}

/** The transcript of a step is long, and the server has it: it is sent only where the server cannot know it. */
function toInput(step: Step, stored: Step | undefined): SaveSteps['steps'][number] {
  const { duration: _duration, isDraft: _isDraft, image: _image, originalText, ...fields } = step
  const { beforeScreen: _beforeScreen, ...input } = fields
  return stored?.originalText === originalText ? input : { ...input, originalText }
}

/** The times that a new step begins with; it does not end after the video. */
export function newStepTimes(start: number, durationS: number | null): Pick<Step, 'start' | 'end'> {
  return { start, end: Math.max(start, Math.min(start + NEW_STEP_LENGTH_S, durationS ?? Number.POSITIVE_INFINITY)) }
}

export function makeManualStep(fields: Partial<Step> & Pick<Step, 'start' | 'end'>): Step {
  return {
    id: crypto.randomUUID(),
    title: '',
    ...BLANK_STEP,
    isManual: true,
    duration: fields.end - fields.start,
    ...fields,
  }
}
