import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { toast } from 'sonner'
import { VersionsAnswer } from '#contract/version.ts'
import * as m from '#messages'
import { quotaSentence, useApi } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { NameField } from '#web/ui/text-fields.tsx'
import { dueReviewsKey, pathOf, versionsKey } from './versions-query.ts'

interface CheckDialogProps {
  moduleId: string
  /** The version that learners see, which was looked at. */
  published: number
  isOpen: boolean
  onClose: () => void
}

/** Records that a published version was looked at again and is still right. */
export function CheckDialog({ moduleId, published, isOpen, onClose }: CheckDialogProps) {
  const [name, setName] = useState('')
  const check = useRecordCheck(moduleId, onClose)
  function send(event: FormEvent) {
    event.preventDefault()
    if (!check.isPending) check.mutate({ published, name })
  }
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(isStillOpen) => !isStillOpen && onClose()}
      title={m.reviewed_still_right()}
      description={m.still_right_explained({ number: published })}
    >
      <form onSubmit={send} className="grid grid-cols-1 gap-5">
        <NameField name={name} onChange={setName} />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            {m.cancel()}
          </Button>
          <Button type="submit" isBusy={check.isPending}>
            {m.it_is_still_right()}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function useRecordCheck(moduleId: string, onDone: () => void) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { published: number; name: string }) =>
      callApi({ path: `${pathOf(moduleId)}/checks`, method: 'POST', body, schema: VersionsAnswer }),
    onSuccess: (answer) => {
      queryClient.setQueryData(versionsKey(moduleId), answer)
      onDone()
      toast.success(m.review_is_recorded())
      return queryClient.invalidateQueries({ queryKey: dueReviewsKey })
    },
    onError: (error) => {
      toast.error(m.failed_to_send_it(), { description: quotaSentence(error) ?? error.message })
      // Learners may see another version by now, which is to be looked at instead.
      void queryClient.invalidateQueries({ queryKey: versionsKey(moduleId), exact: true })
      void queryClient.invalidateQueries({ queryKey: dueReviewsKey })
    },
  })
}
