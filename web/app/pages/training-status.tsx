import type { LoadedModule } from '#web/features/training/module-query.ts'
import type { Pace } from '#web/features/training/processing-stage.ts'
import { ProcessingView } from '#web/features/training/processing-view.tsx'
import { ProgressStrip } from '#web/features/training/progress-strip.tsx'
import { NoticeCard } from '#web/features/watch/notice-card.tsx'
import { FailedTraining } from './failed-training.tsx'

interface TrainingStatusProps {
  module: LoadedModule
  stepCount: number
  pace: Pace
  onRecovered: () => void
  onCheckAgain: () => void
}

/** How far the module is, as long as there is something to say about it. */
export function TrainingStatus({ module, stepCount, pace, onRecovered, onCheckAgain }: TrainingStatusProps) {
  const { status, progress, message } = module
  if (status === 'READY') return null
  if (status === 'FAILED') return <FailedTraining look="notice" module={module} onRecovered={onRecovered} />
  return (
    <div className="grid gap-4">
      {stepCount > 0 ? (
        <ProgressStrip progress={progress} message={message} pace={pace} />
      ) : (
        <ProcessingView progress={progress} message={message} pace={pace} onCheckAgain={onCheckAgain} />
      )}
      {module.role === 'owner' && <NoticeCard />}
    </div>
  )
}
