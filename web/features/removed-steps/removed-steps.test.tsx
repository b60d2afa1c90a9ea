import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { StepsAnswer } from '#contract/step.ts'
import { renderPage } from '#web/testing/page-harness.tsx'
import { RemovedSteps } from './removed-steps.tsx'

const STEPS: StepsAnswer = {
  success: true,
  steps: [],
  transcript: '',
  meta: { durationSec: 60, version: 8, editedVersion: 8, transcriptSource: null, cuts: [] },
}

function open(titles: readonly string[], restored: StepsAnswer[]) {
  const steps = titles.map((title) => ({ id: title, title, start: 65, removedAt: '2026-11-21T10:00:00.000Z' }))
  return renderPage(<RemovedSteps moduleId="m1" version={7} onRestored={(answer) => restored.push(answer)} />, {
    path: '/',
    url: '/',
    answers: {
      'GET /api/steps/m1/removed': { success: true, steps },
      'POST /api/steps/m1/removed/lid': STEPS,
    },
  })
}

describe('RemovedSteps', () => {
  it('lists steps that were deleted, and brings one back', async () => {
    const user = userEvent.setup()
    const restored: StepsAnswer[] = []
    open(['lid', 'cable'], restored)
    await user.click(await screen.findByRole('button', { name: 'Restore: lid' }))
    expect(restored).toEqual([STEPS])
    expect(screen.getByText('cable')).toBeTruthy()
  })
})
