import { RotateCcw } from 'lucide-react'
import { useReprocessModule } from '#web/lib/use-reprocess-module.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import type { LoadedModule } from './module-query.ts'

const FACTS = [
  'Steps that you have changed or added stay. What is new is then offered beside them, for you to decide.',
  'If no step has been changed, the new ones take their place.',
  'Lines of the transcript that you have corrected stay corrected where the same words are transcribed again.',
  'Until it is done, everybody goes on seeing the steps as they are now.',
]

interface RemakeDialogProps {
  module: LoadedModule
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Says what making the steps again means, before it begins. */
export function RemakeDialog({ module, isOpen, onOpenChange }: RemakeDialogProps) {
  const remake = useReprocessModule()
  const isFailed = module.status === 'FAILED'
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Make the steps again?"
      description={
        isFailed
          ? 'Adapt goes on from where it broke off.'
          : 'Adapt goes through the whole video again, which takes a few minutes.'
      }
      facts={FACTS}
      confirmIcon={RotateCcw}
      confirmLabel="Make the steps again"
      onConfirm={() => {
        if (!remake.isPending) remake.mutate({ moduleId: module.id, from: isFailed ? 'failed' : 'start' })
      }}
    />
  )
}
