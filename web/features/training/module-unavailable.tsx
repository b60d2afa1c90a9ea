import { FileQuestion, TriangleAlert } from 'lucide-react'
import { useIsMember } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** @see specification §8, share */
const MISSING = 'This training module could not be found or is no longer available.'
const ENDED = 'This training is not shared any more. Please ask the person who sent you the link.'

interface ModuleUnavailableProps {
  error: Error
  /** It could be watched until now, by a person who does not own it. */
  wasShared?: boolean
  isRetrying: boolean
  onRetry: () => void
}

/** Replaces the page when the module does not exist or could not be loaded. */
export function ModuleUnavailable({ error, wasShared = false, isRetrying, onRetry }: ModuleUnavailableProps) {
  const isMember = useIsMember()
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 403)
  return (
    <Notice
      icon={isMissing ? FileQuestion : TriangleAlert}
      tone={isMissing ? 'neutral' : 'danger'}
      role="alert"
      title={isMissing ? (wasShared ? 'Sharing has ended' : 'Module Not Found') : 'Could not load this training'}
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
      <p>{isMissing ? (wasShared ? ENDED : MISSING) : error.message}</p>
      {isMissing && isMember && (
        <p className="mt-2">
          If it belongs to an organization of yours, choose that one under Organizations in the account menu first.
        </p>
      )}
    </Notice>
  )
}
