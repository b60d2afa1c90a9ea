import { Check, CircleAlert } from 'lucide-react'
import { Spinner } from '#web/ui/spinner.tsx'
import type { SaveState } from './use-auto-save.ts'

/** How far the draft is on its way to the server. Its place is kept, so that nothing moves. */
export function SaveStatus({ state, problemCount }: { state: SaveState; problemCount: number }) {
  return (
    <p role="status" className="flex min-h-6 items-center gap-1.5 text-sm whitespace-nowrap text-ink-soft">
      {state === 'saving' && (
        <>
          <Spinner className="size-4 text-brand" /> Saving…
        </>
      )}
      {state === 'saved' && (
        <>
          <Check aria-hidden="true" className="size-4 text-brand" /> Saved
        </>
      )}
      {state === 'unsaved' && (
        <span className="flex items-center gap-1.5 font-medium text-warn-ink">
          <CircleAlert aria-hidden="true" className="size-4" />
          {problemCount === 0 ? 'Unsaved' : `Unsaved (${countErrors(problemCount)})`}
        </span>
      )}
      {state === 'error' && (
        <span className="flex items-center gap-1.5 font-medium text-danger-ink">
          <CircleAlert aria-hidden="true" className="size-4" /> Not saved
        </span>
      )}
    </p>
  )
}

/** `1 error`, `2 errors`. */
export function countErrors(count: number): string {
  return `${count} ${count === 1 ? 'error' : 'errors'}`
}
