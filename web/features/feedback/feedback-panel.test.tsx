import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { FeedbackPanel } from './feedback-panel.tsx'

const IMPROVE = 'POST /api/feedback/improvement'

function open(answer: () => unknown = () => ({ success: true, message: 'Thanks' })) {
  const { callApi, calls } = fakeApi({ [IMPROVE]: answer })
  const { user } = renderApp(<FeedbackPanel moduleId="m1" question="What could be better in this training?" />, {
    callApi,
  })
  const field = screen.getByRole('textbox', { name: 'What could be better in this training?' })
  const send = () => user.click(screen.getByRole('button', { name: 'Send feedback' }))
  return { user, field, send, calls }
}

describe('FeedbackPanel', () => {
  it('sends the words and says thank you', { tags: ['spec-2.42', 'spec-5.11', 'spec-8.26'] }, async () => {
    const { user, field, send, calls } = open()
    await user.type(field, 'Show the menu longer.')
    await send()
    const thanks = "Thank you for your feedback! We'll use it to improve this training."
    expect(await screen.findByText(thanks)).toBeInTheDocument()
    expect(calls).toEqual([IMPROVE])
    expect(field).toHaveValue('')
  })

  it.each(['', '   '])('asks for words instead of sending "%s"', async (words) => {
    const { user, field, send, calls } = open()
    if (words !== '') await user.type(field, words)
    await send()
    expect(screen.getByRole('alert')).toHaveTextContent('Write a few words first.')
    expect(field).toHaveFocus()
    expect(field).toBeInvalid()
    expect(field).toHaveAccessibleDescription('Write a few words first.')
    expect(calls).toEqual([])
    await user.type(field, 'a')
    expect(field).not.toBeInvalid()
  })

  it('keeps the words when they could not be sent', { tags: 'spec-8.22' }, async () => {
    const { user, field, send } = open(() => Promise.reject(new Error('away')))
    await user.type(field, 'Longer.')
    await send()
    expect(await screen.findByText('Failed to submit feedback. Please try again.')).toBeInTheDocument()
    await waitFor(() => expect(field).toHaveValue('Longer.'))
  })
})
