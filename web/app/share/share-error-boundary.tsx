import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { PageBroken } from '#web/ui/page-broken.tsx'

/** Catches what breaks while the share page is drawn. */
export function ShareErrorBoundary({ children }: { children: ReactNode }) {
  return <ErrorBoundary fallbackRender={() => <PageBroken />}>{children}</ErrorBoundary>
}
