import type { UseQueryResult } from '@tanstack/react-query'
import { type RefObject, useCallback, useMemo } from 'react'
import { AskedAnswer, AskTrainerAnswer, type AskTrainer as AskTrainerBody } from '#contract/feedback/questions.ts'
import type { Step, StepsAnswer } from '#contract/step.ts'
import type { TranscriptAnswer } from '#contract/transcript.ts'
import * as m from '#messages'
import { FeedbackWidget } from '#web/features/feedback/feedback-widget.tsx'
import type { PlayerHandle } from '#web/features/player/player-handle.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { CompanySkeleton } from '#web/features/training/training-layout.tsx'
import { AskedList, AskTrainer } from '#web/features/tutor/ask-trainer.tsx'
import { readAskedState } from '#web/features/tutor/asked-trainer.ts'
import type { Turn } from '#web/features/tutor/turn-view.tsx'
import { useLatest } from '#web/features/tutor/use-latest.ts'
import type { Availability, TutorPanelProps } from '#web/features/tutor/use-tutor-panel.ts'
import type { TutorVideo } from '#web/features/tutor/use-tutor-voice.ts'
import { useApi } from '#web/lib/api.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Card } from '#web/ui/card.tsx'
import { AnswerFrame } from '../shared/answer-frame.tsx'
import { LatePart } from '../shared/late-part.tsx'
import { NO_STEPS } from '../shared/player-steps.ts'

interface TutorVideoOptions {
  player: RefObject<PlayerHandle | null>
  onJump: (seconds: number) => void
}

/** The player as the tutor needs it. The same for as long as the page is open. */
function useTutorVideo(options: TutorVideoOptions): TutorVideo {
  const latest = useLatest(options)
  return useMemo(() => makeTutorVideo(() => latest.current), [latest])
}

function makeTutorVideo(read: () => TutorVideoOptions): TutorVideo {
  let wasPlaying = false
  function isPlaying(): boolean {
    return read().player.current?.isPlaying ?? false
  }
  function resumeVideo() {
    if (wasPlaying && !isPlaying()) read().player.current?.play()
    wasPlaying = false
  }
  return {
    playFrom: (seconds) => read().onJump(seconds),
    hold() {
      wasPlaying = isPlaying()
      read().player.current?.pause()
    },
    release: resumeVideo,
    get isPlaying() {
      return isPlaying()
    },
  }
}

const TutorPanel = lazyPart(async () => (await import('#web/features/tutor/tutor-panel.tsx')).TutorPanel)

interface TrainingTutorProps {
  module: LoadedModule
  steps: UseQueryResult<StepsAnswer>
  transcript: UseQueryResult<TranscriptAnswer>
  player: RefObject<PlayerHandle | null>
  currentId: string | null
  onJump: (seconds: number) => void
}

export function TrainingTutor({ module, steps, transcript, player, currentId, onJump }: TrainingTutorProps) {
  const { id, hasVideo, posterUrl, role } = module
  const asking = useTrainer(id)
  const list = steps.data?.steps ?? NO_STEPS
  const stepStarts = useMemo(() => list.map(({ start }) => start), [list])
  const current = list.find((step) => step.id === currentId) ?? null
  const video = useTutorVideo({ player, onJump })
  const renderFrame = useCallback(
    (seconds: number) => <AnswerFrame steps={list} {...{ posterUrl, seconds }} />,
    [list, posterUrl],
  )
  const props: TutorPanelProps = {
    moduleId: id,
    availability: findAvailability(module, list.length, transcript.data),
    video,
    stepStarts,
    renderFrame,
    stepTitle: (current ?? list[0])?.title ?? null,
    readWhereabouts: () => ({
      currentStep: current === null ? null : toTutorStep(current),
      allSteps: list.map(toTutorStep),
      videoTime: hasVideo ? (player.current?.currentTime ?? null) : null,
    }),
    renderRating: ({ turnId, question, answer }) => (
      <FeedbackWidget
        look="icons"
        question={m.did_this_answer_help()}
        about={{ type: 'ai_suggestion', moduleId: id, context: turnId, userMessage: question, aiResponse: answer }}
        isAutoHidden
      />
    ),
    ...(role === 'viewer' && { renderAsk: asking.renderAsk }),
  }
  return (
    <LatePart what={m.the_tutor()} skeleton={<CompanySkeleton />}>
      <TutorPanel {...props} />
      {role === 'viewer' && readAskedState(id) !== null && (
        <Card className="mt-3">
          <AskedList moduleId={id} load={asking.load} onPlay={(seconds) => video.playFrom(seconds)} />
        </Card>
      )}
    </LatePart>
  )
}

/** How a learner asks the trainer what the video does not cover. */
function useTrainer(moduleId: string) {
  const callApi = useApi()
  const path = `/api/asked/${encodeURIComponent(moduleId)}`
  const ask = ({ question, turnId }: Turn) => {
    // The server has kept with its turn where in the video it was asked.
    const body = { question, turnId } satisfies AskTrainerBody
    return callApi({ path, method: 'POST', body, schema: AskTrainerAnswer })
  }
  return {
    load: async () => (await callApi({ path, schema: AskedAnswer })).asked,
    renderAsk: (turn: Turn) => <AskTrainer moduleId={moduleId} onAsk={() => ask(turn)} />,
  }
}

/** The fields of a step that the server reads; it has the others itself. */
function toTutorStep({ id, title, start, end }: Step) {
  return { id, title, start, end }
}

function findAvailability({ status }: LoadedModule, stepCount: number, transcript?: TranscriptAnswer): Availability {
  if (status === 'PROCESSING') return stepCount > 0 || transcript?.segments.length ? 'so-far' : 'processing'
  // While the transcript is loading, a question can be tried.
  if (transcript === undefined || transcript.segments.length > 0) return 'ready'
  return stepCount > 0 ? 'steps-only' : 'nothing'
}
