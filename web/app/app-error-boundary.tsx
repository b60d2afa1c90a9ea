import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** Catches what breaks while a page is drawn. `resetKey` (the path) lets another page start afresh. */
export function AppErrorBoundary({ resetKey, children }: { resetKey?: string; children: ReactNode }) {
  return (
    <ErrorBoundary fallback={<AppError />} resetKeys={[resetKey]}>
      {children}
    </ErrorBoundary>
  )
}

function AppError() {
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
