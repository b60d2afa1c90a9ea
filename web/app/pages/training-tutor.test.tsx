import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ModuleAnswer } from '#contract/module.ts'
import type { TutorQuestion } from '#contract/tutor.ts'
import { FakeLine } from '#web/features/tutor/testing/fake-tutor.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import { type Answers, makeTrainingAnswers, renderPage } from '#web/testing/page-harness.tsx'
import { TrainingPage } from './training-page.tsx'

const SAID = { id: 'l1', start: 0, end: 4, text: 'Make a small loop.', confidence: null }

function openPage(fields: Partial<ModuleAnswer['module']> = {}) {
  const asked: TutorQuestion[] = []
  const rated: unknown[] = []
  const lines: FakeLine[] = []
  const answers: Answers = makeTrainingAnswers(fields, {
    'GET /api/transcript/m1': { success: true, source: 'speech', language: 'en', segments: [SAID] },
    'GET /api/ai/conversation/m1': { success: true, messages: [] },
    'POST /api/ai/contextual-response/stream': (call: { body: TutorQuestion }) => {
      asked.push(call.body)
      const line = new FakeLine()
      lines.push(line)
      return line.body
    },
    'POST /api/feedback/submit': (call: { body: unknown }) => {
      rated.push(call.body)
      return { success: true, message: 'Thanks' }
    },
  })
  const page = renderPage(<TrainingPage />, { path: '/training/:moduleId', url: '/training/m1', answers })
  return { ...page, answers, asked, rated, lines }
}

const tutor = () => screen.findByRole('region', { name: 'Ask the tutor' })

// So that no test waits for its code.
beforeAll(() => import('#web/features/tutor/tutor-panel.tsx'))
beforeEach(() => {
  FakeSocket.all.length = 0
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('matchMedia', (media: string) =>
    Object.assign(new EventTarget(), { media, matches: media.includes('min-width') }),
  )
  Element.prototype.scrollIntoView = vi.fn()
  Element.prototype.scrollTo = vi.fn()
})
afterEach(() => vi.unstubAllGlobals())

describe('the tutor of a training', () => {
  test('is asked where the video is, leads to its moments, and its answer is rated', async () => {
    const { asked, rated, lines } = openPage()
    const panel = within(await tutor())
    await userEvent.click(await screen.findByRole('button', { name: 'Let 15 seconds pass' }))
    await userEvent.click(await panel.findByRole('button', { name: "What's the next step?" }))
    await waitFor(() => expect(lines).toHaveLength(1))
    expect(asked).toMatchObject([
      {
        moduleId: 'm1',
        userMessage: "What's the next step?",
        videoTime: 15,
        currentStep: { id: 's2', title: 'Title of step 2', start: 15, end: 25 },
        allSteps: [{ id: 's1' }, { id: 's2' }, { id: 's3' }],
      },
    ])
    lines[0]?.finish({ answer: 'The next step is “Title of step 3” (1:02:05).' })
    await userEvent.click(await panel.findByRole('button', { name: 'Play from 01:02:05' }))
    expect(screen.getByLabelText('Video position')).toHaveTextContent('3725')
    expect(screen.getByTestId('player')).toHaveAttribute('data-playing', 'true')
    const rating = panel.getByRole('group', { name: 'Did this answer help?' })
    await userEvent.click(within(rating).getByRole('button', { name: 'Worked' }))
    const turnId = asked[0]?.turnId
    expect(rated).toMatchObject([
      {
        type: 'ai_suggestion',
        action: 'worked',
        moduleId: 'm1',
        context: turnId,
        userMessage: "What's the next step?",
        aiResponse: 'The next step is “Title of step 3” (1:02:05).',
      },
    ])
    expect(await panel.findByText('Thank you for your feedback!')).toBeVisible()
  })

  test('answers from what is transcribed while the module is in progress, and says so', async () => {
    const { lines } = openPage({ status: 'PROCESSING', progress: 40, steps: [], stepsVersion: 0 })
    const panel = within(await tutor())
    expect(await panel.findByText(/^The video is still being processed\./)).toBeVisible()
    await userEvent.type(panel.getByRole('textbox', { name: 'Your question' }), 'What comes first?{Enter}')
    await waitFor(() => expect(lines).toHaveLength(1))
    lines[0]?.finish({ answer: 'Make a small loop.', knownUntil: 90 })
    expect(await panel.findByText('Make a small loop.')).toBeVisible()
    expect(await panel.findByText('From the first 01:30, transcribed so far')).toBeVisible()
  })

  test('says what an ellipsis stands for where sentences were left out', async () => {
    const { lines } = openPage()
    const panel = within(await tutor())
    await userEvent.type(panel.getByRole('textbox', { name: 'Your question' }), 'What comes first?{Enter}')
    await waitFor(() => expect(lines).toHaveLength(1))
    lines[0]?.finish({ answer: 'Make a small loop. … Pull it tight.', hasGap: true })
    expect(await panel.findByText('Make a small loop. … Pull it tight.')).toBeVisible()
    expect(panel.getByText('… stands for what the video does not clearly say.')).toBeVisible()
  })

  test('waits for the first words', async () => {
    const { answers } = openPage({ status: 'PROCESSING', progress: 4, steps: [], stepsVersion: 0 })
    answers['GET /api/transcript/m1'] = { success: true, source: null, language: null, segments: [] }
    const panel = within(await tutor())
    expect(await panel.findByText('You can ask as soon as the first words have been transcribed.')).toBeVisible()
    expect(panel.getByRole('textbox', { name: 'Your question' })).toBeDisabled()
  })
})
