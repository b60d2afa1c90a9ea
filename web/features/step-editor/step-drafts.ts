import type { Step } from '#contract/step.ts'
import { type StepProblems, validateStep } from '#contract/step-rules.ts'
import { draftOf, isChanged, readDraft, rebaseDraft, type StepDraft } from './step-draft.ts'

export interface DraftEntry {
  draft: StepDraft
  /** The step as it was when the draft began, or was last saved. */
  base: Step
  /** Version of the steps that the person had before them then. */
  seenVersion: number
}

/** The drafts in the forms of a page, by step. They stay here whatever arrives from the server. */
export class StepDrafts {
  #entries: ReadonlyMap<string, DraftEntry> = new Map()
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Another object after every change. */
  readonly getAll = () => this.#entries

  get(id: string): DraftEntry | undefined {
    return this.#entries.get(id)
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
    this.#put(new Map([...this.#entries].filter(([id]) => !ids.includes(id))))
  }

  discardAll(): void {
    this.#put(new Map())
  }

  #set(entry: DraftEntry): void {
    this.#put(new Map(this.#entries).set(entry.base.id, entry))
  }

  #put(entries: ReadonlyMap<string, DraftEntry>): void {
    this.#entries = entries
    for (const listener of this.#listeners) listener()
  }
}

export function isUnsaved({ draft, base }: DraftEntry): boolean {
  return isChanged(draft, base)
}

export function findProblems({ draft, base }: DraftEntry, durationS: number | null): StepProblems {
  return validateStep(readDraft(draft, base), durationS)
}
