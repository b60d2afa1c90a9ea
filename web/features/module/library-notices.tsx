import { CloudAlert, SearchX, WifiOff } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** Instead of the list when it could not be loaded. */
export function LibraryError({ message, isBusy, onRetry }: { message: string; isBusy: boolean; onRetry: () => void }) {
  return (
    <Notice
      icon={CloudAlert}
      tone="danger"
      role="alert"
      level={2}
      title="Failed to fetch modules"
      actions={
        <Button onClick={onRetry} isBusy={isBusy}>
          Try Again
        </Button>
      }
    >
      <p>{message}</p>
    </Notice>
  )
}

/** Instead of the list while there is no connection and nothing has been loaded before. */
export function LibraryOffline() {
  return (
    <Notice icon={WifiOff} role="status" level={2} title="You are offline">
      <p>Your modules appear as soon as the connection is back.</p>
    </Notice>
  )
}

export function NoMatch({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <Notice
      icon={SearchX}
      level={2}
      title="No module matches"
      actions={
        <Button variant="secondary" onClick={onClear}>
          Clear search
        </Button>
      }
    >
      <p>No title contains “{search}”.</p>
    </Notice>
  )
}

interface ListEndProps {
  hasMore: boolean
  isLoading: boolean
  /** Why the next page could not be loaded; null when it could. */
  failure: string | null
  onMore: () => void
}

/** Below the last card: the next page comes by itself, and on demand where it did not. */
export function ListEnd({ hasMore, isLoading, failure, onMore }: ListEndProps) {
  if (!hasMore) return null
  return (
    <div className="flex flex-col items-center gap-3 pt-2 text-center">
      {failure !== null && (
        <p role="alert" className="text-sm text-danger-ink">
          Failed to fetch modules. {failure}
        </p>
      )}
      <Button variant="secondary" isBusy={isLoading} onClick={onMore}>
        {failure === null ? 'Load more' : 'Try Again'}
      </Button>
    </div>
  )
}
