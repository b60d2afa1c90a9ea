import { FileQuestion, TriangleAlert } from 'lucide-react'
import { ApiError } from '#web/lib/api-error.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

interface ModuleUnavailableProps {
  error: Error
  isRetrying: boolean
  onRetry: () => void
}

/** Replaces the page when the module does not exist or could not be loaded. */
export function ModuleUnavailable({ error, isRetrying, onRetry }: ModuleUnavailableProps) {
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 403)
  const dashboard = (
    <ButtonLink to="/dashboard" variant={isMissing ? 'primary' : 'secondary'}>
      Go to Dashboard
    </ButtonLink>
  )
  if (isMissing) {
    return (
      <Notice icon={FileQuestion} role="alert" title="Module Not Found" actions={dashboard}>
        <p>This training module could not be found or is no longer available.</p>
      </Notice>
    )
  }
  const retry = (
    <Button isBusy={isRetrying} onClick={onRetry}>
      Try again
    </Button>
  )
  return (
    <Notice
      icon={TriangleAlert}
      tone="danger"
      role="alert"
      title="Could not load this training"
      actions={
        <>
          {retry}
          {dashboard}
        </>
      }
    >
      <p>{error.message}</p>
    </Notice>
  )
}
