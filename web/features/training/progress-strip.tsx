import { Card } from '#web/ui/card.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { findStageText, type Pace } from './processing-stage.ts'

interface ProgressStripProps {
  /** 0–100. */
  progress: number
  /** The server's own words for what it does now. */
  message: string
  pace: Pace
}

const MORE_TO_COME = 'More steps appear here as they are found'
const STILL_USUAL = 'Longer videos take longer. You can leave this page; nothing is lost.'

/** While steps can already be followed and the rest is still being made. */
export function ProgressStrip({ progress, message, pace }: ProgressStripProps) {
  const isUsual = pace === 'usual' || pace === 'uploading'
  return (
    <Card className="px-4 py-3">
      <div className="mb-2 flex items-baseline justify-between gap-4 text-sm">
        <p className="font-semibold">{findStageText(progress)}</p>
        <span className="font-semibold text-brand tabular-nums">{progress}%</span>
      </div>
      <Progress value={progress} label="Processing progress" />
      <p className="mt-2 text-sm text-ink-soft">{isUsual ? message || MORE_TO_COME : STILL_USUAL}</p>
    </Card>
  )
}
