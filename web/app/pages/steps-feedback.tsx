import { FeedbackWidget } from '#web/features/feedback/feedback-widget.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'

/** Asks about the steps once all of them are there. Stands right under the list. */
export function StepsFeedback({ module, stepCount }: { module: LoadedModule; stepCount: number }) {
  if (module.status === 'PROCESSING' || stepCount === 0) return null
  return (
    <FeedbackWidget
      question="Do the steps help?"
      about={{ type: 'step_generation', moduleId: module.id }}
      isAutoHidden
      className="-mt-4 pl-4"
    />
  )
}
