import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { FeedbackWidget } from './feedback-widget.tsx'

const SUBMIT = 'POST /api/feedback/submit'
const THANKS = { success: true, message: 'Thank you!' }
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

function open(answer: () => unknown, props = {}) {
  const { callApi, calls } = fakeApi({ [SUBMIT]: answer })
  const about = { type: 'transcription', moduleId: 'm1' } as const
  renderApp(<FeedbackWidget question="Is the transcript right?" about={about} {...props} />, { callApi })
  return calls
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('FeedbackWidget', () => {
  it('offers the three actions under its question', { tags: ['spec-4.19', 'spec-9.25'] }, () => {
    open(() => THANKS)
    expect(screen.getByRole('group', { name: 'Is the transcript right?' })).toBeVisible()
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual([
      'Worked',
      'Partly',
      'Did not work',
    ])
  })

  it('says thank you in a live region that was there before, and keeps the focus near', async () => {
    open(() => THANKS)
    const status = screen.getByRole('status')
    expect(status).toBeEmptyDOMElement()
    screen.getByRole('button', { name: 'Worked' }).focus()
    press('Worked')
    await pass(50)
    expect(status).toHaveTextContent('Thank you for your feedback!')
    expect(screen.queryByRole('group')).toBeNull()
    expect(document.activeElement).toContainElement(status)
    await pass(10_000)
    expect(status).toHaveTextContent('Thank you for your feedback!')
  })

  it('hides the thanks after 3 s where auto-hide is on', { tags: ['spec-4.19', 'spec-9.23'] }, async () => {
    open(() => THANKS, { isAutoHidden: true })
    press('Partly')
    await pass(50)
    await pass(2_900)
    expect(screen.getByRole('status')).toHaveTextContent('Thank you')
    await pass(200)
    expect(screen.getByRole('status')).toBeEmptyDOMElement()
    expect(screen.queryByRole('group')).toBeNull()
  })

  it('sends once, however often it is pressed', async () => {
    const calls = open(() => new Promise((resolve) => setTimeout(() => resolve(THANKS), 1_000)))
    press('Worked')
    await pass(10)
    press('Worked')
    press('Did not work')
    await pass(1_100)
    expect(calls).toEqual([SUBMIT])
  })

  it('asks again when it could not be sent, and says so', { tags: 'spec-8.22' }, async () => {
    open(() => Promise.reject(new Error('away')))
    press('Did not work')
    await pass(100)
    expect(screen.getByText('Failed to submit feedback. Please try again.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Did not work' })).toBeVisible()
  })
})
