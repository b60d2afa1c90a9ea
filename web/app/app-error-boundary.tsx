import { type ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import * as m from '#messages'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { PageBroken } from '#web/ui/notice.tsx'
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
  usePageTitle(m.something_went_wrong())
  if (classifyError(error) !== 'other') throw error
  return <PageBroken />
}
