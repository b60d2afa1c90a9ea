import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { FeedbackWidget } from '#web/features/feedback/feedback-widget.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { Card } from '#web/ui/card.tsx'

/** Asks a person who has just uploaded a module, or watched it being made, how that went, once it is ready. */
export function ReadyFeedback({ module }: { module: LoadedModule }) {
  const [params] = useSearchParams()
  // Set by the upload page; a quick module may be ready before its processing was on screen.
  const [wasWatched, setWasWatched] = useState(params.get('processing') === 'true')
  if (module.status === 'PROCESSING' && !wasWatched) setWasWatched(true)
  if (module.status !== 'READY' || !wasWatched || module.role !== 'owner') return null
  return (
    <Card className="px-4 py-3">
      <FeedbackWidget
        question="Your training is ready. How did the processing go?"
        about={{ type: 'video_processing', moduleId: module.id }}
      />
    </Card>
  )
}
