import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { toast } from 'sonner'
import { VERSION_NOTE_MAX_CHARS } from '#contract/limits.ts'
import { PublishConflict, type PublishRequest, Retraining } from '#contract/version.ts'
import * as m from '#messages'
import { quotaSentence, useApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormField, Select, Textarea } from '#web/ui/form-controls.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { ChangeList } from './change-list.tsx'
import { VersionNotLoaded } from './version-comparison.tsx'
import { usePublish, versionQuery, versionsQuery } from './versions-query.ts'

interface PublishDialogProps {
  moduleId: string
  posterUrl: string | null
  /** The version that learners see. */
  published: number
  isOpen: boolean
  onClose: () => void
}

/** Shows what is new in the draft, and publishes exactly that. */
export function PublishDialog({ isOpen, onClose, ...form }: PublishDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(isStillOpen) => !isStillOpen && onClose()}
      title={m.publish_a_version()}
      description={m.publish_compared_with({ number: form.published })}
      width="wide"
    >
      <PublishForm {...form} onClose={onClose} />
    </Dialog>
  )
}

const RETRAINING: Record<Retraining, () => string> = {
  none: m.retraining_none,
  changed: m.retraining_changed,
  all: m.retraining_all,
}

type PublishFormProps = Omit<PublishDialogProps, 'isOpen'>

function PublishForm({ moduleId, posterUrl, published, onClose }: PublishFormProps) {
  const callApi = useApi()
  const before = useQuery(versionQuery(callApi, moduleId, published))
  const draft = useQuery(versionQuery(callApi, moduleId, 'draft'))
  const { publish, isStale } = usePublishing({ moduleId, onClose })
  const failed = [before, draft].find(({ isLoadingError }) => isLoadingError)
  if (failed !== undefined) return <VersionNotLoaded isBusy={failed.isFetching} onRetry={() => failed.refetch()} />
  if (before.data === undefined || draft.data === undefined)
    return <LoadingSkeleton what={m.the_changes()} className="h-40 rounded-card" />
  const { hash, content } = draft.data
  return (
    <div className="grid grid-cols-1 gap-5">
      <p role="status" className="text-sm font-medium text-warn-ink empty:hidden">
        {isStale && m.draft_has_changed_meanwhile()}
      </p>
      <ChangeList before={before.data.content} after={content} posterUrl={posterUrl} />
      <PublishFields
        hasChanges={hash !== before.data.hash}
        isBusy={publish.isPending}
        onCancel={onClose}
        onPublish={(fields) => publish.mutate({ ...fields, draft: hash, published })}
      />
    </div>
  )
}

/** Publishes a draft; where it is another one by now, the dialog shows that one. */
function usePublishing({ moduleId, onClose }: Pick<PublishFormProps, 'moduleId' | 'onClose'>) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const [isStale, setIsStale] = useState(false)
  const publish = usePublish(moduleId, {
    onPublished: ({ published: number }) => {
      onClose()
      if (number !== null) toast.success(m.version_is_published({ number }))
    },
    onFailed: (error) => {
      const conflict = error instanceof ApiError ? PublishConflict.safeParse(error.body).data : undefined
      if (conflict === undefined) {
        toast.error(m.failed_to_publish(), { description: quotaSentence(error) ?? error.message })
        return
      }
      setIsStale(true)
      const { hash, content } = conflict
      queryClient.setQueryData(versionQuery(callApi, moduleId, 'draft').queryKey, { success: true, hash, content })
      void queryClient.invalidateQueries({ queryKey: versionsQuery(callApi, moduleId).queryKey, exact: true })
    },
  })
  return { publish, isStale }
}

interface PublishFieldsProps {
  hasChanges: boolean
  isBusy: boolean
  onCancel: () => void
  onPublish: (fields: Pick<PublishRequest, 'note' | 'retraining'>) => void
}

function PublishFields({ hasChanges, isBusy, onCancel, onPublish }: PublishFieldsProps) {
  const [note, setNote] = useState('')
  const [retraining, setRetraining] = useState<Retraining>('none')
  const ids = { note: useId(), retraining: useId() }
  function send(event: FormEvent) {
    event.preventDefault()
    onPublish({ note, retraining })
  }
  return (
    <form onSubmit={send} className="grid grid-cols-1 gap-5">
      {hasChanges && (
        <>
          <FormField id={ids.note} label={m.version_note()}>
            {(links) => (
              <Textarea
                {...links}
                rows={3}
                maxLength={VERSION_NOTE_MAX_CHARS}
                value={note}
                onChange={(event) => setNote(event.target.value)}
              />
            )}
          </FormField>
          <FormField id={ids.retraining} label={m.retraining_question()}>
            {(links) => (
              <Select
                {...links}
                value={retraining}
                onChange={(event) => setRetraining(Retraining.parse(event.target.value))}
              >
                {Retraining.options.map((option) => (
                  <option key={option} value={option}>
                    {RETRAINING[option]()}
                  </option>
                ))}
              </Select>
            )}
          </FormField>
        </>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onCancel}>
          {m.cancel()}
        </Button>
        {hasChanges && (
          <Button type="submit" isBusy={isBusy}>
            {m.publish_action()}
          </Button>
        )}
      </div>
    </form>
  )
}

/** Says who does it again because of a version. */
export function sayRetraining(retraining: Retraining): string {
  return m.retraining_of_version({ who: RETRAINING[retraining]() })
}
