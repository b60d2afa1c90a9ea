import { Card } from '#web/ui/card.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { findStageText } from './processing-stage.ts'

/** Above the first steps while the rest is still being made. */
export function ProgressStrip({ progress, message }: { progress: number; message: string }) {
  return (
    <Card className="p-4">
      <div className="mb-2.5 flex justify-between gap-4 text-sm">
        <p>
          <span className="font-semibold">{findStageText(progress)}</span>
          <span className="text-ink-soft"> · {message || 'More steps appear here as they are found'}</span>
        </p>
        <span className="font-medium tabular-nums">{progress}%</span>
      </div>
      <Progress value={progress} label="Processing progress" />
    </Card>
  )
}
