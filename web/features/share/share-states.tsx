import { CircleSlash, TriangleAlert } from 'lucide-react'
import type { SharedModule } from '#contract/share.ts'
import * as m from '#messages'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Progress, Skeleton, StillLoading } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** Where there is nothing to watch, or not any more. */
export function Gone({
  title,
  role = 'alert',
  children,
}: {
  title: string
  role?: 'alert' | 'status'
  children: string
}) {
  return (
    <Notice icon={CircleSlash} role={role} title={title} actions={<GoHome />}>
      <p>{children}</p>
    </Notice>
  )
}

export function ShareMissing() {
  return <Gone title={m.module_not_found()}>{m.this_training_module_could_not()}</Gone>
}

/** For a learner who had it open when it was taken back. */
export function ShareEnded() {
  return <Gone title={m.sharing_has_ended()}>{m.this_training_is_not_shared_any()}</Gone>
}

/** A server that did not answer. */
export function ShareFailed({ isRetrying, onRetry }: { isRetrying: boolean; onRetry: () => void }) {
  return (
    <Notice
      icon={TriangleAlert}
      tone="danger"
      role="alert"
      title={m.something_is_not_right()}
      actions={
        <Button isBusy={isRetrying} onClick={onRetry}>
          {m.try_again_button()}
        </Button>
      }
    >
      <p>{m.could_not_load_training_module()}</p>
    </Notice>
  )
}

/** Not a link of the router: the app is another page. In a frame it opens outside of it. */
function GoHome() {
  return (
    <a href="/" target="_top" className={buttonClass({})}>
      {m.go_home()}
    </a>
  )
}

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

export function ShareSkeleton() {
  return (
    <div className="mx-auto w-full max-w-6xl sm:px-6 sm:py-6">
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1.65fr)_minmax(20rem,1fr)]">
        <Skeleton className="aspect-video w-full sm:rounded-card" />
        <div className="grid content-start gap-2.5 px-4 sm:px-0">
          {['first', 'second', 'third'].map((place) => (
            <Skeleton key={place} className="h-24 rounded-card" />
          ))}
          <StillLoading what={m.this_training()} />
        </div>
      </div>
    </div>
  )
}
