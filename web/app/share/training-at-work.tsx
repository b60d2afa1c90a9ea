import type { SharedModule } from '#contract/share.ts'
import * as m from '#messages'
import { AwaitedVideo } from '#web/features/player/awaited-video.tsx'
import { Card } from '#web/ui/card.tsx'
import { Progress } from '#web/ui/loading.tsx'

export interface AtWorkProps {
  /** Where: in place of the video, above the steps so far, or in place of them. */
  part: 'video' | 'line' | 'steps'
  module: Pick<SharedModule, 'progress' | 'uploadPercent'>
}

/** What a training shows while it is being made, which few learners see. */
export function AtWork({ part, module: { progress, uploadPercent } }: AtWorkProps) {
  if (part === 'video') return <AwaitedVideo percent={uploadPercent} />
  if (part === 'line') return <Progress value={progress} label={m.preparing_the_training()} look="line" />
  return <StepsToCome progress={progress} />
}

function StepsToCome({ progress }: { progress: number }) {
  return (
    <Card className="p-5">
      <p role="status" className="text-sm text-ink-soft">
        {m.this_training_is_being_prepared()}
      </p>
      <Progress value={progress} label={m.preparing_the_training()} className="mt-4" />
      <p className="mt-2 text-sm font-medium text-ink-soft tabular-nums">{progress}%</p>
    </Card>
  )
}
