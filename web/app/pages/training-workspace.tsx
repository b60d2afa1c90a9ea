import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { LearningAnswer, type LearningReport, SessionAnswer, type SessionRequest } from '#contract/learning.ts'
import { seesDraft } from '#contract/module.ts'
import { linkIdIn } from '#contract/share-page.ts'
import type { StepsAnswer } from '#contract/step.ts'
import { type Cuts, listVisibleLines, listVisibleSteps } from '#contract/time/visible-time.ts'
import type { TranscriptAnswer } from '#contract/transcript.ts'
import * as m from '#messages'
import { FeedbackWidget } from '#web/features/feedback/feedback-widget.tsx'
import { keepVisitor, readVisitor } from '#web/features/learning/learner-id.ts'
import { keepOwn } from '#web/features/learning/own-modules.ts'
import type { SendOutcome, StartOutcome } from '#web/features/learning/report-outbox.ts'
import { judgeFailure, LEARNING_PATH, NOT_NOW, sessionsPath } from '#web/features/learning/send-report.ts'
import { useLearning } from '#web/features/learning/use-learning.tsx'
import { useRecordOpened } from '#web/features/module/module-queries.ts'
import type { PageKeys } from '#web/features/player/player-handle.ts'
import { readBeginning } from '#web/features/player/resume/kept-position.ts'
import { ReportsNotice } from '#web/features/step-report/trainer-reports.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { VideoPlace } from '#web/features/training/training-layout.tsx'
import { Workplace } from '#web/features/training/workplace.tsx'
import { useCaptionsUrl } from '#web/features/transcript/transcript-files.tsx'
import { transcriptQuery } from '#web/features/transcript/transcript-query.ts'
import { type CallApi, useApi, usePerson } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { isAtWork } from '#web/lib/module-cache.ts'
import { Card } from '#web/ui/card.tsx'
import { useFollowAlong } from '../follow/use-follow-along.tsx'
import { NO_STEPS } from '../shared/player-steps.ts'
import { useMissingCopy } from '../shared/use-missing-copy.ts'
import { useMissingImages } from '../shared/use-missing-images.ts'
import { useReporting } from '../shared/use-reporting.ts'
import { useOwnedSteps } from './owned-panels.tsx'
import { TrainingSteps } from './training-main.tsx'
import { type SectionName, useSections } from './training-sections.tsx'
import { TrainingTutor } from './training-tutor.tsx'
import { TrainingVideo, useTrainingVideo } from './training-video.tsx'

/** Asks a person who has just uploaded a module, or watched it being made, how that went, once it is ready. */
function ReadyFeedback({ module }: { module: LoadedModule }) {
  const [params] = useSearchParams()
  // Set by the upload page; a quick module may be ready before its processing was on screen.
  const [wasWatched, setWasWatched] = useState(params.get('processing') === 'true')
  if (isAtWork(module) && !wasWatched) setWasWatched(true)
  if (module.status !== 'READY' || module.newVersion !== null || !wasWatched || module.role !== 'owner') return null
  return (
    <Card className="px-4 py-3">
      <FeedbackWidget
        question={m.your_training_is_ready_how()}
        about={{ type: 'video_processing', moduleId: module.id }}
      />
    </Card>
  )
}

interface TrainingNotesProps extends Pick<TrainingWorkspaceProps, 'module' | 'steps'> {
  children: ReactNode
}

/** What owners are to see above the steps, of learners' reports and of their own. */
function StatusNotes({ module, steps, children }: TrainingNotesProps) {
  return (
    <>
      {children}
      {module.role === 'owner' && <ReportsNotice moduleId={module.id} steps={steps.data?.steps ?? NO_STEPS} />}
      <ReadyFeedback module={module} />
    </>
  )
}

/** Counts what a signed-in person plays of another person's module. What those play who edit it is not sent. */
function useTrainingLearning({ id, role, shareUrl }: LoadedModule) {
  const linkId = linkIdIn(shareUrl)
  const callApi = useApi()
  const who = usePerson() ?? 'account'
  useEffect(() => {
    if (seesDraft(role)) keepOwn(linkId)
  }, [linkId, role])
  useEffect(() => {
    if (seesDraft(role)) void becomeOwner(callApi, id)
  }, [callApi, id, role])
  const load = async () => {
    const { LearningLog } = await import('#web/features/learning/learning-log.ts')
    return new LearningLog({
      moduleId: id,
      who,
      send: (report) => send(callApi, report),
      start: (moduleId, request) => start(callApi, moduleId, request),
    })
  }
  return useLearning(seesDraft(role) ? null : load)
}

/** One step at a time, and reports from the steps of another person's training. */
function useLearnerWays(
  module: LoadedModule,
  followed: Pick<Parameters<typeof useFollowAlong>[0], 'steps' | 'language' | 'player'>,
) {
  const reporting = useAccountReports(module)
  return { reporting, follow: useFollowAlong({ ...followed, module, reporting }) }
}

function useAccountReports({ id: moduleId, role, takesReports }: LoadedModule) {
  const callApi = useApi()
  const who = usePerson() ?? 'account'
  const load = async () => (await import('../report/account-reports.ts')).openAccountReports(callApi, { moduleId, who })
  return useReporting(!seesDraft(role) && takesReports && load)
}

/** What an owner has tried at the own link before signing in does not count either. */
async function becomeOwner(callApi: CallApi, moduleId: string): Promise<void> {
  const claim = readVisitor(moduleId)
  if (claim === undefined) return
  const { kind } = await start(callApi, moduleId, { claim })
  if (kind === 'started') keepVisitor(moduleId, null)
}

function start(callApi: CallApi, moduleId: string, body: SessionRequest): Promise<StartOutcome> {
  const call = { path: sessionsPath(moduleId), method: 'POST', body, keepalive: true, schema: SessionAnswer } as const
  return callApi(call).then((answer) => ({ kind: 'started', answer }), judge)
}

function send(callApi: CallApi, body: LearningReport): Promise<SendOutcome> {
  const call = { path: LEARNING_PATH, method: 'POST', body, keepalive: true, schema: LearningAnswer } as const
  return callApi(call).then(({ progress }) => ({ kind: 'taken', progress }), judge)
}

function judge(error: unknown) {
  if (!(error instanceof ApiError) || error.status < 400) return NOT_NOW
  return judgeFailure(error.status, error.retryAfterS ?? 0)
}

const NO_CUTS: Cuts = []
const TRANSCRIPT_KEYS: PageKeys = [['/', m.search_the_transcript()]]

/** What of a training is shown beside its video, whose owner may listen to it with other cuts. */
function useVisible(
  { status }: LoadedModule,
  answer: StepsAnswer | undefined,
  transcript: TranscriptAnswer | undefined,
) {
  const [previewedCuts, preview] = useState<Cuts | null>(null)
  const list = answer?.steps ?? NO_STEPS
  const cuts = previewedCuts ?? answer?.meta.cuts ?? NO_CUTS
  const shownSteps = useMemo(() => (cuts.length === 0 ? list : listVisibleSteps(list, cuts)), [list, cuts])
  const segments = transcript?.segments
  const shownLines = useMemo(() => segments && listVisibleLines(segments, cuts), [segments, cuts])
  const captionsUrl = useCaptionsUrl(status === 'PROCESSING' ? undefined : shownLines)
  return { cuts, shownSteps, captionsUrl, preview }
}

interface TrainingWorkspaceProps {
  module: LoadedModule
  /** The section that the address names. */
  section: SectionName | null
  steps: UseQueryResult<StepsAnswer>
  /** What to say of a module that is not ready. */
  status: ReactNode
}

/** The training itself, as far as it exists: video, steps and tutor, and under them what its owner works on. */
export function TrainingWorkspace({ module, section, steps, status }: TrainingWorkspaceProps) {
  const [params] = useSearchParams()
  const [{ startAtS, isResumed }] = useState(() => readBeginning(module.id, params))
  const transcript = useQuery(transcriptQuery(useApi(), module.id))
  const { cuts, shownSteps, captionsUrl, preview } = useVisible(module, steps.data, transcript.data)
  const video = useTrainingVideo({ hasVideo: module.hasVideo, steps: shownSteps, startAtS })
  const { player, videoPlace, beginAtS, playhead, currentId, jumpTo, jumpToTime, onTimeChange } = video
  const learning = useTrainingLearning(module)
  useRecordOpened(module)
  useMissingImages(module, steps.data?.steps ?? NO_STEPS, player)
  useMissingCopy(module)
  const owned = useOwnedSteps({ module, query: steps, playhead })
  const language = transcript.data?.language ?? null
  const { follow, reporting } = useLearnerWays(module, { steps: shownSteps, language, player })
  const below = useSections({ module, section, steps, transcript, playhead, owned, onPreviewCuts: preview })
  return (
    <>
      <Workplace
        video={
          <VideoPlace ref={videoPlace}>
            {follow.place(
              <TrainingVideo
                ref={player}
                module={module}
                steps={shownSteps}
                cuts={cuts}
                startAtS={beginAtS}
                isResumed={isResumed && beginAtS === startAtS}
                keepAs={module.id}
                captionsUrl={captionsUrl}
                pageKeys={transcript.data?.segments.length ? TRANSCRIPT_KEYS : undefined}
                captionsLanguage={transcript.data?.language ?? undefined}
                onPlayback={learning.onPlayback}
                onTimeChange={(seconds) => {
                  onTimeChange(seconds)
                  follow.noteTime(seconds)
                }}
              />,
            )}
          </VideoPlace>
        }
        status={<StatusNotes {...{ module, steps }}>{status}</StatusNotes>}
        steps={
          <TrainingSteps
            {...{ module, steps, owned, playhead, learning, currentId }}
            onJump={jumpTo}
            followAlong={follow.button}
            reporting={reporting}
          />
        }
        company={<TrainingTutor {...{ module, steps, transcript, player, currentId }} onJump={jumpToTime} />}
        {...below.places}
      />
      {below.beside}
    </>
  )
}
