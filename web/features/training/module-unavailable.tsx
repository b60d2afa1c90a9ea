import { FileQuestion, TriangleAlert } from 'lucide-react'
import { useIsMember } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** Replaces the page when the module does not exist or could not be loaded. */
export function ModuleUnavailable(props: { error: Error; isRetrying: boolean; onRetry: () => void }) {
  const { error, isRetrying, onRetry } = props
  const isMember = useIsMember()
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 403)
  return (
    <Notice
      icon={isMissing ? FileQuestion : TriangleAlert}
      tone={isMissing ? 'neutral' : 'danger'}
      role="alert"
      title={isMissing ? 'Module Not Found' : 'Could not load this training'}
      actions={
        <>
          {!isMissing && (
            <Button isBusy={isRetrying} onClick={onRetry}>
              Try again
            </Button>
          )}
          <ButtonLink to="/dashboard" variant={isMissing ? 'primary' : 'secondary'}>
            Go to Dashboard
          </ButtonLink>
        </>
      }
    >
      <p>{isMissing ? 'This training module could not be found or is no longer available.' : error.message}</p>
      {isMissing && isMember && (
        <p className="mt-2">
          If it belongs to an organization of yours, choose that one under Organizations in the account menu first.
        </p>
      )}
    </Notice>
  )
}
