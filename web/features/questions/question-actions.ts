import type { ReactNode } from 'react'
import type { QuestionGroup } from '#contract/questions.ts'
import type { Step } from '#contract/step.ts'

/** A step that could answer a question. */
export interface StepProposal {
  title: string
  /** Seconds; null where the moment of the question is not known. */
  startS: number | null
  /** The video does not have it. */
  isManual: boolean
}

/** What the page around the panel does for it. */
export interface QuestionActions {
  steps: readonly Step[]
  /** Changes one step as it is by then. @returns whether it stays so */
  editStep: (id: string, edit: (step: Step) => Step) => Promise<boolean>
  /** Draws the form for a missing step, which begins with the proposal. */
  renderStepForm: (proposal: StepProposal, on: { added: () => void; cancel: () => void }) => ReactNode
  /** Plays the video from there; undefined where there is none. */
  onPlay: ((seconds: number) => void) | undefined
}

/** What a form beside a question needs. */
export interface QuestionFormProps extends Pick<QuestionActions, 'steps' | 'editStep'> {
  group: QuestionGroup
  /** The step at which it was asked, as far as it is still there. */
  stepId: string | null
  /** @param said what has been done, for a message */
  onDone: (said: string) => void
  onCancel: () => void
}
