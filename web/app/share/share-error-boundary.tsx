import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** Catches what breaks while the share page is drawn. */
export function ShareErrorBoundary({ children }: { children: ReactNode }) {
  return <ErrorBoundary fallbackRender={() => <PageBroken />}>{children}</ErrorBoundary>
}

function PageBroken() {
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
