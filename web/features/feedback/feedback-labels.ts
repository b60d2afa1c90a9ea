import { CircleDashed, Lightbulb, type LucideIcon, ThumbsDown, ThumbsUp } from 'lucide-react'
import type { FeedbackAction, FeedbackKind } from '#contract/feedback.ts'

export const KIND_LABELS: Record<FeedbackKind, string> = {
  video_processing: 'Video processing',
  step_generation: 'Step generation',
  ai_suggestion: 'AI suggestion',
  transcription: 'Transcription',
  ai_improvement: 'Suggestion',
}

interface ActionLook {
  label: string
  icon: LucideIcon
  /** Colour of an icon that stands for a rating. */
  tone: string
}

export const ACTION_LOOKS: Record<FeedbackAction, ActionLook> = {
  worked: { label: 'Worked', icon: ThumbsUp, tone: 'bg-brand-soft text-brand-ink' },
  partially_working: { label: 'Partly', icon: CircleDashed, tone: 'bg-warn-soft text-warn-ink' },
  not_working: { label: 'Did not work', icon: ThumbsDown, tone: 'bg-danger-soft text-danger-ink' },
}

/** A suggestion has words instead of an action. */
export const SUGGESTION_LOOK: ActionLook = { label: 'Suggestion', icon: Lightbulb, tone: 'bg-sunken text-ink-soft' }
