import { largeName, wideName } from '../image-url.ts'
import type { Step } from '../step.ts'
import type { VersionContent } from '../version.ts'

/** A step in one of two versions. */
export interface NumberedStep {
  step: Step
  /** 1 for the first. */
  number: number
}

/** How a step differs between two versions. */
export interface StepChange {
  id: string
  kind: 'added' | 'removed' | 'changed'
  before: NumberedStep | null
  after: NumberedStep | null
  /** Whether it stands elsewhere among the steps that both versions have. */
  isMoved: boolean
  /** Which of its fields differ; none for one that was only moved, added or removed. */
  fields: string[]
}

/** What differs between two versions. */
export interface VersionChanges {
  title: { before: string; after: string } | null
  /** In the order of the later version, with the removed ones where they stood. */
  steps: StepChange[]
  /** What stands in print of the trainer's answers; null where that is the same. */
  answers: { before: string; after: string } | null
  /** Whether one that is in both is about another step, or was confirmed for what its step says now. */
  areAnswersAboutOthers: boolean
  isTranscriptChanged: boolean
  isVideoChanged: boolean
  /** Tags of the languages whose translation differs, or that only one of the two has. */
  languages: string[]
  /** Whether anything else differs, such as notes that the tutor may quote. */
  isMoreChanged: boolean
  isEmpty: boolean
}

/** Fields that follow from others, or that say how a step was made. */
const NOT_COMPARED = new Set(['id', 'duration', 'image', 'imageAt', 'isDraft', 'isManual'])

/** Compares two versions, or one with the draft. */
export function compareVersions(before: VersionContent, after: VersionContent): VersionChanges {
  const title =
    before.module.title === after.module.title ? null : { before: before.module.title, after: after.module.title }
  const changes = {
    title,
    steps: compareSteps(before, after),
    answers: isSame(before.answers ?? [], after.answers ?? [])
      ? null
      : { before: writeAnswers(before), after: writeAnswers(after) },
    areAnswersAboutOthers: areAboutOthers(before, after),
    isTranscriptChanged: before.captions !== after.captions,
    isVideoChanged: !isSame(before.video, after.video),
    languages: compareLanguages(before, after),
    isMoreChanged:
      !isSame(before.notes, after.notes) ||
      !isSame(before.cuts, after.cuts) ||
      before.screen !== after.screen ||
      before.language !== after.language ||
      !isSame({ ...before.module, title: '' }, { ...after.module, title: '' }),
  }
  const { steps, answers, isTranscriptChanged, isVideoChanged, languages, isMoreChanged } = changes
  const isSaidOtherwise = title !== null || steps.length > 0 || answers !== null || languages.length > 0
  const isChanged = [isSaidOtherwise, isTranscriptChanged, isVideoChanged]
  return { ...changes, isEmpty: !isMoreChanged && !isChanged.includes(true) }
}

function writeAnswers({ answers = [] }: VersionContent): string {
  return answers.map(({ question, text }) => `${question} ${text}`).join(' · ')
}

function areAboutOthers({ answers: old = [] }: VersionContent, { answers: now = [] }: VersionContent): boolean {
  const earlier = new Map(old.map((answer) => [answer.id, answer]))
  return now.some(({ id, stepId, stepsHash }) => {
    const was = earlier.get(id)
    return was !== undefined && (was.stepId !== stepId || was.stepsHash !== stepsHash)
  })
}

function compareSteps(before: VersionContent, after: VersionContent): StepChange[] {
  const [old, now] = [numberSteps(before.steps), numberSteps(after.steps)]
  const moved = findMoved(
    before.steps.map(({ id }) => id),
    after.steps.map(({ id }) => id),
  )
  const changes = after.steps.flatMap(({ id }, index): (StepChange & { place: number })[] => {
    const place = index + 1
    const [was, is] = [old.get(id) ?? null, now.get(id) ?? null]
    if (was === null || is === null)
      return [{ id, kind: 'added', before: null, after: is, isMoved: false, fields: [], place }]
    const fields = compareFields(was.step, is.step, [before, after])
    const isMoved = moved.has(id)
    return fields.length > 0 || isMoved ? [{ id, kind: 'changed', before: was, after: is, isMoved, fields, place }] : []
  })
  return [...changes, ...listRemoved(before, now)].toSorted((one, other) => one.place - other.place)
}

/** Names the steps of a version that are new in it or say something else than before, in their order. */
export function listChangedSteps(before: VersionContent, after: VersionContent): string[] {
  const isChanged = ({ kind, fields }: StepChange) => kind === 'added' || fields.length > 0
  return compareSteps(before, after)
    .filter(isChanged)
    .map(({ id }) => id)
}

/** The removed steps, each behind the last step before it that is still there. */
function listRemoved({ steps }: VersionContent, now: Map<string, NumberedStep>): (StepChange & { place: number })[] {
  let place = 0
  return steps.flatMap((step, index) => {
    place = now.get(step.id)?.number ?? place
    if (now.has(step.id)) return []
    const was = { step, number: index + 1 }
    const change = { before: was, after: null, isMoved: false, fields: [] }
    return [{ ...change, id: step.id, kind: 'removed' as const, place: place + 0.5 }]
  })
}

function numberSteps(steps: readonly Step[]): Map<string, NumberedStep> {
  return new Map(steps.map((step, index) => [step.id, { step, number: index + 1 }]))
}

function compareFields(was: Step, is: Step, [before, after]: [VersionContent, VersionContent]): string[] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => !NOT_COMPARED.has(name))
  const fields = names.filter((name) => !isSame(was[name as keyof Step], is[name as keyof Step]))
  const isOtherImage = was.image !== is.image || !isSame(tagsOf(before, was), tagsOf(after, is))
  return isOtherImage ? [...fields, 'image'] : fields
}

function tagsOf({ images }: VersionContent, { image }: Step): (string | undefined)[] {
  return image === null ? [] : [image, largeName(image), wideName(image)].map((name) => images[name])
}

function compareLanguages(before: VersionContent, after: VersionContent): string[] {
  const tags = [...new Set([...Object.keys(before.translations), ...Object.keys(after.translations)])]
  return tags.filter((tag) => !isSame(before.translations[tag], after.translations[tag]))
}

/** Whether two values of JSON are the same, whatever the order of their fields. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortFields(one)) === JSON.stringify(sortFields(other))
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields)
  if (typeof value !== 'object' || value === null) return value ?? null
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, field]) => [name, sortFields(field)]))
}

/** Finds the fewest of the common names that have to move for one order to become the other. */
function findMoved(before: readonly string[], after: readonly string[]): Set<string> {
  const places = new Map(before.map((id, index) => [id, index]))
  const common = after.filter((id) => places.has(id))
  // The longest run of names that keep their order stays (longest increasing subsequence).
  const lengths: number[] = []
  const previous: number[] = []
  let last = -1
  for (const [index, id] of common.entries()) {
    lengths[index] = 1
    previous[index] = -1
    for (let earlier = 0; earlier < index; earlier++) {
      const isInOrder = (places.get(common[earlier] ?? '') ?? 0) < (places.get(id) ?? 0)
      if (!isInOrder || (lengths[earlier] ?? 0) + 1 <= (lengths[index] ?? 0)) continue
      lengths[index] = (lengths[earlier] ?? 0) + 1
      previous[index] = earlier
    }
    if (last === -1 || (lengths[index] ?? 0) > (lengths[last] ?? 0)) last = index
  }
  const moved = new Set(common)
  for (let index = last; index !== -1; index = previous[index] ?? -1) moved.delete(common[index] ?? '')
  return moved
}
