import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { FeedbackStatsAnswer } from '#contract/feedback/feedback.ts'
import { type Answers, makeProblem, renderPage } from '#web/testing/page-harness.tsx'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { FeedbackStatsCard } from './feedback-stats-card.tsx'

const STATS = 'GET /api/feedback/stats'
const BY_TYPE = { video_processing: 1, step_generation: 2, ai_suggestion: 0, transcription: 3 }

function makeStats(fields: Partial<FeedbackStatsAnswer['stats']> = {}): FeedbackStatsAnswer {
  const stats = { total: 6, positive: 4, partial: 1, negative: 1, byType: BY_TYPE, suggestions: 1, ...fields }
  const recentFeedback = [1, 2, 3, 4].map((n) => ({
    id: `f${n}`,
    type: n === 1 ? ('ai_improvement' as const) : ('transcription' as const),
    action: n === 1 ? null : ('worked' as const),
    timestamp: `2026-11-2${n}T12:00:00.000Z`,
    moduleId: 'm1',
    moduleTitle: 'Menus',
    message: n === 1 ? 'Show it longer.' : null,
  }))
  return { success: true, stats, recentFeedback }
}

function figure(name: string): string | null | undefined {
  return screen.getByText(name).parentElement?.querySelector('dd')?.textContent
}

describe('FeedbackStatsCard', () => {
  it('shows the figures, the counts per type and the three newest', { tags: ['spec-2.36', 'spec-9.24'] }, async () => {
    const { callApi } = fakeApi({ [STATS]: () => makeStats() })
    renderApp(<FeedbackStatsCard />, { callApi })
    expect(await screen.findByText('Total Feedback')).toBeVisible()
    expect(['Total Feedback', 'Positive', 'Success Rate'].map(figure)).toEqual(['6', '4', '66.7%'])
    expect(['Video processing', 'Step generation', 'AI suggestion', 'Transcription'].map(figure)).toEqual([
      '1',
      '2',
      '0',
      '3',
    ])
    const items = screen.getAllByRole('listitem')
    expect(items).toHaveLength(3)
    expect(within(items[0] as HTMLElement).getByText('“Show it longer.”')).toBeVisible()
    expect(within(items[1] as HTMLElement).getByText('· Transcription')).toBeVisible()
    expect(within(items[1] as HTMLElement).getByRole('link', { name: 'Menus' })).toHaveAttribute('href', '/training/m1')
  })

  it.each([
    [0, 0, '0.0%'],
    [3, 3, '100.0%'],
    [1, 3, '33.3%'],
    [0, 2, '0.0%'],
  ])(
    'shows %i of %i ratings as %s, so that its three figures add up, whatever was suggested beside them',
    { tags: 'spec-9.24' },
    async (positive, total, rate) => {
      const rated = { positive, partial: 0, negative: total - positive, total, suggestions: 5 }
      const { callApi } = fakeApi({ [STATS]: () => makeStats(rated) })
      renderApp(<FeedbackStatsCard />, { callApi })
      expect(await screen.findByText('Success Rate')).toBeVisible()
      expect(['Total Feedback', 'Positive', 'Success Rate'].map(figure)).toEqual([`${total}`, `${positive}`, rate])
    },
  )

  it('says what will appear here while there is no feedback', async () => {
    const { callApi } = fakeApi({ [STATS]: () => ({ ...makeStats({ total: 0, positive: 0 }), recentFeedback: [] }) })
    renderApp(<FeedbackStatsCard />, { callApi })
    expect(await screen.findByText(/No feedback yet/)).toBeVisible()
  })

  it('says when it failed, and loads again on request', async () => {
    const answers: Answers = { [STATS]: makeProblem('not_found', 'Not found') }
    renderPage(<FeedbackStatsCard />, { path: '/', url: '/', answers })
    expect(screen.getByText('Loading feedback stats')).toBeInTheDocument()
    expect(await screen.findByText('Failed to load feedback stats')).toBeVisible()
    answers[STATS] = makeStats()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Success Rate')).toBeVisible()
  })
})
