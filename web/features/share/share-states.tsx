import { CircleSlash, TriangleAlert } from 'lucide-react'
import type { SharedModule } from '#contract/share.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Progress, Skeleton, StillLoading } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** Where there is nothing to watch, or not any more. */
function Gone({ title, children }: { title: string; children: string }) {
  return (
    <Notice icon={CircleSlash} role="alert" title={title} actions={<GoHome variant="primary" />}>
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
function GoHome({ variant }: { variant: 'primary' | 'secondary' }) {
  return (
    <a href="/" target="_top" className={buttonClass({ variant })}>
      Go Home
    </a>
  )
}

/** A learner who is early: the page fills by itself. */
export function SharePreparing({
  module,
}: {
  module: Pick<SharedModule, 'title' | 'progress' | 'hasVideo' | 'uploadPercent'>
}) {
  return (
    <div className="mx-auto w-full max-w-lg px-4 py-12 sm:py-20">
      <Card className="p-6 text-center sm:p-10">
        <h1 className="text-xl font-semibold sm:text-2xl">{module.title}</h1>
        <p role="status" className="mt-2 text-ink-soft">
          This training is being prepared. It opens here by itself,{' '}
          {module.hasVideo ? 'usually within a minute or two.' : 'once its video has arrived.'}
        </p>
        <Progress value={module.progress} label="Preparing the training" className="mt-7" />
        <p className="mt-2.5 text-sm font-medium text-ink-soft tabular-nums">{module.progress}%</p>
        {!module.hasVideo && (
          <p className="mt-4 text-sm text-ink-soft tabular-nums">Video {module.uploadPercent} % uploaded</p>
        )}
      </Card>
    </div>
  )
}

/** The uploader knows more; a learner can only come back. */
export function ShareNotAvailable({ title }: { title: string }) {
  return (
    <Notice icon={CircleSlash} role="status" title={title} actions={<GoHome variant="secondary" />}>
      <p>This training is not available yet. Please ask the person who sent you the link.</p>
    </Notice>
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

const HINTS = [
  'Press play and follow along. The step on screen is always marked.',
  'Tap a step to jump to that moment in the video.',
  'Pause, do the step yourself, then go on to the next one.',
]

export function HowToUse() {
  return (
    <Card className="p-5">
      <section aria-labelledby="how-to-use">
        <h2 id="how-to-use" className="font-semibold">
          How to Use
        </h2>
        <ol className="mt-3 grid gap-3 text-sm text-ink-soft">
          {HINTS.map((hint, at) => (
            <li key={hint} className="flex gap-3">
              <span aria-hidden="true" className="font-semibold text-brand tabular-nums">
                {at + 1}
              </span>
              {hint}
            </li>
          ))}
        </ol>
      </section>
    </Card>
  )
}
