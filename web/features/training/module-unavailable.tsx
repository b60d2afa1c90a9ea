import { FileQuestion, TriangleAlert } from 'lucide-react'
import * as m from '#messages'
import { useIsMember } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** @see specification §8, share */
const MISSING = m.this_training_module_could_not()
const ENDED = m.this_training_is_not_shared_any()

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
      title={isMissing ? (wasShared ? m.sharing_has_ended() : m.module_not_found()) : m.could_not_load_this_training()}
      actions={
        <>
          {!isMissing && (
            <Button isBusy={isRetrying} onClick={onRetry}>
              {m.try_again()}
            </Button>
          )}
          <ButtonLink to="/dashboard" variant={isMissing ? 'primary' : 'secondary'}>
            {m.go_to_dashboard()}
          </ButtonLink>
        </>
      }
    >
      <p>{isMissing ? (wasShared ? ENDED : MISSING) : error.message}</p>
      {isMissing && isMember && <p className="mt-2">{m.if_it_belongs_to_an()}</p>}
    </Notice>
  )
}
