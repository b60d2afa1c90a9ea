import { CircleSlash } from 'lucide-react'
import * as m from '#messages'
import { buttonClass } from '#web/ui/button.tsx'
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

/** Not a link of the router: the app is another page. In a frame it opens outside of it. */
function GoHome() {
  return (
    <a href="/" target="_top" className={buttonClass({})}>
      {m.go_home()}
    </a>
  )
}
