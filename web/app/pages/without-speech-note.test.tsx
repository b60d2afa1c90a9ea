import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { Module } from '#contract/module.ts'
import { type Answers, makeStep, makeStepsAnswer, makeTrainingAnswers, renderPage } from '#web/testing/page-harness.tsx'
import { TrainingPage } from './training-page.tsx'

const NAME = 'Parts without understandable speech'

async function openPage(withoutSpeech: object[], fields: Partial<Module> = {}, more: Answers = {}) {
  const transcript = {
    success: true,
    source: 'speech',
    language: 'en',
    segments: [{ id: 's1-00000', start: 1, end: 31, text: 'Turn it.', confidence: 0.9 }],
    withoutSpeech,
  }
  const answers = makeTrainingAnswers(fields, {
    'GET /api/transcript/m1': transcript,
    'GET /api/steps/m1': makeStepsAnswer([makeStep(1, 3725)]),
    ...more,
  })
  renderPage(<TrainingPage />, { path: '/training/:moduleId', url: '/training/m1', answers })
  await screen.findByText('Turn it.')
}

describe('the note of parts without understandable speech', () => {
  test('names the part, and offers its owner captions and scenes', async () => {
    await openPage([{ start: 32.4, end: 1800 }])
    const note = within(screen.getByRole('region', { name: NAME }))
    expect(note.getByText('No understandable speech from 00:32 to 30:00.')).toBeVisible()
    expect(note.getByRole('button', { name: 'Add captions' })).toBeVisible()
    expect(note.getByRole('button', { name: 'Find the scenes' })).toBeVisible()
  })

  test.each([
    [6, 'and from 05:00 to 05:30.'],
    [7, 'from 04:00 to 04:30, and in 2 more parts.'],
  ])('shortens a long list: of %d', async (count, end) => {
    await openPage(Array.from({ length: count }, (_, minute) => ({ start: minute * 60, end: minute * 60 + 30 })))
    expect(screen.getByText(/^No understandable speech from 00:00 to 00:30, /)).toHaveTextContent(end)
  })

  test('leaves out a part that a person has written steps for', async () => {
    const parts = [
      { start: 32, end: 90 },
      { start: 120, end: 300 },
    ]
    await openPage(parts, {}, { 'GET /api/steps/m1': makeStepsAnswer([makeStep(1, 60)]) })
    expect(await screen.findByText('No understandable speech from 02:00 to 05:00.')).toBeVisible()
  })

  test('offers no scenes where something is proposed already', async () => {
    const proposals = [{ ...makeStep(2, 60), title: '', replaces: [] }]
    await openPage([{ start: 32, end: 1800 }], {}, { 'GET /api/steps/m1/proposals': { success: true, proposals } })
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Find the scenes' })).toBeNull())
    const note = within(screen.getByRole('region', { name: NAME }))
    expect(note.getByRole('button', { name: 'Add captions' })).toBeVisible()
  })

  test.each([
    ['all of it is understood', [], {}],
    ['a learner looks at it', [{ start: 32, end: 1800 }], { role: 'viewer' }],
  ] as const)('is not there where %s', async (_why, parts, fields) => {
    await openPage([...parts], fields)
    expect(screen.queryByRole('region', { name: NAME })).toBeNull()
    expect(screen.queryByText(/No understandable speech/)).toBeNull()
  })
})
