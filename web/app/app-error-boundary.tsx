import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { classifyError } from './classify-error.ts'

/**
 * Catches what breaks while a page is drawn; what has a cause that can be named is passed on to the global boundary,
 * which knows more to do. `resetKey` (the path) lets another page start afresh.
 */
export function AppErrorBoundary({ resetKey, children }: { resetKey?: string; children: ReactNode }) {
  return (
    <ErrorBoundary fallbackRender={({ error }) => <AppError error={error} />} resetKeys={[resetKey]}>
      {children}
    </ErrorBoundary>
  )
}

function AppError({ error }: { error: unknown }) {
  usePageTitle('Something went wrong')
  if (classifyError(error) !== 'other') throw error
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
