import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { type ReactNode, useImperativeHandle, useRef, useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { ModuleAnswer } from '#contract/module.ts'
import { PROBLEMS, type ProblemCode } from '#contract/problem.ts'
import type { ShareAnswer, SharedModule } from '#contract/share.ts'
import type { Step, StepsAnswer } from '#contract/step.ts'
import {
  makeModule,
  makeStep as makeNamedStep,
  makeSharedModule,
  makeSharedStep,
  NO_LEARNERS,
  NO_QUESTIONS,
} from '#contract/testing/examples.ts'
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
    video: null,
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
  const texts = { title: `Title of step ${number}`, description: `What to do in step ${number}`, originalText: '' }
  return makeNamedStep(`s${number}`, start, texts)
}

const STEPS = [makeStep(1, 1), makeStep(2, 15), makeStep(3, 3725)]

export function makeModuleAnswer(fields: Partial<ModuleAnswer['module']> = {}): ModuleAnswer {
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
      work: null,
      language: null,
      glossary: null,
      audioTracks: [],
      audioTrack: null,
      smallCopy: null,
      smallCopyLacksS: 0,
      videoId: null,
      smallCopyMayLack: null,
      lacksSmallCopy: false,
      ...fields,
    },
  }
}

export function makeStepsAnswer(steps: Step[] = STEPS): StepsAnswer {
  const meta = { durationSec: 3800, version: 1, editedVersion: 0, transcriptSource: 'speech' as const, cuts: [] }
  return { success: true, steps, transcript: 'Make a small loop.', meta }
}

export function makeShareAnswer(fields: Partial<SharedModule> = {}): ShareAnswer {
  const { title, createdAt, totalDuration } = makeModuleAnswer().module
  const steps = STEPS.map(makeSharedStep)
  return { success: true, module: makeSharedModule({ title, createdAt, totalDuration, steps, ...fields }) }
}

const TRANSCRIPT = { success: true, source: 'speech', language: 'en', segments: [] }

/** Everything that the training page asks for, with the module as given. */
export function makeTrainingAnswers(fields: Partial<ModuleAnswer['module']> = {}, more: Answers = {}): Answers {
  const answers: Answers = {
    'GET /api/modules/m1': makeModuleAnswer(fields),
    'GET /api/steps/m1': () => answerSteps(answers['GET /api/modules/m1']),
    'GET /api/steps/m1/proposals': { success: true, proposals: [] },
    'GET /api/transcript/m1': TRANSCRIPT,
    'GET /api/learning-metrics/m1': NO_LEARNERS,
    'GET /api/questions/m1': NO_QUESTIONS,
    'GET /api/step-reports/m1': { success: true, entries: [], hidden: 0 },
    'GET /api/video-url/module/m1': { success: true, url: 'https://videos.test/m1.mp4' },
    'POST /api/modules/m1/live-ticket': { success: true, ticket: 'ticket', expiresAt: '2026-11-21T10:00:00.000Z' },
    ...more,
  }
  return answers
}

/** What the server says of the steps of the module that it answers with. */
function answerSteps(of: unknown): StepsAnswer | ApiError {
  const { success, data } = ModuleAnswer.safeParse(of)
  if (!success || data.module.steps.length > 0 || data.module.status === 'READY') return makeStepsAnswer()
  const { status, role, lastError } = data.module
  if (status === 'PROCESSING') return makeProblem('steps_not_ready', 'Steps not ready yet - module still processing')
  const reason = role === 'owner' ? lastError : 'the trainer can see the reason'
  return makeProblem('processing_failed', `Processing failed: ${reason}`)
}
