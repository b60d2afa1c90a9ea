import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Navigate, useLocation, useParams, useSearchParams } from 'react-router-dom'
import type { StepsAnswer } from '#contract/step.ts'
import * as m from '#messages'
import { PlayerFrame, PlayerLoading } from '#web/features/player/video-player.tsx'
import { useStepSummary } from '#web/features/step/growing-steps.tsx'
import { mayHaveSteps, stepsQuery } from '#web/features/step/steps-query.ts'
import { chooseView, NAMING_HASH } from '#web/features/training/choose-view.ts'
import { DraftNote } from '#web/features/training/draft-note.tsx'
import { type LoadedModule, moduleQuery } from '#web/features/training/module-query.ts'
import { ModuleTitle } from '#web/features/training/module-title.tsx'
import { ModuleUnavailable } from '#web/features/training/module-unavailable.tsx'
import { NewVersionNote } from '#web/features/training/new-version-note.tsx'
import {
  OverdueNote,
  type Pace,
  ProcessingView,
  ProgressStrip,
  usePace,
} from '#web/features/training/processing-view.tsx'
import {
  CompanySkeleton,
  TrainingLayout,
  TrainingSkeleton,
  VideoPlace,
} from '#web/features/training/training-layout.tsx'
import { Workplace } from '#web/features/training/workplace.tsx'
import { NoticeCard } from '#web/features/watch/module-watch.tsx'
import { useApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { runMessage } from '#web/lib/server-sentences.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { LatePart, PanelSkeleton } from '../shared/late-part.tsx'
import { recordingPath, trainingPath, versionsPath } from '../shared/paths.ts'
import { useTrainingUpdates } from '../shared/use-training-updates.ts'
import { canStartByHand, FailedTraining, ManualStart, ModuleCaptions } from './failed-training.tsx'
import { TrainingHeading } from './training-heading.tsx'
import { isSection, type SectionName, titleOf } from './training-sections.tsx'
import { TrainingWorkspace } from './training-workspace.tsx'

/** The processing screen before the server has said anything, in the shape of what comes next. */
function AwaitedTraining({ pace, onCheckAgain }: { pace: Pace; onCheckAgain: () => void }) {
  return (
    <TrainingLayout title={m.new_training()}>
      <Workplace
        video={
          <VideoPlace>
            <PlayerFrame>
              <PlayerLoading />
            </PlayerFrame>
          </VideoPlace>
        }
        status={<ProcessingView progress={0} message="" pace={pace} onCheckAgain={onCheckAgain} />}
        steps={<Skeleton className="h-40 w-full rounded-card lg:h-full" />}
        company={<CompanySkeleton />}
        sections={{}}
      />
    </TrainingLayout>
  )
}

interface TrainingStatusProps {
  module: LoadedModule
  stepCount: number
  pace: Pace
  onRecovered: () => void
  onCheckAgain: () => void
}

/** What an owner is to know of a training that is ready. */
function ReadyNotes({ module }: { module: LoadedModule }) {
  const newVersion = <NewVersionNote module={module} captions={<ModuleCaptions module={module} />} />
  if (module.replaces !== null) return <OfAnother moduleId={module.replaces} />
  if (module.publishedVersion === null) return newVersion
  const action = (
    <ButtonLink to={versionsPath(module.id)} variant="secondary" size="small">
      {m.published_versions()}
    </ButtonLink>
  )
  return (
    <div className="grid grid-cols-1 gap-4">
      <DraftNote number={module.publishedVersion} action={action} />
      {newVersion}
    </div>
  )
}

/** Leads from a new recording, which is a training of its own until then, to where its video is taken. */
function OfAnother({ moduleId }: { moduleId: string }) {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <p className="min-w-0 flex-1 basis-56 text-sm">{m.new_recording_of_another()}</p>
      <ButtonLink to={recordingPath(moduleId)} variant="secondary" size="small">
        {m.replace_the_video()}
      </ButtonLink>
    </Card>
  )
}

function TrainingStatus({ module, stepCount, pace, onRecovered, onCheckAgain }: TrainingStatusProps) {
  const { status, progress } = module
  const message = runMessage(module.message)
  if (status === 'READY') return <ReadyNotes module={module} />
  if (status === 'FAILED') return <FailedTraining look="notice" module={module} onRecovered={onRecovered} />
  return (
    <div className="grid grid-cols-1 gap-4">
      {stepCount > 0 ? (
        <>
          <ProgressStrip progress={progress} message={message} pace={pace} />
          <div role="status" className="empty:hidden">
            {pace.slowness === 'overdue' && <OverdueNote {...{ pace, onCheckAgain }} />}
          </div>
        </>
      ) : (
        <ProcessingView progress={progress} message={message} pace={pace} onCheckAgain={onCheckAgain} />
      )}
      {module.role === 'owner' && <NoticeCard />}
    </div>
  )
}

const NamingTraining = lazyPart(async () => (await import('./naming-training.tsx')).NamingTraining)

/** The naming screen, which keeps its address when the first name has made the module READY. */
function NamedTraining({ module, query }: { module: LoadedModule; query: UseQueryResult<StepsAnswer> }) {
  const { pathname, search, hash } = useLocation()
  return (
    <TrainingLayout width="narrow" title={module.title} heading={<ModuleTitle module={module} />}>
      {hash !== NAMING_HASH && <Navigate to={{ pathname, search, hash: NAMING_HASH }} replace />}
      <LatePart what={m.the_scenes()} skeleton={<PanelSkeleton className="h-40" />}>
        <NamingTraining module={module} query={query} />
      </LatePart>
    </TrainingLayout>
  )
}

/** `/training/{moduleId}`, from the minute of the upload to the finished training, and the sections of its owner. */
export function TrainingPage() {
  const { moduleId = '', section } = useParams()
  const { search, hash } = useLocation()
  if (section !== undefined && !isSection(section)) {
    return <Navigate to={{ pathname: trainingPath(moduleId), search, hash }} replace />
  }
  return <TrainingModule key={moduleId} moduleId={moduleId} section={section ?? null} />
}

function TrainingModule({ moduleId, section }: { moduleId: string; section: SectionName | null }) {
  const callApi = useApi()
  const query = useQuery(moduleQuery(callApi, moduleId))
  const module = query.data
  const steps = useQuery({ ...stepsQuery(callApi, moduleId), enabled: module !== undefined && mayHaveSteps(module) })
  const stepCount = steps.data?.steps.length ?? module?.steps.length ?? 0
  const [isExpectingSteps, setIsExpectingSteps] = useProcessingParam()
  const isProcessing = module === undefined ? isExpectingSteps : module.status === 'PROCESSING'
  // The time that a large file takes to upload is not processing time.
  const { work = null, progress = 0 } = module ?? {}
  const pace = usePace({ isProcessing: isProcessing && module?.hasVideo !== false, work, progress })
  const announcement = useTrainingUpdates(moduleId, module)
  const summary = useStepSummary(isProcessing ? stepCount : null)
  usePageTitle(titleOf(section, module?.title ?? m.training()))

  const isExpectationMet = module !== undefined && (!isProcessing || stepCount > 0)
  useEffect(() => {
    if (isExpectationMet && isExpectingSteps) setIsExpectingSteps(false)
  })

  const isGone = query.error instanceof ApiError && query.error.code === 'not_found'
  const { hash } = useLocation()
  const view = chooseView({ module, stepCount, hasFailedToLoad: query.isError, isGone, isExpectingSteps, hash })
  const onRecovered = () => setIsExpectingSteps(true)
  const onCheckAgain = () => query.refetch()
  return (
    <>
      <p role="status" className="sr-only">
        {summary || announcement}
      </p>
      {view === 'loading' && <TrainingSkeleton />}
      {view === 'unavailable' && query.error !== null && (
        <ModuleUnavailable
          error={query.error}
          wasShared={module?.role === 'viewer'}
          isRetrying={query.isFetching}
          onRetry={() => query.refetch()}
        />
      )}
      {view === 'awaited' && <AwaitedTraining pace={pace} onCheckAgain={onCheckAgain} />}
      {view === 'failed' && module && <FailedModule {...{ module, steps, onRecovered }} />}
      {view === 'naming' && module && <NamedTraining module={module} query={steps} />}
      {view === 'workspace' && module && (
        <TrainingLayout title={module.title} heading={<TrainingHeading module={module} />}>
          <TrainingWorkspace
            {...{ module, section, steps }}
            status={
              <TrainingStatus
                {...{ module, stepCount, onRecovered, onCheckAgain }}
                pace={module.hasVideo ? pace : UPLOADING_PACE}
              />
            }
          />
        </TrainingLayout>
      )}
    </>
  )
}

/** What the server says of a failure instead of steps; null when it says something else. @see specification §8 */
function readFailure(error: Error | null): string | null {
  return error instanceof ApiError && error.code === 'processing_failed' ? error.sentence : null
}

const UPLOADING_PACE: Pace = { slowness: 'uploading', left: '', waits: '' }

/** `processing=true` in the address: set by the upload page, taken away with the first step or the end. */
function useProcessingParam() {
  const [params, setParams] = useSearchParams()
  function setProcessing(isProcessing: boolean) {
    setParams(
      (current) => {
        const next = new URLSearchParams(current)
        if (isProcessing) next.set('processing', 'true')
        else next.delete('processing')
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return [params.get('processing') === 'true', setProcessing] as const
}

interface FailedModuleProps {
  module: LoadedModule
  steps: UseQueryResult<StepsAnswer>
  onRecovered: () => void
}

/** What can be done where nothing came of a video. */
function FailedModule({ module, steps, onRecovered }: FailedModuleProps) {
  return (
    <TrainingLayout width="narrow" title={module.title} heading={<ModuleTitle module={module} />}>
      {module.replaces !== null && <OfAnother moduleId={module.replaces} />}
      <FailedTraining look="whole" module={module} said={readFailure(steps.error)} onRecovered={onRecovered} />
      {canStartByHand(module) && <ManualStart module={module} query={steps} />}
    </TrainingLayout>
  )
}
