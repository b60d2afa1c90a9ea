import { createStore } from 'zustand/vanilla'
import { wantedImage } from '#contract/image-url.ts'
import type { Callout, Step, StepCommand } from '#contract/step.ts'
import { type StepFields, type StepProblems, validateStep } from '#contract/step-editing.ts'
import { formatTime } from '#web/lib/format/format-time.ts'
import { parseTime } from '#web/lib/format/parse-time.ts'

/**
 * A step as it stands in the fields of a form: times (`mm:ss`, or the incomplete text while a person types) and aliases
 * (separated by commas) are still texts.
 */
export type StepDraft = ReturnType<typeof draftOf>

/** The draft of a step and what a form shows of it. */
export interface DraftForm {
  /** Begins the ids of the fields. */
  id: string
  draft: StepDraft
  /** The messages to show. */
  problems: StepProblems
  onChange: (change: Partial<StepDraft>) => void
}

export function draftOf({ title, description, notes, isManual, aiRewrite, beforeRewrite, ...step }: Step) {
  const { callouts, proposedCallouts, commands, imageAt, focus, notesQuotable } = step
  const texts = { title, description, start: formatTime(step.start), end: formatTime(step.end), notes }
  const aliases = step.aliases.join(', ')
  return {
    ...texts,
    aliases,
    notesQuotable,
    isManual,
    aiRewrite,
    beforeRewrite,
    callouts,
    proposedCallouts,
    commands,
    imageAt,
    focus,
  }
}

/**
 * The texts of a draft as values; a time that cannot be read is null.
 * @param base the step that it began with, where there is one
 */
export function readDraft(draft: StepDraft, base?: Pick<Step, 'start' | 'end'>) {
  return {
    title: draft.title.trim(),
    description: draft.description.trim(),
    start: readStepTime(draft.start, base?.start),
    end: readStepTime(draft.end, base?.end),
    aliases: readAliases(draft.aliases),
    notes: draft.notes.trim(),
    notesQuotable: draft.notesQuotable,
    isManual: draft.isManual,
    aiRewrite: draft.aiRewrite,
    beforeRewrite: draft.beforeRewrite,
    callouts: readCallouts(draft.callouts),
    proposedCallouts: draft.proposedCallouts,
    commands: readCommands(draft.commands),
    imageAt: draft.imageAt,
    focus: draft.focus,
  } satisfies StepFields & Partial<Record<keyof Step, unknown>>
}

/** The step that a draft makes of another. A time that cannot be read stays as it was. */
export function editStep(base: Step, draft: StepDraft): Step {
  const read = readDraft(draft, base)
  const start = read.start ?? base.start
  const end = read.end ?? base.end
  const image = findImage(base, { start, imageAt: read.imageAt })
  const notesEdited = base.notesEdited || read.notes !== base.notes.trim()
  return { ...base, ...read, start, end, duration: end - start, image, notesEdited }
}

/** What is shown until the server knows of the change: a chosen moment is kept before its step is saved. */
function findImage(base: Step, now: Pick<Step, 'start' | 'imageAt'>): string | null {
  const wanted = wantedImage({ ...now, videoMark: base.videoMark })
  if (wanted === wantedImage(base)) return base.image
  return typeof now.imageAt === 'number' || wanted === null ? wanted : base.image && 'poster'
}

/** Puts a rewritten text in the place of the description, and keeps what a person or the run had written there. */
export function keepRewrite({ description, aiRewrite, beforeRewrite }: StepDraft, text: string): Partial<StepDraft> {
  const isAgain = beforeRewrite !== null && description === aiRewrite
  return { description: text, aiRewrite: text, beforeRewrite: isAgain ? beforeRewrite : description.trim() }
}

/** Whether a draft says something else than the step that it began with. */
export function isChanged(draft: StepDraft, base: Step): boolean {
  return listTyped(draft, draftOf(base)).length > 0
}

function listTyped(draft: StepDraft, before: StepDraft): (keyof StepDraft)[] {
  const keys = Object.keys(before) as (keyof StepDraft)[]
  return keys.filter((key) => meaningOf(draft, key) !== meaningOf(before, key))
}

/** Rebases a draft on a step that has changed on the server: edited fields stay, the others follow. */
export function rebaseDraft(draft: StepDraft, base: Step, now: Step): StepDraft {
  const typed = listTyped(draft, draftOf(base))
  return { ...draftOf(now), ...Object.fromEntries(typed.map((key) => [key, draft[key]])) }
}

/** Whether two steps say the same to the person who edits them. */
export function isSameStep(a: Step, b: Step): boolean {
  return !isChanged(draftOf(a), b)
}

function meaningOf(draft: StepDraft, key: keyof StepDraft): string | number | boolean | null {
  if (key === 'aliases') return readAliases(draft.aliases).join(',')
  if (key === 'callouts') return JSON.stringify(readCallouts(draft.callouts))
  if (key === 'commands') return JSON.stringify(readCommands(draft.commands))
  if (key === 'proposedCallouts' || key === 'focus') return JSON.stringify(draft[key])
  const value = draft[key]
  return typeof value === 'string' ? value.trim() : value
}

/** A callout without a text is one that a person has begun. */
function readCallouts(callouts: readonly Callout[]): Callout[] {
  return callouts.map(({ kind, text }) => ({ kind, text: text.trim() })).filter(({ text }) => text !== '')
}

/** What stands before a line belongs to it; what stands behind it does not. */
function readCommands(commands: readonly StepCommand[]): StepCommand[] {
  return commands
    .map(({ kind, text, startMs }) => ({ kind, text: text.trimEnd(), startMs }))
    .filter(({ text }) => text !== '')
}

export function readAliases(text: string): string[] {
  const aliases = text.split(',').map((alias) => alias.trim())
  return aliases.filter((alias) => alias !== '')
}

/**
 * Reads a time of a form. The field shows whole seconds, so an unchanged text still means the exact moment.
 * A minus is parsed, so that the message can name it as the problem.
 */
function readStepTime(text: string, exactS: number | undefined): number | null {
  if (exactS !== undefined && text.trim() === formatTime(exactS)) return exactS
  if (!text.trim().startsWith('-')) return parseTime(text)
  const seconds = parseTime(text.trim().slice(1))
  return seconds === null ? null : -seconds
}

/** The time of a field one second on or back; null when the text is no time or would leave the video at its beginning. */
export function nudgeTime(text: string, byS: -1 | 1): string | null {
  const seconds = parseTime(text)
  return seconds === null || seconds + byS < 0 ? null : formatTime(seconds + byS)
}

export interface DraftEntry {
  draft: StepDraft
  /** The step as it was when the draft began, or was last saved. */
  base: Step
  /** Version of the steps that the person had before them then. */
  seenVersion: number
}

/** The drafts in the forms of a page, by step. They stay here whatever arrives from the server. */
export class StepDrafts {
  readonly store = createStore<ReadonlyMap<string, DraftEntry>>(() => new Map())

  getAll(): ReadonlyMap<string, DraftEntry> {
    return this.store.getState()
  }

  listUnsaved(): DraftEntry[] {
    return [...this.getAll().values()].filter(isUnsaved)
  }

  get(id: string): DraftEntry | undefined {
    return this.getAll().get(id)
  }

  /** Begins a draft, or keeps the existing one if it has changes. */
  begin(step: Step, seenVersion: number): void {
    const entry = this.get(step.id)
    if (entry === undefined || !isUnsaved(entry)) this.#set({ draft: draftOf(step), base: step, seenVersion })
  }

  change(id: string, change: Partial<StepDraft>): void {
    const entry = this.get(id)
    if (entry !== undefined) this.#set({ ...entry, draft: { ...entry.draft, ...change } })
  }

  /** Rebases a draft on its step after a change that no other person made. */
  rebase(now: Step, seenVersion: number): void {
    const entry = this.get(now.id)
    if (entry === undefined) return
    this.#set({ draft: rebaseDraft(entry.draft, entry.base, now), base: now, seenVersion })
  }

  /** The server has a step as it was sent; what was typed since then stays unsaved. */
  settle(saved: Step, seenVersion: number): void {
    const entry = this.get(saved.id)
    if (entry !== undefined) this.#set({ ...entry, base: saved, seenVersion })
  }

  discard(...ids: string[]): void {
    this.store.setState(new Map([...this.getAll()].filter(([id]) => !ids.includes(id))), true)
  }

  discardAll(): void {
    this.store.setState(new Map(), true)
  }

  #set(entry: DraftEntry): void {
    this.store.setState(new Map(this.getAll()).set(entry.base.id, entry), true)
  }
}

export function isUnsaved({ draft, base }: DraftEntry): boolean {
  return isChanged(draft, base)
}

/** The change that makes a draft of its step. */
export function toChange({ base, draft }: DraftEntry): { kind: 'replace'; ids: [string]; by: [Step] } {
  return { kind: 'replace', ids: [base.id], by: [editStep(base, draft)] }
}

export function findProblems({ draft, base }: DraftEntry, durationS: number | null): StepProblems {
  return validateStep(readDraft(draft, base), durationS)
}
