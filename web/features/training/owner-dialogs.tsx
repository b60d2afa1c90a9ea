import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw, UserCheck } from 'lucide-react'
import { toast } from 'sonner'
import { Done } from '#contract/module.ts'
import { useApi } from '#web/lib/api.ts'
import { useReprocessModule } from '#web/lib/change-module.ts'
import { MODULES_KEY, moduleKey } from '#web/lib/module-cache.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import type { LoadedModule } from './module-query.ts'

const REMAKE_FACTS = [
  'Steps that you have changed or added stay. What is new is then offered beside them, for you to decide.',
  'If no step has been changed, the new ones take their place.',
  'Lines of the transcript that you have corrected stay corrected where the same words are transcribed again.',
  'Until it is done, everybody goes on seeing the steps as they are now.',
]

interface OwnerDialogProps {
  module: LoadedModule
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Says what reprocessing means, before it begins. */
export function RemakeDialog({ module, isOpen, onOpenChange }: OwnerDialogProps) {
  const remake = useReprocessModule()
  const isFailed = (module.newVersion ?? module).status === 'FAILED'
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Reprocess this video?"
      description={
        isFailed
          ? 'Adapt goes on from where it broke off.'
          : 'Adapt goes through the whole video again, which takes a few minutes.'
      }
      facts={REMAKE_FACTS}
      confirmIcon={RotateCcw}
      confirmLabel="Reprocess"
      onConfirm={() => {
        if (!remake.isPending) remake.mutate({ moduleId: module.id, from: isFailed ? 'failed' : 'start' })
      }}
    />
  )
}

const TAKE_OVER_FACTS = [
  'Your colleague keeps access for as long as they belong to the organization.',
  'From now on, what the module uses counts towards your daily limits.',
]

/** Says what taking a colleague's module over means, before it happens. */
export function TakeOverDialog({ module: { id }, isOpen, onOpenChange }: OwnerDialogProps) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const takeOver = useMutation({
    mutationFn: () =>
      callApi({ path: `/api/modules/${encodeURIComponent(id)}/take-over`, method: 'POST', schema: Done }),
    onSuccess: () => toast.success('This module is yours now'),
    onError: (error) => toast.error('Failed to take the module over', { description: error.message }),
    onSettled: () =>
      Promise.all([MODULES_KEY, moduleKey(id)].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Take this module over?"
      description="It becomes yours. Your organization keeps it, and its links still work."
      facts={TAKE_OVER_FACTS}
      confirmIcon={UserCheck}
      confirmLabel="Take over"
      onConfirm={() => {
        if (!takeOver.isPending) takeOver.mutate()
      }}
    />
  )
}
