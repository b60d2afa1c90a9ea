import { useEffect } from 'react'
import { useBlocker } from 'react-router-dom'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'

/** Asks before an upload is lost: by a dialog for links of ours, by the browser's own for everything else. */
export function LeaveGuard({ isRunning }: { isRunning: () => boolean }) {
  const blocker = useBlocker(isRunning)
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent) => isRunning() && event.preventDefault()
    window.addEventListener('beforeunload', onBeforeUnload)
    return () => window.removeEventListener('beforeunload', onBeforeUnload)
  })
  return (
    <AlertDialog
      isOpen={blocker.state === 'blocked'}
      onOpenChange={(isOpen) => !isOpen && blocker.reset?.()}
      title="Leave and cancel the upload?"
      description="The file is still on its way. Once it has arrived you can close this page, and Adapt goes on by itself."
      cancelLabel="Keep uploading"
      confirmLabel="Leave"
      onConfirm={() => blocker.proceed?.()}
    />
  )
}
