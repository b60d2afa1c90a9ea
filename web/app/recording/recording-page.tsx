import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { toast } from 'sonner'
import type { Recording } from '#contract/training/recording.ts'
import type { ImagePlace } from '#media/place-by-image.ts'
import * as m from '#messages'
import { ImageSearch } from '#web/features/recording/image-search.tsx'
import { withPlaces } from '#web/features/recording/placed-steps.ts'
import { recordingQuery, useDropRecording, useTakeRecording } from '#web/features/recording/recording-query.ts'
import { RecordingReview, RecordingState } from '#web/features/recording/recording-review.tsx'
import { TimeFields } from '#web/features/step-editor/time-fields.tsx'
import { type LoadedModule, moduleQuery } from '#web/features/training/module-query.ts'
import { useApi } from '#web/lib/api.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Progress, Skeleton, StillLoading } from '#web/ui/loading.tsx'
import { ListFailed } from '#web/ui/notice.tsx'
import { TrainingVideo, useTrainingVideo } from '../pages/training-video.tsx'
import { trainingPath, uploadRecordingPath } from '../shared/paths.ts'
import { NO_STEPS } from '../shared/player-steps.ts'
import { TrainingSubpage } from '../shared/training-subpage.tsx'

/** `/training/{moduleId}/recording`: a new video for a training, which its owner looks at before it is taken. */
export function RecordingPage() {
  return (
    <TrainingSubpage title={m.replace_the_video()} skeleton={<RecordingSkeleton />}>
      {(module) => (
        <div className="mt-6">
          <NewRecording module={module} />
        </div>
      )}
    </TrainingSubpage>
  )
}

function RecordingSkeleton() {
  return (
    <>
      <Skeleton className="mt-6 h-60 rounded-card" />
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
  if (data.recording !== null)
    return <FoundRecording key={data.recording.moduleId} module={module} recording={data.recording} />
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
  const { video, playhead } = useNewVideo(recording.moduleId)
  const [places, setPlaces] = useState<ReadonlyMap<string, ImagePlace> | null>(null)
  if (recording.status === 'READY' || recording.isSilent)
    return (
      <RecordingReview
        // Drawn anew for another recording, and after a change of the steps.
        key={`${recording.moduleId}-${recording.version}`}
        recording={places === null ? recording : withPlaces(recording, places)}
        recordingPath={trainingPath(recording.moduleId)}
        uploadPath={uploadRecordingPath(module.id)}
        video={video}
        search={recording.isSilent && places === null && <ImageSearch {...{ module, recording }} onFound={setPlaces} />}
        renderTimes={(form) => <TimeFields {...{ form, playhead }} />}
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
      {isFailed && <ButtonLink to={uploadRecordingPath(module.id)}>{m.upload_a_new_recording()}</ButtonLink>}
      {recording.mayDrop && (
        <Button variant="ghost" isBusy={drop.isPending} onClick={onDrop}>
          {m.keep_the_old_video()}
        </Button>
      )}
    </RecordingState>
  )
}

/** The new video beside its steps, and what sets their times by it. */
function useNewVideo(recordingId: string) {
  const { data: module } = useQuery(moduleQuery(useApi(), recordingId))
  const { player, videoPlace, playhead, onTimeChange } = useTrainingVideo({
    hasVideo: module?.hasVideo === true,
    steps: NO_STEPS,
  })
  const video = module && (
    <div ref={videoPlace} className="scroll-mt-20">
      <TrainingVideo ref={player} module={module} onTimeChange={onTimeChange} />
    </div>
  )
  return { video, playhead }
}
