import { useEffect, useEffectEvent, useState } from 'react'
import { type Blocker, type BlockerFunction, useBlocker } from 'react-router-dom'
import * as m from '#messages'
import { listen } from '#web/lib/browser-state.ts'
import { pageOf } from '#web/lib/page-of.ts'
import { AlertDialog } from '#web/ui/dialog.tsx'

interface UnsavedGuardProps {
  isUnsaved: boolean
  /** Attempts to save before the person is asked. @returns whether nothing is left to save */
  onLeave?: () => Promise<boolean>
  /** Where only a part of the page is guarded: that part's hash in the address. */
  hash?: string
}

/** Asks before a page with unsaved changes is left, for another page of Adapt or for another site. */
export function UnsavedGuard({ isUnsaved, onLeave, hash }: UnsavedGuardProps) {
  const blocker = useBlocker((way) => isUnsaved && (isToOtherPage(way) || isFromHash(way, hash)))
  useEffect(() => {
    if (isUnsaved) return listen(window, { beforeunload: (event) => event.preventDefault() })
  }, [isUnsaved])
  const isAsking = useLastTry(blocker, onLeave)
  return (
    <AlertDialog
      isOpen={isAsking}
      onOpenChange={(isOpen) => !isOpen && blocker.state === 'blocked' && blocker.reset()}
      title={m.leave_without_saving()}
      description={m.some_changes_are_not_saved()}
      confirmLabel={m.leave()}
      cancelLabel={m.stay()}
      onConfirm={() => blocker.state === 'blocked' && blocker.proceed()}
    />
  )
}

const isToOtherPage: BlockerFunction = ({ currentLocation, nextLocation }) =>
  pageOf(currentLocation.pathname) !== pageOf(nextLocation.pathname)

function isFromHash({ currentLocation, nextLocation }: Parameters<BlockerFunction>[0], hash?: string): boolean {
  return currentLocation.hash === hash && nextLocation.hash !== hash
}

/** Whether to ask: saving has been tried for the way out that is blocked now, and something is left. */
function useLastTry(blocker: Blocker, onLeave: UnsavedGuardProps['onLeave']): boolean {
  const [triedFor, setTriedFor] = useState<string | null>(null)
  const wayOut = blocker.state === 'blocked' ? blocker.location.key : null
  const tryToSave = useEffectEvent(async () => (await onLeave?.()) ?? false)
  const proceed = useEffectEvent(() => blocker.proceed?.())
  useEffect(() => {
    if (wayOut === null) return
    let isWaiting = true
    void tryToSave().then((isSaved) => {
      if (!isWaiting) return
      if (isSaved) proceed()
      else setTriedFor(wayOut)
    })
    return () => {
      isWaiting = false
    }
  }, [wayOut])
  return wayOut !== null && triedFor === wayOut
}
