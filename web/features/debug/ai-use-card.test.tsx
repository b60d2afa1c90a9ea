import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AiUseAnswer } from '#contract/debug.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { AiUseCard } from './ai-use-card.tsx'

function open(fields: Partial<AiUseAnswer>) {
  const answer = { success: true, scope: 'all', totalUsd: 2.5, rows: [], reached: null, ...fields }
  const { callApi } = fakeApi({ 'GET /api/debug/usage': () => answer })
  renderApp(<AiUseCard />, { callApi })
}

describe('AiUseCard', () => {
  it('says to operators when the limit of everyone is used up, until when, and how it is raised', async () => {
    open({ reached: { kind: 'ai', of: 'everyone', limit: 2, opensAt: '2026-11-29T00:00:00.000Z' } })
    const note = await screen.findByText(
      /^This Adapt has reached its limit of \$2(?:\.00)? for AI per day\. It opens again on/,
    )
    expect(note).toHaveTextContent('TOTAL_AI_USD_PER_DAY raises it (docs/deploy.md).')
  })

  it('says nothing of it before', async () => {
    open({})
    expect(await screen.findByText('$2.50')).toBeVisible()
    expect(screen.queryByText(/has reached its limit/)).toBeNull()
  })
})
