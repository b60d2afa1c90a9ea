import { CircleSlash, TriangleAlert } from 'lucide-react'
import * as m from '#messages'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Skeleton, StillLoading } from '#web/ui/loading.tsx'
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
