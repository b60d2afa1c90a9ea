import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { forgetFailedParts } from '#web/lib/lazy-part.tsx'
import { Button } from './button.tsx'

/** Around a part that is loaded when it is opened: where that fails, it can be tried again. */
export function PartBoundary({ retryLabel, children }: { retryLabel: string; children: ReactNode }) {
  return (
    <ErrorBoundary
      onReset={forgetFailedParts}
      fallbackRender={({ resetErrorBoundary }) => (
        <Button variant="secondary" onClick={resetErrorBoundary}>
          {retryLabel}
        </Button>
      )}
    >
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  )
}
