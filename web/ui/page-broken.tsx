import { TriangleAlert } from 'lucide-react'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** In place of a page that broke while it was drawn. @see specification §2, error screens */
export function PageBroken() {
  return (
    <Notice
      icon={TriangleAlert}
      tone="danger"
      role="alert"
      title="Something went wrong"
      actions={<Button onClick={() => window.location.reload()}>Refresh Page</Button>}
    >
      <p>Please refresh the page and try again.</p>
    </Notice>
  )
}
