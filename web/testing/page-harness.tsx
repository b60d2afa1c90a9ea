import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { type ReactNode, useImperativeHandle, useRef, useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import type { Module, ModuleAnswer } from '#contract/module.ts'
import { PROBLEMS, type ProblemCode } from '#contract/problem.ts'
import type { SharedModule } from '#contract/share.ts'
import type { Step, StepsAnswer } from '#contract/step.ts'
import { makeModule, NO_LEARNERS, NO_QUESTIONS } from '#contract/testing/examples.ts'
import type { PlayerProps } from '#web/features/player/player-handle.ts'
import { PlayerStageContext } from '#web/features/player/video-player.tsx'
import { ApiContext, type CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { makeQueryClient } from '#web/lib/query-client.ts'

/** What a call answers, by `METHOD /path`; an `Error` fails it. */
export type Answers = Record<string, unknown>

export function makeProblem(code: ProblemCode, message: string): ApiError {
  return new ApiError({ status: PROBLEMS[code].status, code, message, requestId: 'test' })
}

function makeFakeApi(answers: Answers, calls: string[]): CallApi {
  return async (call) => {
    const name = `${call.method ?? 'GET'} ${call.path.split('?')[0]}`
    calls.push(name)
    const answer = answers[name] ?? makeProblem('not_found', 'Not found')
    const value = typeof answer === 'function' ? await answer(call) : answer
    if (value instanceof Error) throw value
    return call.schema.parse(value)
  }
}

/** Stands where the player library draws: the position is a text, and the ways it can change are buttons. */
export function FakeStage({ ref, src, startAtS = 0, onTimeChange, onPlayback, onError }: PlayerProps) {
  const [timeS, setTimeS] = useState(startAtS)
  const [isPlaying, setIsPlaying] = useState(false)
  // Like the real player, the stage reports its time before React renders the page again.
  const live = useRef(startAtS)
  const plays = useRef(false)
  const [rate, setRate] = useState(1)
  function moveTo(seconds: number) {
    live.current = seconds
    setTimeS(seconds)
    onTimeChange?.(seconds)
    onPlayback?.({ kind: 'time', seconds, isPlaying })
  }
  function setPlaying(now: boolean) {
    plays.current = now
    setIsPlaying(now)
  }
  useImperativeHandle(ref, () => ({
    seekTo: moveTo,
    play: () => setPlaying(true),
    pause: () => setPlaying(false),
    playRange: moveTo,
    drawFrame: async () => null,
    changeRate: (way) => setRate((before) => before + (way === 'faster' ? 0.25 : -0.25)),
    get isPlaying() {
      return plays.current
    },
    get currentTime() {
      return live.current
    },
  }))
  return (
    <div data-testid="player" data-src={src} data-playing={isPlaying} data-rate={rate}>
      <output aria-label="Video position">{timeS}</output>
      <button type="button" onClick={() => moveTo(timeS + 15)}>
        Let 15 seconds pass
      </button>
      <button type="button" onClick={() => onError?.(4)}>
        Break the video
      </button>
    </div>
  )
}

interface PageOptions {
  path: string
  url: string
  answers: Answers
  drawStage?: (props: PlayerProps) => ReactNode
}

const drawFakeStage = (props: PlayerProps) => <FakeStage {...props} />

/** Draws one route with a router, a query cache and the given answers of the API. */
export function renderPage(page: ReactNode, { path, url, answers, drawStage = drawFakeStage }: PageOptions) {
  const calls: string[] = []
  const routes = [
    { path, element: page },
    { path: '*', element: <p>Another page</p> },
  ]
  const queryClient = makeQueryClient()
  const router = createMemoryRouter(routes, { initialEntries: [url] })
  const view = render(
    <QueryClientProvider client={queryClient}>
      <ApiContext value={makeFakeApi(answers, calls)}>
        <PlayerStageContext value={drawStage}>
          <RouterProvider router={router} />
        </PlayerStageContext>
      </ApiContext>
    </QueryClientProvider>,
  )
  return { ...view, router, queryClient, countCalls: (name: string) => calls.filter((call) => call === name).length }
}

export function makeStep(number: number, start: number): Step {
  return {
    id: `s${number}`,
    title: `Title of step ${number}`,
    description: `What to do in step ${number}`,
    start,
    end: start + 10,
    duration: 10,
    aliases: [],
    notes: '',
    isManual: false,
    originalText: '',
    aiRewrite: null,
    isDraft: false,
  }
}

const STEPS = [makeStep(1, 1), makeStep(2, 15), makeStep(3, 3725)]

export function makeModuleAnswer(fields: Partial<Module> & { steps?: Step[] } = {}): ModuleAnswer {
  return {
    success: true,
    module: {
      ...makeModule({
        title: 'How to tie a bowline',
        createdAt: '2026-11-20T10:00:00.000Z',
        totalDuration: 3800,
        userId: 'u1',
      }),
      steps: STEPS,
      language: null,
      glossary: null,
      ...fields,
    },
  }
}

export function makeStepsAnswer(steps: Step[] = STEPS): StepsAnswer {
  const meta = { durationSec: 3800, version: 1, editedVersion: 0, transcriptSource: 'speech' as const }
  return { success: true, steps, transcript: 'Make a small loop.', meta }
}

export function makeSharedModule(fields: Partial<SharedModule> = {}): { success: true; module: SharedModule } {
  const steps = STEPS.map(({ id, title, description, start, duration }) => ({
    id,
    title,
    description,
    timestamp: start,
    duration,
  }))
  const { title, createdAt, status, progress, message, totalDuration, hasVideo, uploadPercent, posterUrl } =
    makeModuleAnswer().module
  return {
    success: true,
    module: {
      id: 'm1',
      title,
      createdAt,
      status,
      progress,
      message,
      totalDuration,
      hasVideo,
      uploadPercent,
      posterUrl,
      captionsUrl: null,
      stepsVersion: 1,
      steps,
      ...fields,
    },
  }
}

const TRANSCRIPT = { success: true, source: 'speech', language: 'en', segments: [] }

/** Everything that the training page asks for, with the module as given. */
export function makeTrainingAnswers(fields: Partial<Module> & { steps?: Step[] } = {}, more: Answers = {}): Answers {
  return {
    'GET /api/modules/m1': makeModuleAnswer(fields),
    'GET /api/steps/m1': makeStepsAnswer(),
    'GET /api/steps/m1/proposals': { success: true, proposals: [] },
    'GET /api/transcript/m1': TRANSCRIPT,
    'GET /api/learning-metrics/m1': NO_LEARNERS,
    'GET /api/questions/m1': NO_QUESTIONS,
    'GET /api/video-url/module/m1': { success: true, url: 'https://videos.test/m1.mp4' },
    'POST /api/modules/m1/live-ticket': { success: true, ticket: 'ticket', expiresAt: '2026-11-21T10:00:00.000Z' },
    ...more,
  }
}
