import { useMutation, useQueryClient } from '@tanstack/react-query'
import { UserCheck } from 'lucide-react'
import { toast } from 'sonner'
import { Done } from '#contract/module.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { MODULES_KEY, moduleKey } from '#web/lib/module-cache.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import type { LoadedModule } from './module-query.ts'

interface TakeOverDialogProps {
  module: LoadedModule
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Says what taking a colleague's module over means, before it happens. */
export function TakeOverDialog({ module, isOpen, onOpenChange }: TakeOverDialogProps) {
  const takeOver = useTakeOver(module.id)
  function begin() {
    onOpenChange(false)
    if (!takeOver.isPending) takeOver.mutate()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Take this module over?"
      description="It becomes yours. Your organization keeps it, and links go on working."
    >
      <ul className="grid list-disc gap-2 pl-5 text-sm text-ink-soft marker:text-ink-faint">
        <li>Your colleague keeps access as a member of the organization. After leaving it, they have none.</li>
        <li>From now on it counts towards your limits of a day.</li>
      </ul>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={() => onOpenChange(false)}>
          Cancel
        </Button>
        <Button onClick={begin}>
          <UserCheck aria-hidden="true" className="size-4" />
          Take over
        </Button>
      </div>
    </Dialog>
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
