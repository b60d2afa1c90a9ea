import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { makeModule } from '#contract/testing/examples.ts'
import { ApiContext } from '#web/lib/api.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { writeLastDay } from './last-day.ts'
import { LinkSettings } from './link-settings.tsx'

function open(fields: Parameters<typeof makeModule>[0] = {}) {
  const sent: unknown[] = []
  const take = (answer: object) => (body: unknown) => {
    sent.push(body)
    return { success: true, ...answer }
  }
  const { callApi } = fakeApi({
    'PATCH /api/modules/m1': take({}),
    'POST /api/modules/m1/link': take({ shareUrl: '/share/another' }),
  })
  return { ...renderApp(<LinkSettings module={makeModule(fields)} />, { callApi }), sent }
}

it('sets, changes and removes the password of a link', async () => {
  const { user, sent } = open({ hasLinkPassword: true })
  const field = screen.getByRole('textbox', { name: 'Password' })
  await user.type(field, 'short')
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  expect(sent).toEqual([])
  await user.type(field, ' enough')
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  await waitFor(() => expect(field).toHaveValue(''))
  await user.click(screen.getByRole('button', { name: 'Remove password' }))
  await waitFor(() => expect(sent).toEqual([{ linkPassword: 'short enough' }, { linkPassword: null }]))
})

it('ends a link after a day in the time zone of its owner', async () => {
  const { user, sent } = open()
  expect(screen.queryByRole('button', { name: 'Remove end date' })).toBeNull()
  // A year that is being typed, or a day that is over, ends no link.
  await user.type(screen.getByLabelText('Last day of the link'), '0219-12-24')
  await user.clear(screen.getByLabelText('Last day of the link'))
  await user.type(screen.getByLabelText('Last day of the link'), '2199-12-24')
  await waitFor(() => expect(sent).toEqual([{ linkEndsAt: writeLastDay('2199-12-24') }]))
})

it('shows the last day, and removes it', async () => {
  const { user, sent } = open({ linkEndsAt: writeLastDay('2026-12-24') })
  expect(screen.getByLabelText('Last day of the link')).toHaveValue('2026-12-24')
  await user.click(screen.getByRole('button', { name: 'Remove end date' }))
  await waitFor(() => expect(sent).toEqual([{ linkEndsAt: null }]))
})

it('takes a password also while the last day is being saved', async () => {
  const sent: unknown[] = []
  const { callApi } = fakeApi({
    'PATCH /api/modules/m1': (body) => {
      sent.push(body)
      return new Promise(() => {})
    },
  })
  const { user } = renderApp(<LinkSettings module={makeModule({ linkEndsAt: writeLastDay('2026-12-24') })} />, {
    callApi,
  })
  await user.click(screen.getByRole('button', { name: 'Remove end date' }))
  await user.type(screen.getByRole('textbox', { name: 'Password' }), 'long enough')
  await user.click(screen.getByRole('button', { name: 'Set password' }))
  await waitFor(() => expect(sent).toEqual([{ linkEndsAt: null }, { linkPassword: 'long enough' }]))
})

it('makes a new link, and asks before the old one stops working', async () => {
  const { user, sent } = open()
  await user.click(screen.getByRole('button', { name: 'Make a new link' }))
  const question = within(screen.getByRole('alertdialog', { name: 'Make a new link' }))
  expect(question.getByText(/all printed codes stop working at once/)).toBeVisible()
  expect(sent).toEqual([])
  await user.click(question.getByRole('button', { name: 'Make a new link' }))
  await user.click(screen.getByRole('radio', { name: 'leads to the new one' }))
  await user.click(screen.getByRole('button', { name: 'Make a new link' }))
  await waitFor(() => expect(sent).toEqual([{ forwards: false }, { forwards: true }]))
})

it('leaves the focus at the field whose button went', async () => {
  function Owned() {
    const [hasLinkPassword, setHasPassword] = useState(true)
    const { callApi } = fakeApi({
      'PATCH /api/modules/m1': () => {
        setHasPassword(false)
        return { success: true }
      },
    })
    return (
      <ApiContext value={callApi}>
        <LinkSettings module={makeModule({ hasLinkPassword })} />
      </ApiContext>
    )
  }
  const { user } = renderApp(<Owned />)
  await user.click(screen.getByRole('button', { name: 'Remove password' }))
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Password' })).toHaveFocus())
})
