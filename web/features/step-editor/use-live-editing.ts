import { toast } from 'sonner'
import type { Step } from '#contract/step.ts'
import type { Playhead } from './playhead.ts'
import type { SaveOutcome } from './save-queue.ts'
import { editStep } from './step-draft.ts'
import { findProblems, isUnsaved } from './step-drafts.ts'
import { useStepEditing } from './use-step-editing.ts'
import type { StepSaves } from './use-step-saves.ts'

interface LiveEditingOptions {
  saves: StepSaves
  playhead: Playhead
  durationS: number | null
}

/** Edits steps beside the video; every change is saved automatically. */
export function useLiveEditing({ saves, playhead, durationS }: LiveEditingOptions) {
  const editing = useStepEditing({
    steps: saves.steps,
    known: saves.known,
    isForeignSince: saves.isForeignSince,
    playhead,
    apply: async (change) => (await saves.push({ change })).kind === 'saved',
  })
  const { drafts, openId } = editing

  async function saveDraft(id: string): Promise<SaveOutcome['kind']> {
    const entry = drafts.get(id)
    if (entry === undefined) return 'saved'
    const { base, seenVersion } = entry
    const step = editStep(base, entry.draft)
    const outcome = await saves.push({ change: { kind: 'replace', ids: [id], by: [step] }, base, seenVersion })
    if (outcome.kind === 'saved') drafts.settle(step, outcome.version)
    if (outcome.kind === 'dropped') takeTheirs(id)
    return outcome.kind
  }

  function takeTheirs(id: string) {
    drafts.discard(id)
    const { steps, version } = saves.read()
    const theirs = steps.find((step) => step.id === id)
    if (theirs !== undefined) drafts.begin(theirs, version)
  }

  /** @returns whether nothing is left to save */
  async function saveAll(): Promise<boolean> {
    const unsaved = [...drafts.getAll()].filter(([, entry]) => isUnsaved(entry))
    const valid = unsaved.filter(([, entry]) => Object.keys(findProblems(entry, durationS)).length === 0)
    const outcomes = await Promise.all(valid.map(([id]) => saveDraft(id)))
    return valid.length === unsaved.length && outcomes.every((outcome) => outcome === 'saved' || outcome === 'dropped')
  }

  /** @returns whether the step stays */
  async function add(step: Step): Promise<boolean> {
    const isSaved = (await saves.push({ change: { kind: 'insert', steps: [step] } })).kind === 'saved'
    if (isSaved) toast.success('Step added')
    return isSaved
  }

  return { ...editing, openEntry: openId === null ? undefined : drafts.get(openId), saveDraft, saveAll, add }
}

export type LiveEditing = ReturnType<typeof useLiveEditing>
