// Behaviour: the page of a training that is being made again.
import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { STEPS_RELOAD_DELAY_MS } from '#contract/limits.ts'
import type { Module, NewVersion } from '#contract/module.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import {
  type Answers,
  makeModuleAnswer,
  makeStep,
  makeStepsAnswer,
  makeTrainingAnswers,
  renderPage,
} from '#web/testing/page-harness.tsx'
import { TrainingPage } from '../training-page.tsx'

const REPROCESS = 'POST /api/reprocess/m1'
const MAKING: NewVersion = {
  run: 2,
  status: 'PROCESSING',
  progress: 30,
  message: 'Listening to the narration (2 of 7 chunks)',
  lastError: null,
  failureCode: null,
}
const FAILED: NewVersion = {
  ...MAKING,
  status: 'FAILED',
  lastError: 'The speech service has no quota left.',
  failureCode: 'ai_quota',
}

let seq: number

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

async function openPage(fields: Partial<Module>, more: Answers = {}) {
  const bodies: unknown[] = []
  const reprocess = ({ body }: { body: unknown }) => {
    bodies.push(body)
    return { success: true, moduleId: 'm1', run: 3 }
  }
  const answers = makeTrainingAnswers(fields, { [REPROCESS]: reprocess, ...more })
  const page = renderPage(<TrainingPage />, { path: '/training/:moduleId', url: '/training/m1', answers })
  await pass(100)
  FakeSocket.all[0]?.open()
  return { ...page, answers, bodies }
}

async function sendEvent(fields: object) {
  await act(async () => {
    const ready = { kind: 'module', status: 'READY', progress: 100, message: 'Ready', segmentCount: 4 }
    FakeSocket.all[0]?.receive({ seq: ++seq, ...ready, ...fields })
    await vi.advanceTimersByTimeAsync(100)
  })
}

const note = () => screen.queryByRole('region', { name: 'A new version is being made' })
const failure = () => screen.queryByRole('alert', { name: 'The new version could not be made' })
const stepButtons = () =>
  within(screen.getByRole('region', { name: 'Steps' })).getAllByRole('button', { name: /^Step \d/ })

beforeEach(() => {
  seq = 0
  FakeSocket.all.length = 0
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.useFakeTimers()
  Element.prototype.scrollIntoView = vi.fn()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  localStorage.clear()
})

describe('a training that is made again', () => {
  test('is there as before, with a note of how far the new version is', async () => {
    await openPage({ newVersion: MAKING })
    const bar = within(note() as HTMLElement).getByRole('progressbar', { name: 'New version' })
    expect(bar).toHaveAttribute('aria-valuenow', '30')
    expect(note()).toHaveTextContent('Listening to the narration (2 of 7 chunks). Until it is done, everyone')
    expect(stepButtons()).toHaveLength(3)
    expect(screen.getByTestId('player')).toBeVisible()
    expect(screen.queryByText(/so far/)).toBeNull()
    expect(screen.queryByText('Extracting learning steps')).toBeNull()
    // Nothing else is begun meanwhile.
    expect(screen.queryByRole('button', { name: 'More for this module' })).toBeNull()
  })

  test('is followed by events and by polling', async () => {
    const { answers } = await openPage({ newVersion: MAKING })
    await sendEvent({ stepsVersion: 1, newVersion: { ...MAKING, progress: 55 } })
    expect(note()).toHaveTextContent('55%')
    answers['GET /api/modules/m1'] = makeModuleAnswer({ newVersion: { ...MAKING, progress: 70 } })
    await pass(6_000)
    expect(note()).toHaveTextContent('70%')
  })

  test('shows the new steps, transcript and proposals when they are there', async () => {
    const { answers, countCalls } = await openPage({ newVersion: MAKING })
    answers['GET /api/modules/m1'] = makeModuleAnswer({ stepsVersion: 2 })
    const answer = makeStepsAnswer([makeStep(7, 0), makeStep(8, 20)])
    answers['GET /api/steps/m1'] = { ...answer, meta: { ...answer.meta, version: 2 } }
    const before = [countCalls('GET /api/transcript/m1'), countCalls('GET /api/steps/m1/proposals')] as const
    await sendEvent({ stepsVersion: 2 })
    await pass(STEPS_RELOAD_DELAY_MS + 200)
    expect(note()).toBeNull()
    expect(stepButtons()).toHaveLength(2)
    expect(screen.getByText('The new version is ready.')).toBeInTheDocument()
    expect(countCalls('GET /api/transcript/m1')).toBeGreaterThan(before[0])
    expect(countCalls('GET /api/steps/m1/proposals')).toBeGreaterThan(before[1])
    // Who has watched it being made is asked how that went.
    expect(screen.getByText(/How did the processing go/)).toBeVisible()
  })

  test('says why there is no new version, and tries again from where it broke off', async () => {
    const { answers, bodies } = await openPage({ newVersion: FAILED })
    expect(failure()).toHaveTextContent('The speech service has no quota left.')
    expect(failure()).toHaveTextContent('Nothing has changed')
    expect(stepButtons()).toHaveLength(3)
    answers['GET /api/modules/m1'] = makeModuleAnswer({ newVersion: { ...MAKING, run: 3, progress: 10 } })
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await pass(200)
    expect(bodies).toEqual([{ from: 'failed' }])
    expect(failure()).toBeNull()
    expect(note()).toBeVisible()
  })

  test('offers no second try where it would end the same way', async () => {
    await openPage({ newVersion: { ...FAILED, failureCode: 'no_narration', lastError: 'There is no speech.' } })
    expect(failure()).toHaveTextContent('There is no speech.')
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })

  test.each([
    ['that could not be made without', { newVersion: { ...FAILED, failureCode: 'no_narration' } }, 'Add captions'],
    ['of a training that is ready', {}, 'Add captions'],
    ['of a training that has some', { transcriptSource: 'captions' }, 'Replace captions'],
  ] as const)('takes captions for a version %s, and everyone goes on seeing this one', async (_which, fields, name) => {
    const { answers } = await openPage(fields)
    expect(screen.getByRole('button', { name })).toBeVisible()
    answers['POST /api/captions/m1'] = { success: true, cues: 6 }
    answers['PUT /api/captions/m1'] = { success: true, cues: 6 }
    answers['GET /api/modules/m1'] = makeModuleAnswer({ newVersion: { ...MAKING, run: 3, progress: 10 } })
    const file = new File(['WEBVTT\n\n0:01 --> 0:02\nOpen it.'], 'words.vtt', { type: 'text/vtt' })
    fireEvent.change(screen.getByLabelText('Caption file'), { target: { files: [file] } })
    await pass(200)
    expect(failure()).toBeNull()
    expect(note()).toHaveTextContent('Until it is done, everyone goes on seeing this one.')
    expect(stepButtons()).toHaveLength(3)
  })

  test('takes no captions while it is being made, and none of a viewer', async () => {
    const view = await openPage({ newVersion: MAKING })
    expect(screen.queryByRole('button', { name: /captions$/ })).toBeNull()
    view.unmount()
    await openPage({ role: 'viewer' })
    expect(screen.queryByRole('button', { name: /captions$/ })).toBeNull()
  })

  test('says that a rough transcript is one, and offers its owner what helps', async () => {
    const rough = {
      'GET /api/transcript/m1': { success: true, source: 'speech', language: 'en', segments: [], isRough: true },
    }
    const view = await openPage({}, rough)
    const offer = within(screen.getByRole('region', { name: 'This transcript is rough' }))
    expect(offer.getByText(/Many words may be wrong/)).toBeVisible()
    expect(offer.getByRole('button', { name: 'Add captions' })).toBeVisible()
    fireEvent.click(offer.getByRole('button', { name: 'Language and glossary' }))
    expect(screen.getByRole('button', { name: 'Save and reprocess' })).toBeVisible()
    view.unmount()
    await openPage({ role: 'viewer' }, rough)
    expect(screen.getByText('Speech recognition was unsure here: some words may be wrong.')).toBeVisible()
    expect(screen.queryByRole('region', { name: 'This transcript is rough' })).toBeNull()
  })

  test('keeps quiet about a failure that was read, and speaks of the next one', async () => {
    const first = await openPage({ newVersion: FAILED })
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(failure()).toBeNull()
    first.unmount()
    const second = await openPage({ newVersion: FAILED })
    expect(failure()).toBeNull()
    second.unmount()
    await openPage({ newVersion: { ...FAILED, run: 3 } })
    expect(failure()).toBeVisible()
  })

  test('stays ready on the screen from the moment at which its owner asks for it', async () => {
    const { answers } = await openPage({})
    answers['GET /api/modules/m1'] = () => new Promise(() => {})
    fireEvent.click(screen.getByRole('button', { name: 'More for this module' }))
    await pass(50)
    fireEvent.click(screen.getByRole('menuitem', { name: 'Reprocess' }))
    await pass(50)
    const dialog = screen.getByRole('dialog', { name: 'Reprocess this video?' })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Reprocess' }))
    await pass(200)
    expect(note()).toHaveTextContent('0%')
    expect(stepButtons()).toHaveLength(3)
  })
})
