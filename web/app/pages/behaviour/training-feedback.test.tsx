// Behaviour: giving feedback on the page of a training.
import { act, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Module } from '#contract/module.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import { makeModuleAnswer, makeTrainingAnswers, renderPage } from '#web/testing/page-harness.tsx'
import { TrainingPage } from '../training-page.tsx'

const QUESTION = 'Your training is ready. How did the processing go?'

function openPage(fields: Partial<Module> = {}) {
  const answers = makeTrainingAnswers(fields)
  const page = renderPage(<TrainingPage />, { path: '/training/:moduleId', url: '/training/m1', answers })
  return { ...page, answers }
}

beforeEach(() => {
  FakeSocket.all.length = 0
  vi.stubGlobal('WebSocket', FakeSocket)
  Element.prototype.scrollIntoView = vi.fn()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('feedback on a training', () => {
  test('is asked for the transcript and the steps, and sent with what it is about', async () => {
    const { answers } = openPage({ role: 'viewer' })
    const sent: unknown[] = []
    answers['POST /api/feedback/submit'] = (call: { body: unknown }) => {
      sent.push(call.body)
      return { success: true, message: 'Thank you' }
    }
    const transcript = await screen.findByRole('group', { name: 'Is the transcript right?' })
    await userEvent.click(within(transcript).getByRole('button', { name: 'Worked' }))
    const steps = screen.getByRole('group', { name: 'Do the steps help?' })
    await userEvent.click(within(steps).getByRole('button', { name: 'Partly' }))
    expect(sent).toMatchObject([
      { type: 'transcription', action: 'worked', moduleId: 'm1' },
      { type: 'step_generation', action: 'partially_working', moduleId: 'm1' },
    ])
    expect(screen.getByRole('region', { name: 'Feedback' })).toBeVisible()
  })

  test.each([
    ['owner', 1, 'Are the steps right?'],
    ['viewer', 0, 'Do the steps help?'],
  ] as const)('asks an %s about the processing once it is over, not before', async (role, count, steps) => {
    vi.useFakeTimers()
    const { answers } = openPage({ status: 'PROCESSING', progress: 62, role })
    await act(() => vi.advanceTimersByTimeAsync(100))
    expect(screen.queryByText(QUESTION)).toBeNull()
    expect(screen.queryByText(steps)).toBeNull()
    answers['GET /api/modules/m1'] = makeModuleAnswer({ role })
    await act(() => vi.advanceTimersByTimeAsync(6_000))
    expect(screen.queryAllByText(QUESTION)).toHaveLength(count)
    expect(screen.getByText(steps)).toBeVisible()
  })

  test('asks about the processing of a training that was ready sooner than it could be seen', async () => {
    const answers = makeTrainingAnswers()
    const url = '/training/m1?processing=true'
    renderPage(<TrainingPage />, { path: '/training/:moduleId', url, answers })
    expect(await screen.findByText(QUESTION)).toBeVisible()
  })

  test('does not ask about the processing of a training that was ready before', async () => {
    openPage()
    expect(await screen.findByText('Are the steps right?')).toBeVisible()
    expect(screen.queryByText(QUESTION)).toBeNull()
  })

  test('lets an owner rate what the AI made, not their own training', async () => {
    const { answers } = openPage()
    const sent: unknown[] = []
    answers['POST /api/feedback/submit'] = (call: { body: unknown }) => {
      sent.push(call.body)
      return { success: true, message: 'Thank you' }
    }
    const panel = await screen.findByRole('region', { name: 'Feedback' })
    expect(within(panel).getByText('Rate what the AI made of your video.')).toBeVisible()
    for (const question of ['Is the transcript right?', 'Are the steps right?']) {
      const rating = await within(panel).findByRole('group', { name: question })
      await userEvent.click(within(rating).getByRole('button', { name: 'Worked' }))
    }
    expect(sent).toMatchObject([
      { type: 'transcription', action: 'worked', moduleId: 'm1' },
      { type: 'step_generation', action: 'worked', moduleId: 'm1' },
    ])
    expect(within(panel).getByRole('textbox', { name: 'What should the AI have done better?' })).toBeVisible()
    expect(screen.queryByText('Do the steps help?')).toBeNull()
    expect(screen.queryByText('What could be better in this training?')).toBeNull()
  })
})
