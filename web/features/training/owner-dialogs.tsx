import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw, UserCheck } from 'lucide-react'
import { toast } from 'sonner'
import { Done } from '#contract/module.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { useReprocessModule } from '#web/lib/change-module.ts'
import { MODULES_KEY, moduleKey } from '#web/lib/module-cache.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import type { LoadedModule } from './module-query.ts'

const REMAKE_FACTS = [
  m.steps_that_you_have_changed(),
  m.if_no_step_has_been(),
  m.lines_of_the_transcript_that(),
  m.until_it_is_done_everybody(),
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
      title={m.reprocess_this_video()}
      description={isFailed ? m.adapt_goes_on_from_where() : m.adapt_goes_through_the_whole()}
      facts={REMAKE_FACTS}
      confirmIcon={RotateCcw}
      confirmLabel={m.reprocess()}
      onConfirm={() => {
        if (!remake.isPending) remake.mutate({ moduleId: module.id, from: isFailed ? 'failed' : 'start' })
      }}
    />
  )
}

const TAKE_OVER_FACTS = [m.your_colleague_keeps_access_for(), m.from_now_on_what_the()]

/** Says what taking a colleague's module over means, before it happens. */
export function TakeOverDialog({ module: { id }, isOpen, onOpenChange }: OwnerDialogProps) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const takeOver = useMutation({
    mutationFn: () =>
      callApi({ path: `/api/modules/${encodeURIComponent(id)}/take-over`, method: 'POST', schema: Done }),
    onSuccess: () => toast.success(m.this_module_is_yours_now()),
    onError: (error) => toast.error(m.failed_to_take_the_module(), { description: error.message }),
    onSettled: () =>
      Promise.all([MODULES_KEY, moduleKey(id)].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={m.take_this_module_over()}
      description={m.it_becomes_yours_your_organization()}
      facts={TAKE_OVER_FACTS}
      confirmIcon={UserCheck}
      confirmLabel={m.take_over()}
      onConfirm={() => {
        if (!takeOver.isPending) takeOver.mutate()
      }}
    />
  )
}
