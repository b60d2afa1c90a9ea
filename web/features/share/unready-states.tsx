import type { SharedModule } from '#contract/share.ts'
import * as m from '#messages'
import { Card } from '#web/ui/card.tsx'
import { Progress } from '#web/ui/loading.tsx'
import { Gone } from './share-states.tsx'

/** A learner who is earlier than the video: the page fills by itself. */
export function SharePreparing({ module }: { module: Pick<SharedModule, 'title' | 'progress' | 'uploadPercent'> }) {
  return (
    <div className="mx-auto w-full max-w-lg px-4 py-12 sm:py-20">
      <Card className="p-6 text-center sm:p-10">
        <h1 className="text-xl font-semibold sm:text-2xl">{module.title}</h1>
        <p role="status" className="mt-2 text-ink-soft">
          {m.this_training_is_being_prepared_it()}
        </p>
        <Progress value={module.progress} label={m.preparing_the_training()} className="mt-7" />
        <p className="mt-2.5 text-sm font-medium text-ink-soft tabular-nums">{module.progress}%</p>
        <p className="mt-4 text-sm text-ink-soft tabular-nums">
          {m.video_uploadpercent_uploaded({ uploadPercent: module.uploadPercent })}
        </p>
      </Card>
    </div>
  )
}

/** The uploader knows more; a learner can only come back. */
export function ShareNotAvailable({ title }: { title: string }) {
  return (
    <Gone role="status" title={title}>
      {m.this_training_is_not_available()}
    </Gone>
  )
}
