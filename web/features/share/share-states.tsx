import { CircleSlash, TriangleAlert } from 'lucide-react'
import type { SharedModule } from '#contract/share.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Progress, Skeleton, StillLoading } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** Where there is nothing to watch, or not any more. */
function Gone({ title, role = 'alert', children }: { title: string; role?: 'alert' | 'status'; children: string }) {
  return (
    <Notice icon={CircleSlash} role={role} title={title} actions={<GoHome />}>
      <p>{children}</p>
    </Notice>
  )
}

export function ShareMissing() {
  return <Gone title="Module Not Found">This training module could not be found or is no longer available.</Gone>
}

/** For a learner who had it open when it was taken back. */
export function ShareEnded() {
  return (
    <Gone title="Sharing has ended">
      This training is not shared any more. Please ask the person who sent you the link.
    </Gone>
  )
}

/** A server that did not answer. */
export function ShareFailed({ isRetrying, onRetry }: { isRetrying: boolean; onRetry: () => void }) {
  return (
    <Notice
      icon={TriangleAlert}
      tone="danger"
      role="alert"
      title="Something is not right"
      actions={
        <Button isBusy={isRetrying} onClick={onRetry}>
          Try Again
        </Button>
      }
    >
      <p>Could not load training module. Please try again.</p>
    </Notice>
  )
}

/** Not a link of the router: the app is another page. In a frame it opens outside of it. */
function GoHome() {
  return (
    <a href="/" target="_top" className={buttonClass({})}>
      Go Home
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
          This training is being prepared. It opens here by itself, once its video has arrived.
        </p>
        <Progress value={module.progress} label="Preparing the training" className="mt-7" />
        <p className="mt-2.5 text-sm font-medium text-ink-soft tabular-nums">{module.progress}%</p>
        <p className="mt-4 text-sm text-ink-soft tabular-nums">Video {module.uploadPercent} % uploaded</p>
      </Card>
    </div>
  )
}

/** The uploader knows more; a learner can only come back. */
export function ShareNotAvailable({ title }: { title: string }) {
  return (
    <Gone role="status" title={title}>
      This training is not available yet. Please ask the person who sent you the link.
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
          <StillLoading what="this training" />
        </div>
      </div>
    </div>
  )
}
