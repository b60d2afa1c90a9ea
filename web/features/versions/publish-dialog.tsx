import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'sonner'
import { UNPUBLISHED } from '#contract/module.ts'
import { listChangedSteps } from '#contract/training/compare-versions.ts'
import { PublishConflict, type Retraining, type Review, type VersionContent } from '#contract/version.ts'
import * as m from '#messages'
import { quotaSentence, useApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { LoadingSkeleton } from '#web/ui/loading.tsx'
import { PublishFields, type PublishTask } from './publish-fields.tsx'
import { ReviewedDraft } from './reviewed-draft.tsx'
import { threadsQuery } from './threads-query.ts'
import { VersionNotLoaded } from './version-comparison.tsx'
import { useAskForReview, usePublish, useSendBack, versionQuery, versionsQuery } from './versions-query.ts'

interface PublishDialogProps {
  moduleId: string
  posterUrl: string | null
  /** The version that learners see; {@link UNPUBLISHED} before the first. */
  published: number
  /** What the organization's rules leave to this person: `sign`: to publish with their name, `ask`: to ask for it. */
  task?: PublishTask
  /** What somebody asks to be released. */
  review?: Review | null
  isOpen: boolean
  onClose: () => void
}

const TITLES: Record<PublishTask, () => string> = {
  publish: m.publish_a_version,
  sign: m.review_and_release,
  ask: m.ask_for_release,
}

/** Shows what is new in the draft, and publishes exactly that, or asks for it. */
export function PublishDialog({ isOpen, onClose, ...form }: PublishDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(isStillOpen) => !isStillOpen && onClose()}
      title={TITLES[form.task ?? 'publish']()}
      description={
        form.published === UNPUBLISHED
          ? m.publish_the_first_version()
          : m.publish_compared_with({ number: form.published })
      }
      width="wide"
    >
      <PublishForm {...form} onClose={onClose} />
    </Dialog>
  )
}

type PublishFormProps = Omit<PublishDialogProps, 'isOpen'>

function PublishForm({ moduleId, posterUrl, published, task = 'publish', review = null, onClose }: PublishFormProps) {
  const callApi = useApi()
  const [name, setName] = useState('')
  const isFirst = published === UNPUBLISHED
  const before = useQuery({ ...versionQuery(callApi, moduleId, published), enabled: !isFirst })
  const draft = useQuery(versionQuery(callApi, moduleId, 'draft'))
  // A draft can be published where they cannot be read.
  const { data: threads, isPending: areThreadsPending } = useQuery(threadsQuery(callApi, moduleId, 'draft'))
  const { publish, stale } = usePublishing({ moduleId, onClose })
  const { ask, sendBack } = useReviewing({ moduleId, onClose })
  const { data: { trained } = { trained: 0 } } = useQuery(versionsQuery(callApi, moduleId))
  const failed = [before, draft].find(({ isLoadingError }) => isLoadingError)
  if (failed !== undefined) return <VersionNotLoaded isBusy={failed.isFetching} onRetry={() => failed.refetch()} />
  if ((before.data === undefined && !isFirst) || draft.data === undefined || areThreadsPending)
    return <LoadingSkeleton what={m.the_changes()} className="h-40 rounded-card" />
  const { hash, content } = draft.data
  return (
    <div className="grid grid-cols-1 gap-5">
      <p role="status" className="text-sm font-medium text-warn-ink empty:hidden">
        {stale !== null && STALE[stale]()}
      </p>
      <ReviewedDraft
        commenter={task === 'publish' ? null : { moduleId, name, onName: setName }}
        {...{ moduleId, posterUrl, published, content }}
        threads={threads ?? []}
        before={before.data?.content ?? null}
      />
      <PublishFields
        {...{ task, review, name }}
        openThreads={threads?.filter(({ isResolved }) => !isResolved).length ?? 0}
        onName={setName}
        sayReach={(retraining) =>
          before.data === undefined
            ? null
            : sayReach(retraining, { before: before.data.content, after: content, people: trained })
        }
        hasChanges={hash !== before.data?.hash}
        isFirst={isFirst}
        busy={publish.isPending || ask.isPending ? 'send' : sendBack.isPending ? 'sendBack' : null}
        onCancel={onClose}
        onSend={({ meaning, words, ...fields }) => {
          if (task === 'ask') return ask.mutate({ ...fields, name, draft: hash })
          const approval = task === 'sign' ? { approval: { name, meaning, words } } : {}
          const seenComments = threads?.reduce((sum, { comments }) => sum + comments.length, 0)
          publish.mutate({ ...fields, ...approval, draft: hash, published, seenComments })
        }}
        onSendBack={sendBack.mutate}
      />
    </div>
  )
}

interface Reach {
  before: VersionContent
  after: VersionContent
  /** Who has done an earlier version. */
  people: number
}

/** Says how many people are asked for how many steps. */
function sayReach(retraining: Retraining, { before, after, people }: Reach): string | null {
  if (retraining === 'none' || people === 0) return null
  const all = after.steps.length
  const steps = retraining === 'all' ? all : listChangedSteps(before, after).length
  return m.retraining_reach({ people, steps, all })
}

/** What a publisher has not seen. */
type Stale = 'draft' | 'comments'

const STALE: Record<Stale, () => string> = {
  draft: m.draft_has_changed_meanwhile,
  comments: m.comments_have_come_meanwhile,
}

/** Publishes a draft; where it is another one by now, the dialog shows that one. */
function usePublishing({ moduleId, onClose }: Pick<PublishFormProps, 'moduleId' | 'onClose'>) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const [stale, setStale] = useState<Stale | null>(null)
  const publish = usePublish(moduleId, {
    onPublished: ({ published: number }) => {
      onClose()
      if (number !== null) toast.success(m.version_is_published({ number }))
    },
    onFailed: (error) => {
      if (!(error instanceof ApiError && error.code === 'version_conflict')) {
        toast.error(m.failed_to_publish(), { description: quotaSentence(error) ?? error.message })
        return
      }
      void queryClient.invalidateQueries({ queryKey: threadsQuery(callApi, moduleId, 'draft').queryKey })
      const conflict = PublishConflict.safeParse(error.body).data
      setStale(conflict === undefined ? 'comments' : 'draft')
      if (conflict === undefined) return
      const { hash, content } = conflict
      queryClient.setQueryData(versionQuery(callApi, moduleId, 'draft').queryKey, { success: true, hash, content })
      void queryClient.invalidateQueries({ queryKey: versionsQuery(callApi, moduleId).queryKey, exact: true })
    },
  })
  return { publish, stale }
}

/** Asking others for a release, and sending back what others ask for. */
function useReviewing({ moduleId, onClose }: Pick<PublishFormProps, 'moduleId' | 'onClose'>) {
  const onFailed = (error: Error) =>
    void toast.error(m.failed_to_send_it(), { description: quotaSentence(error) ?? error.message })
  const after = (sayDone: () => string) => () => {
    onClose()
    toast.success(sayDone())
  }
  return {
    ask: useAskForReview(moduleId, { onPublished: after(m.release_was_asked_for), onFailed }),
    sendBack: useSendBack(moduleId, { onPublished: after(m.draft_was_sent_back_toast), onFailed }),
  }
}
