import { useMutation, useQueryClient } from '@tanstack/react-query'
import { UserCheck } from 'lucide-react'
import { toast } from 'sonner'
import { Done } from '#contract/module.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { MODULES_KEY, moduleKey } from '#web/lib/module-cache.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import type { LoadedModule } from './module-query.ts'

const FACTS = [
  'Your colleague keeps access for as long as they belong to the organization.',
  'From now on, what the module uses counts towards your daily limits.',
]

interface TakeOverDialogProps {
  module: LoadedModule
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Says what taking a colleague's module over means, before it happens. */
export function TakeOverDialog({ module, isOpen, onOpenChange }: TakeOverDialogProps) {
  const takeOver = useTakeOver(module.id)
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Take this module over?"
      description="It becomes yours. Your organization keeps it, and its links still work."
      facts={FACTS}
      confirmIcon={UserCheck}
      confirmLabel="Take over"
      onConfirm={() => {
        if (!takeOver.isPending) takeOver.mutate()
      }}
    />
  )
}

function useTakeOver(moduleId: string) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () =>
      callApi({ path: `/api/modules/${encodeURIComponent(moduleId)}/take-over`, method: 'POST', schema: Done }),
    onSuccess: () => toast.success('This module is yours now'),
    onError: (error) => toast.error('Failed to take the module over', { description: error.message }),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: MODULES_KEY }),
        queryClient.invalidateQueries({ queryKey: moduleKey(moduleId) }),
      ]),
  })
}
