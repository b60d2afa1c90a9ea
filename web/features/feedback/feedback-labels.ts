import { CircleDashed, Lightbulb, type LucideIcon, ThumbsDown, ThumbsUp } from 'lucide-react'
import type { FeedbackAction, FeedbackKind } from '#contract/feedback/feedback.ts'
import * as m from '#messages'

export const KIND_LABELS: Record<FeedbackKind, string> = {
  video_processing: m.video_processing(),
  step_generation: m.step_generation(),
  ai_suggestion: m.ai_suggestion(),
  transcription: m.transcription(),
  ai_improvement: m.suggestion(),
}

interface ActionLook {
  label: string
  icon: LucideIcon
  /** Colour of an icon that stands for a rating. */
  tone: string
}

export const ACTION_LOOKS: Record<FeedbackAction, ActionLook> = {
  worked: { label: m.worked(), icon: ThumbsUp, tone: 'bg-brand-soft text-brand-ink' },
  partially_working: { label: m.partly(), icon: CircleDashed, tone: 'bg-warn-soft text-warn-ink' },
  not_working: { label: m.did_not_work(), icon: ThumbsDown, tone: 'bg-danger-soft text-danger-ink' },
}

/** A suggestion has words instead of an action. */
export const SUGGESTION_LOOK: ActionLook = { label: m.suggestion(), icon: Lightbulb, tone: 'bg-sunken text-ink-soft' }
