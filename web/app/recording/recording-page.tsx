import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { Link, Navigate, useNavigate, useParams } from 'react-router-dom'
import { toast } from 'sonner'
import type { Recording } from '#contract/training/recording.ts'
import * as m from '#messages'
import { recordingQuery, useDropRecording, useTakeRecording } from '#web/features/recording/recording-query.ts'
import { RecordingReview, RecordingState } from '#web/features/recording/recording-review.tsx'
import { type LoadedModule, moduleQuery } from '#web/features/training/module-query.ts'
import { ModuleUnavailable } from '#web/features/training/module-unavailable.tsx'
import { useApi } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Progress, Skeleton, StillLoading } from '#web/ui/loading.tsx'
import { ListFailed } from '#web/ui/notice.tsx'
import { trainingPath, uploadRecordingPath } from '../shared/paths.ts'

/** `/training/{moduleId}/recording`: a new video for a training, which its owner looks at before it is taken. */
export function RecordingPage() {
  const { moduleId = '' } = useParams()
  const query = useQuery(moduleQuery(useApi(), moduleId))
  const module = query.data
  usePageTitle(m.replace_the_video())
  if (module?.role === 'viewer') return <Navigate to={trainingPath(moduleId)} replace />
  if (module === undefined && query.error !== null)
    return (
      <ModuleUnavailable
        error={query.error}
        wasShared={false}
        isRetrying={query.isFetching}
        onRetry={() => query.refetch()}
      />
    )
  return (
    <div className="mx-auto w-full max-w-3xl flex-1 px-4 py-8 sm:px-6 sm:py-12">
      <Link
        to={trainingPath(moduleId)}
        className="mb-4 inline-flex min-h-8 items-center gap-1.5 rounded-chip text-sm font-medium text-brand-ink hover:underline"
      >
        <ArrowLeft aria-hidden="true" className="size-4 rtl:rotate-180" />
        {m.back_to_the_training()}
      </Link>
      <h1 className="text-3xl font-semibold wrap-anywhere">{m.replace_the_video()}</h1>
      <p dir="auto" className="mt-1 wrap-anywhere text-ink-soft">
        {module?.title}
      </p>
      <div className="mt-6">{module === undefined ? <RecordingSkeleton /> : <NewRecording module={module} />}</div>
    </div>
  )
}

function RecordingSkeleton() {
  return (
    <>
      <Skeleton className="h-60 rounded-card" />
      <StillLoading what={m.the_new_recording()} />
    </>
  )
}

function NewRecording({ module }: { module: LoadedModule }) {
  const { data, error, isFetching, refetch } = useQuery(recordingQuery(useApi(), module.id))
  if (data === undefined && error !== null)
    return (
      <ListFailed
        title={m.failed_to_load_the_recording()}
        error={error}
        isBusy={isFetching}
        onRetry={() => refetch()}
      />
    )
  if (data === undefined) return <RecordingSkeleton />
  if (data.recording !== null) return <FoundRecording module={module} recording={data.recording} />
  return (
    <RecordingState text={m.replace_the_video_intro()}>
      <ButtonLink to={uploadRecordingPath(module.id)}>{m.upload_a_new_recording()}</ButtonLink>
    </RecordingState>
  )
}

function FoundRecording({ module, recording }: { module: LoadedModule; recording: Recording }) {
  const navigate = useNavigate()
  const onFailed = (error: Error) => toast.error(m.failed_to_replace_the_video(), { description: error.message })
  const take = useTakeRecording(module.id, {
    onFailed,
    onDone: () => {
      const description = module.publishedVersion === null ? undefined : m.changes_wait_until_published()
      toast.success(m.the_video_was_replaced(), { description })
      void navigate(trainingPath(module.id))
    },
  })
  const drop = useDropRecording(module.id, { onFailed, onDone: () => void navigate(trainingPath(module.id)) })
  const onDrop = () => drop.mutate(recording.moduleId)
  if (recording.status === 'READY')
    return (
      <RecordingReview
        key={`${recording.moduleId}-${recording.version}`}
        recording={recording}
        busy={take.isPending ? 'take' : drop.isPending ? 'drop' : null}
        onTake={(request) => take.mutate(request)}
        onDrop={onDrop}
      />
    )
  const isFailed = recording.status === 'FAILED'
  return (
    <RecordingState text={isFailed ? m.new_recording_failed() : m.new_recording_is_processed()}>
      {!isFailed && <Progress value={recording.progress} label={m.the_new_recording()} />}
      <ButtonLink to={trainingPath(recording.moduleId)} variant="secondary">
        {m.open_the_new_recording()}
      </ButtonLink>
      {recording.mayDrop && (
        <Button variant="ghost" isBusy={drop.isPending} onClick={onDrop}>
          {m.keep_the_old_video()}
        </Button>
      )}
    </RecordingState>
  )
}
