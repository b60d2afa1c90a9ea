import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'

/** Around what the player can do without: nothing is shown while it loads, or where that fails. */
export function QuietPart({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary fallback={null}>
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  )
}
