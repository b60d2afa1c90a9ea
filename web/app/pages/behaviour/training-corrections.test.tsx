// Behaviour: correcting the transcript on the page of a training.
import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import { makeModuleAnswer, makeStepsAnswer, makeTrainingAnswers, renderPage } from '#web/testing/page-harness.tsx'
import { TrainingPage } from '../training-page.tsx'

const transcriptOf = (text: string) => ({
  success: true,
  source: 'speech',
  language: 'en',
  segments: [{ id: 'l1', start: 0, end: 4, text, confidence: null }],
})
const stepsOf = (text: string, version: number) => {
  const answer = makeStepsAnswer()
  return { ...answer, transcript: text, meta: { ...answer.meta, version } }
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

beforeEach(() => {
  FakeSocket.all.length = 0
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.useFakeTimers()
  Element.prototype.scrollIntoView = vi.fn()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a transcript that another person corrects', () => {
  test('is shown after its event, and the page does not poll the transcript', async () => {
    const answers = makeTrainingAnswers(
      { role: 'viewer' },
      {
        'GET /api/steps/m1': stepsOf('Open cooper netties.', 1),
        'GET /api/transcript/m1': transcriptOf('Open cooper netties.'),
      },
    )
    const page = renderPage(<TrainingPage />, { path: '/training/:moduleId', url: '/training/m1', answers })
    await pass(100)
    FakeSocket.all[0]?.open()
    expect(screen.getByText('Open cooper netties.')).toBeVisible()

    answers['GET /api/modules/m1'] = makeModuleAnswer({ role: 'viewer', stepsVersion: 2 })
    answers['GET /api/steps/m1'] = stepsOf('Open Kubernetes.', 2)
    answers['GET /api/transcript/m1'] = transcriptOf('Open Kubernetes.')
    const event = { kind: 'module', status: 'READY', progress: 100, message: 'Ready', stepsVersion: 2, segmentCount: 1 }
    await act(async () => FakeSocket.all[0]?.receive({ seq: 1, ...event }))
    await pass(1_500)
    expect(screen.getByText('Open Kubernetes.')).toBeVisible()
    const asked = page.countCalls('GET /api/transcript/m1')
    await pass(60_000)
    expect(page.countCalls('GET /api/transcript/m1')).toBe(asked)
  })

  test('is not asked for again when only steps have changed', async () => {
    const words = 'Open Kubernetes.'
    const more = { 'GET /api/steps/m1': stepsOf(words, 1), 'GET /api/transcript/m1': transcriptOf(words) }
    const answers = makeTrainingAnswers({}, more)
    const page = renderPage(<TrainingPage />, { path: '/training/:moduleId', url: '/training/m1', answers })
    await pass(100)
    answers['GET /api/modules/m1'] = makeModuleAnswer({ stepsVersion: 2 })
    answers['GET /api/steps/m1'] = stepsOf(words, 2)
    await pass(12_000)
    expect(page.countCalls('GET /api/steps/m1')).toBeGreaterThan(1)
    expect(page.countCalls('GET /api/transcript/m1')).toBe(1)
  })
})

describe('a line that its owner is correcting', () => {
  test('is asked about before the page is left, and stays for those who stay', async () => {
    const answers = makeTrainingAnswers({}, { 'GET /api/transcript/m1': transcriptOf('Open cooper netties.') })
    const { router } = renderPage(<TrainingPage />, { path: '/training/:moduleId', url: '/training/m1', answers })
    await pass(100)
    fireEvent.click(screen.getByRole('button', { name: 'Correct the transcript' }))
    fireEvent.click(screen.getByRole('button', { name: /^Correct the line at/ }))
    await pass(0)
    const field = screen.getByRole('textbox', { name: /^Line at/ })
    fireEvent.change(field, { target: { value: 'Open Kubernetes.' } })
    await act(() => router.navigate('/somewhere'))
    await pass(0)
    const question = screen.getByRole('alertdialog', { name: 'Leave without saving?' })
    fireEvent.click(within(question).getByRole('button', { name: 'Stay' }))
    expect(field).toHaveValue('Open Kubernetes.')

    fireEvent.keyDown(field, { key: 'Escape' })
    await act(() => router.navigate('/somewhere'))
    expect(screen.getByText('Another page')).toBeVisible()
  })
})
