import { useState } from 'react'
import { NEW_STEP_LENGTH_S } from '#contract/limits.ts'
import type { Step } from '#contract/step.ts'
import { type StepProblems, validateAddedStep } from '#contract/step-rules.ts'
import { formatTime } from '#web/lib/format-time.ts'
import { type Playhead, usePlayheadSecond } from './playhead.ts'
import { makeManualStep } from './reshape-steps.ts'
import { readDraft, type StepDraft } from './step-draft.ts'

const EMPTY = { title: '', description: '', aliases: '', notes: '', isManual: false, aiRewrite: null }

/** The typed values; a time that is null follows the video. */
type Typed = Omit<StepDraft, 'start' | 'end'> & { start: string | null; end: string | null }

/** What a form begins with that is not empty. */
export interface ProposedStep {
  title: string
  /** Seconds; null follows the video. */
  startS: number | null
  isManual: boolean
}

interface AddedStepOptions {
  playhead: Playhead
  durationS: number | null
  proposal?: ProposedStep | undefined
  onAdd: (step: Step) => Promise<boolean>
}

/** The state of the form for a missing step. */
export function useAddedStep({ playhead, durationS, proposal, onAdd }: AddedStepOptions) {
  const nowS = usePlayheadSecond(playhead) ?? 0
  const [typed, setTyped] = useState<Typed>(() => beginWith(proposal, durationS))
  const [isChecked, setIsChecked] = useState(false)
  const [isAdding, setIsAdding] = useState(false)
  const draft: StepDraft = { ...typed, ...defaultTimes(nowS, durationS), ...setTimes(typed) }
  const read = readDraft(draft)
  const problems = validateAddedStep(read, durationS)

  /** Once any field is edited, both times stop following the video. */
  function change(changed: Partial<StepDraft>) {
    setTyped({ ...draft, ...changed })
  }

  /** @returns what to do next: correct the form, continue with an empty one, or retry */
  async function submit(): Promise<'refused' | 'added' | 'failed'> {
    setIsChecked(true)
    if (Object.keys(problems).length > 0 || read.start === null || read.end === null) return 'refused'
    setIsAdding(true)
    const isAdded = await onAdd(makeManualStep({ ...read, start: read.start, end: read.end }))
    setIsAdding(false)
    if (!isAdded) return 'failed'
    setTyped({ ...EMPTY, start: null, end: null })
    setIsChecked(false)
    return 'added'
  }
  const shown: StepProblems = isChecked ? problems : {}
  return { draft, problems: shown, isAdding, change, submit }
}

function beginWith(proposal: ProposedStep | undefined, durationS: number | null): Typed {
  if (proposal === undefined) return { ...EMPTY, start: null, end: null }
  const { title, startS, isManual } = proposal
  const times = startS === null ? { start: null, end: null } : defaultTimes(startS, durationS)
  return { ...EMPTY, title, isManual, ...times }
}

function setTimes({ start, end }: Typed): Partial<Pick<StepDraft, 'start' | 'end'>> {
  return { ...(start !== null && { start }), ...(end !== null && { end }) }
}

function defaultTimes(nowS: number, durationS: number | null): Pick<StepDraft, 'start' | 'end'> {
  const endS = Math.min(nowS + NEW_STEP_LENGTH_S, Math.max(nowS, Math.floor(durationS ?? Number.POSITIVE_INFINITY)))
  return { start: formatTime(nowS), end: formatTime(endS) }
}
