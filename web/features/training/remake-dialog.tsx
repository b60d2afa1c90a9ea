import { RotateCcw } from 'lucide-react'
import { useReprocessModule } from '#web/lib/use-reprocess-module.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import type { LoadedModule } from './module-query.ts'

interface RemakeDialogProps {
  module: LoadedModule
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Says what making the steps again means, before it begins. */
export function RemakeDialog({ module, isOpen, onOpenChange }: RemakeDialogProps) {
  const remake = useReprocessModule()
  function begin() {
    // Closed first: a module that is processed has no menu, and takes what is open in it along.
    onOpenChange(false)
    if (!remake.isPending) remake.mutate({ moduleId: module.id, from: module.status === 'FAILED' ? 'failed' : 'start' })
  }
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Make the steps again?"
      description={
        module.status === 'FAILED'
          ? 'Adapt goes on from where it broke off.'
          : 'Adapt goes through the whole video again, which takes a few minutes.'
      }
    >
      <ul className="grid list-disc gap-2 pl-5 text-sm text-ink-soft marker:text-ink-faint">
        <li>Steps that you have changed or added stay. What is new is then offered beside them, for you to decide.</li>
        <li>If nobody has changed a step, the new ones take their place.</li>
        <li>Lines of the transcript that you have corrected stay corrected where the same words are heard again.</li>
        <li>Until it is done, everybody goes on seeing the steps as they are now.</li>
      </ul>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={() => onOpenChange(false)}>
          Cancel
        </Button>
        <Button onClick={begin}>
          <RotateCcw aria-hidden="true" className="size-4" />
          Make the steps again
        </Button>
      </div>
    </Dialog>
  )
}
