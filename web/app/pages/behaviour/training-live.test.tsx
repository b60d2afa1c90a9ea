// Behaviour: the page of a training while its steps arrive by the socket.
import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Module } from '#contract/module.ts'
import type { Step } from '#contract/step.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import {
  type Answers,
  makeModuleAnswer,
  makeProblem,
  makeStep,
  makeStepsAnswer,
  makeTrainingAnswers,
  renderPage,
} from '#web/testing/page-harness.tsx'
import { TrainingPage } from '../training-page.tsx'

const MIDDLE = makeStep(2, 60)
const ALL = [makeStep(1, 5), MIDDLE, makeStep(3, 90)]

const scrollIntoView = vi.fn()
let seq: number

/** What the server has from now on; it sends no event about it. */
function moveOn(answers: Answers, fields: Partial<Module>, found: { steps: Step[]; segments?: number }) {
  answers['GET /api/modules/m1'] = makeModuleAnswer({ ...fields, steps: found.steps })
  const none = makeProblem('steps_not_ready', 'Steps not ready yet - module still processing')
  const answer = makeStepsAnswer(found.steps)
  answers['GET /api/steps/m1'] =
    found.steps.length === 0 ? none : { ...answer, meta: { ...answer.meta, version: fields.stepsVersion } }
  answers['GET /api/transcript/m1'] = makeTranscript(found.segments ?? 0)
}

function makeTranscript(count: number) {
  const segments = Array.from({ length: count }, (_, index) => ({
    id: `t${index}`,
    start: index * 5,
    end: index * 5 + 4,
    text: `Sentence ${index + 1}.`,
    confidence: null,
  }))
  return { success: true, source: 'speech', language: 'en', segments }
}

async function sendEvent(fields: object) {
  await act(async () => {
    const quiet = { kind: 'module', status: 'PROCESSING', message: 'Writing', segmentCount: 0 }
    FakeSocket.all[0]?.receive({ seq: ++seq, ...quiet, ...fields })
    await vi.advanceTimersByTimeAsync(100)
  })
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

async function openPage(fields: Partial<Module>, found: { steps: Step[]; segments?: number }, query = '') {
  const answers = makeTrainingAnswers()
  moveOn(answers, { status: 'PROCESSING', ...fields }, found)
  const page = renderPage(<TrainingPage />, { path: '/training/:moduleId', url: `/training/m1${query}`, answers })
  await pass(100)
  FakeSocket.all[0]?.open()
  return { ...page, answers }
}

const stepButtons = () =>
  within(screen.getByRole('region', { name: 'Steps' })).getAllByRole('button', { name: /^Step \d/ })

beforeEach(() => {
  seq = 0
  FakeSocket.all.length = 0
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.useFakeTimers()
  scrollIntoView.mockClear()
  Element.prototype.scrollIntoView = scrollIntoView
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a module in processing without steps', () => {
  test('can be watched and read already, beside the full processing screen', async () => {
    await openPage({ progress: 34, message: 'Listening', stepsVersion: 0 }, { steps: [], segments: 2 })
    expect(screen.getByTestId('player')).toHaveAttribute('data-src', 'https://videos.test/m1.mp4')
    expect(screen.getByText('Extracting learning steps')).toBeVisible()
    expect(screen.getAllByText('Done:')).toHaveLength(2)
    expect(screen.getByText('Sentence 2.')).toBeVisible()
    const steps = screen.getByRole('region', { name: 'Steps' })
    expect(within(steps).getByText('Steps not ready yet - module still processing')).toBeVisible()
    expect(within(steps).queryByRole('listitem')).toBeNull()
  })

  test('says that the video is on its way until it has arrived', async () => {
    const early = { progress: 4, stepsVersion: 0, hasVideo: false, uploadPercent: 43 }
    const { answers, countCalls } = await openPage(early, { steps: [] })
    expect(screen.getByText('Video 43 % uploaded')).toBeVisible()
    expect(screen.queryByText(/You can leave this page/)).toBeNull()
    expect(countCalls('GET /api/video-url/module/m1')).toBe(0)
    moveOn(answers, { status: 'PROCESSING', progress: 10, stepsVersion: 0 }, { steps: [] })
    await sendEvent({ progress: 10, stepsVersion: 0 })
    expect(screen.getByTestId('player')).toBeVisible()
  })

  test('begins at the step that was pressed while the video was on its way', async () => {
    const early = { progress: 62, stepsVersion: 1, hasVideo: false, uploadPercent: 43 }
    const { answers } = await openPage(early, { steps: [MIDDLE] })
    await act(async () => stepButtons()[0]?.click())
    moveOn(answers, { status: 'PROCESSING', progress: 70, stepsVersion: 1 }, { steps: [MIDDLE] })
    await sendEvent({ progress: 70, stepsVersion: 1 })
    expect(screen.getByLabelText('Video position')).toHaveTextContent(String(MIDDLE.start))
  })

  test('asks for no steps before there is one', { tags: 'spec-8.4' }, async () => {
    const { countCalls } = await openPage({ progress: 34, stepsVersion: 0 }, { steps: [] })
    await pass(20_000)
    expect(countCalls('GET /api/steps/m1')).toBe(0)
  })
})

describe('steps that come while a module is made', () => {
  const first = { status: 'PROCESSING', progress: 62, message: 'Writing the steps', stepsVersion: 1 } as const

  test('turn the processing screen into a strip, and the address forgets the processing', async () => {
    const { answers, router } = await openPage({ progress: 34, stepsVersion: 0 }, { steps: [] }, '?processing=true')
    const player = screen.getByTestId('player')
    moveOn(answers, first, { steps: [MIDDLE] })
    await sendEvent({ progress: 62, stepsVersion: 1, message: 'Writing the steps' })
    expect(stepButtons()).toHaveLength(1)
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '62')
    expect(screen.getByText('Enhancing with AI')).toBeVisible()
    expect(screen.getByText('Writing the steps')).toBeVisible()
    expect(screen.queryByText('Check the video')).toBeNull()
    expect(screen.getByTestId('player')).toBe(player)
    expect(router.state.location.search).toBe('')
  })

  test('leave focus, position and the steps that were there as they are', async () => {
    const { answers } = await openPage(first, { steps: [MIDDLE] })
    fireEvent.click(screen.getByRole('button', { name: 'Let 15 seconds pass' }))
    const [shown] = stepButtons()
    shown?.focus()
    moveOn(answers, { ...first, stepsVersion: 2 }, { steps: ALL.map((step) => ({ ...step, end: step.end + 1 })) })
    await sendEvent({ progress: 66, stepsVersion: 2 })
    expect(stepButtons()[1]).toBe(shown)
    expect(shown).toHaveFocus()
    expect(screen.getByLabelText('Video position')).toHaveTextContent('15')
    expect(scrollIntoView).not.toHaveBeenCalled()
  })

  test('leave the focus of a person who is busy where it is, although the address names a step', async () => {
    const { answers } = await openPage({ progress: 34, stepsVersion: 0 }, { steps: [] }, '#step-1')
    const busyWith = screen.getByRole('textbox', { name: 'Link' })
    busyWith.focus()
    moveOn(answers, first, { steps: [MIDDLE] })
    await sendEvent({ progress: 62, stepsVersion: 1 })
    expect(busyWith).toHaveFocus()
    expect(scrollIntoView).not.toHaveBeenCalled()
  })

  test('steps that come while a module is made do not scroll for a person who has scrolled meanwhile', async () => {
    const { answers } = await openPage({ progress: 34, stepsVersion: 0 }, { steps: [] }, '#step-1')
    fireEvent.wheel(document.body)
    moveOn(answers, first, { steps: [MIDDLE] })
    await sendEvent({ progress: 62, stepsVersion: 1 })
    expect(scrollIntoView).not.toHaveBeenCalled()
  })

  test('steps that come while a module is made are brought into view where only the browser has scrolled, to the place that the address names', async () => {
    const { answers } = await openPage({ progress: 34, stepsVersion: 0 }, { steps: [] }, '#step-1')
    vi.stubGlobal('scrollY', 188)
    moveOn(answers, first, { steps: [MIDDLE] })
    await sendEvent({ progress: 62, stepsVersion: 1 })
    expect(scrollIntoView).toHaveBeenCalled()
  })

  test('steps that come while a module is made are summed up in one sentence, not announced one by one', async () => {
    const { answers } = await openPage(first, { steps: [MIDDLE] })
    expect(screen.getByText('1 step so far')).toBeInTheDocument()
    moveOn(answers, { ...first, stepsVersion: 2 }, { steps: ALL.slice(1) })
    await sendEvent({ progress: 64, stepsVersion: 2 })
    moveOn(answers, { ...first, stepsVersion: 3 }, { steps: ALL })
    await sendEvent({ progress: 66, stepsVersion: 3 })
    await pass(2_000)
    expect(stepButtons()).toHaveLength(3)
    expect(screen.getByText('1 step so far')).toBeInTheDocument()
    await pass(8_000)
    const said = screen.getByText('3 steps so far')
    expect(said).toHaveAttribute('role', 'status')
  })

  test('lose the strip when the module is ready, and the player stays the same', async () => {
    const { answers } = await openPage(first, { steps: [MIDDLE] })
    const player = screen.getByTestId('player')
    moveOn(answers, { stepsVersion: 2 }, { steps: ALL })
    await sendEvent({ status: 'READY', progress: 100, stepsVersion: 2 })
    await pass(2_000)
    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(stepButtons()).toHaveLength(3)
    expect(screen.getByText('The training is ready.')).toBeInTheDocument()
    expect(screen.getByTestId('player')).toBe(player)
  })

  test('come by polling too, with the transcribed words', async () => {
    const { answers } = await openPage({ progress: 34, stepsVersion: 0 }, { steps: [], segments: 1 })
    moveOn(answers, first, { steps: [MIDDLE], segments: 4 })
    await pass(6_200)
    expect(stepButtons()).toHaveLength(1)
    expect(screen.getByText('Sentence 4.')).toBeVisible()
  })
})

describe('a storm of events', () => {
  const running = { status: 'PROCESSING', progress: 62, stepsVersion: 1 } as const

  test('asks for the steps about once a second', async () => {
    const { answers, countCalls } = await openPage(running, { steps: [MIDDLE], segments: 3 })
    const before = countCalls('GET /api/steps/m1')
    for (let version = 2; version <= 41; version++) {
      moveOn(answers, { ...running, stepsVersion: version }, { steps: ALL, segments: 3 })
      await sendEvent({ progress: 62, stepsVersion: version, segmentCount: 3 })
    }
    const asked = countCalls('GET /api/steps/m1') - before
    expect(asked).toBeGreaterThanOrEqual(3)
    expect(asked).toBeLessThanOrEqual(5)
    await pass(1_500)
    expect(stepButtons()).toHaveLength(3)
  })

  test('asks for the transcript only when it has grown', async () => {
    const { answers, countCalls } = await openPage(running, { steps: [MIDDLE], segments: 3 })
    const calls = () => countCalls('GET /api/transcript/m1')
    expect(calls()).toBe(1)
    for (let progress = 62; progress < 72; progress++) {
      moveOn(answers, { ...running, progress }, { steps: [MIDDLE], segments: 3 })
      await sendEvent({ progress, stepsVersion: 1, segmentCount: 3 })
      await pass(1_000)
    }
    expect(calls()).toBe(1)
    moveOn(answers, { ...running, progress: 72 }, { steps: [MIDDLE], segments: 4 })
    await sendEvent({ progress: 72, stepsVersion: 1, segmentCount: 4 })
    expect(calls()).toBe(2)
    expect(screen.getByText('Sentence 4.')).toBeVisible()
  })
})

describe('a failure after steps were found', () => {
  const failed = { status: 'FAILED', stepsVersion: 1, lastError: 'The speech service did not answer.' } as const

  test('keeps them and the player, says why, and offers the way out', async () => {
    const { answers } = await openPage({ progress: 62, stepsVersion: 1 }, { steps: [MIDDLE] })
    const player = screen.getByTestId('player')
    moveOn(answers, { ...failed, failureCode: 'ai_unavailable' }, { steps: [MIDDLE] })
    await sendEvent({ status: 'FAILED', progress: 62, stepsVersion: 1 })
    await pass(1_000)
    expect(screen.getByRole('heading', { name: 'Processing Failed' })).toBeVisible()
    expect(screen.getByText('The speech service did not answer.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Try Again' })).toHaveAttribute('href', '/upload')
    expect(screen.getByRole('button', { name: 'Go on from where it broke off' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Add captions' })).toBeVisible()
    expect(stepButtons()).toHaveLength(1)
    expect(screen.getByTestId('player')).toBe(player)
  })

  test('shows a viewer that steps may be missing, without a reason, and leads back to the upload', {
    tags: 'spec-2.25',
  }, async () => {
    await openPage({ ...failed, role: 'viewer', lastError: null }, { steps: [MIDDLE] })
    expect(screen.getByText(/may not cover the whole video/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Add captions' })).toBeNull()
    expect(screen.getByRole('link', { name: 'Try Again' })).toHaveAttribute('href', '/upload')
  })
})
