import type { FallbackProps } from 'react-error-boundary'
import { forgetFailedParts } from '#web/lib/lazy-part.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'

/** In place of a tutor that could not be loaded. */
export function TutorMissing({ resetErrorBoundary }: Pick<FallbackProps, 'resetErrorBoundary'>) {
  function retry() {
    forgetFailedParts()
    resetErrorBoundary()
  }
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <p role="alert" className="text-sm text-ink-soft">
        The tutor could not be loaded.
      </p>
      <Button variant="secondary" size="small" onClick={retry}>
        Try again
      </Button>
    </Card>
  )
}
