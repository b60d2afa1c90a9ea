import { CloudOff } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** The sign-in service could not be loaded. Nothing is lost; only this page needs to be loaded again. */
export function AuthUnavailable() {
  return (
    <Notice
      icon={CloudOff}
      tone="danger"
      role="alert"
      title="Sign-in is not available"
      actions={<Button onClick={() => window.location.reload()}>Refresh Page</Button>}
    >
      <p>
        The sign-in service did not answer. Check your connection, or a blocker that stops it, and refresh the page.
      </p>
    </Notice>
  )
}
