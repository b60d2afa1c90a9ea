import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { NotificationsAnswer, NotificationsPatch, Webhook } from '#contract/team/notifications.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { NotificationsPage } from './notifications-page.tsx'

const NONE: NotificationsAnswer = {
  success: true,
  canMail: true,
  sendsReminders: true,
  checkpointEmail: null,
  webhook: null,
  hasMatrixKey: false,
}
const WEBHOOK: Webhook = {
  url: 'https://hooks.example.org/x',
  takenAt: null,
  failure: null,
  stoppedAt: null,
  waiting: 0,
}

/** A server with these settings. */
function open(settings: Partial<NotificationsAnswer> = {}, { onSave = (): unknown => undefined } = {}) {
  let now = { ...NONE, ...settings }
  const bodies: unknown[] = []
  let keys = 0
  const change = (fields: Partial<NotificationsAnswer>) => (now = { ...now, ...fields })
  const api = fakeApi({
    'GET /api/notifications': () => now,
    'PATCH /api/notifications': (body) => {
      bodies.push(body)
      return change(body as NotificationsPatch)
    },
    'PUT /api/notifications/webhook': async (body) => {
      await onSave()
      bodies.push(body)
      change({ webhook: { ...WEBHOOK, ...(body as { url: string }) } })
      return { success: true, secret: 'whsec_abc' }
    },
    'DELETE /api/notifications/webhook': () => change({ webhook: null }),
    'PUT /api/notifications/matrix-key': () => {
      change({ hasMatrixKey: true })
      return { success: true, key: `adapt_${(keys += 1)}` }
    },
    'DELETE /api/notifications/matrix-key': () => change({ hasMatrixKey: false }),
    'POST /api/notifications/webhook/retry': () =>
      change({ webhook: { ...WEBHOOK, takenAt: '2026-11-03T10:00:00.000Z' } }),
  })
  return { ...renderApp(<NotificationsPage />, { callApi: api.callApi, organization: 'org_1' }), ...api, bodies }
}

it('switches reminders off, and sends checkpoints to an address', async () => {
  const { user, bodies } = open()
  const reminders = await screen.findByRole('switch', { name: 'Reminders and answers by mail' })
  expect(reminders).toBeChecked()
  await user.click(reminders)
  expect(await screen.findByText(/Nobody is reminded or gets answers by mail/)).toBeVisible()
  const field = screen.getByLabelText('Checkpoints of the records by mail')
  await user.type(field, 'audit')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(screen.getByText('This is not an email address.')).toBeVisible()
  await user.type(field, '@example.com')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved')).toBeInTheDocument()
  expect(bodies).toEqual([{ sendsReminders: false }, { checkpointEmail: 'audit@example.com' }])
  // The same field as before, and the focus near the button that is gone.
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull())
  expect(field).toBeInTheDocument()
  expect(field).toHaveValue('audit@example.com')
  await waitFor(() => expect(screen.getByText(/Kept elsewhere/)).toHaveFocus())
})

it('promises no mail where none can be sent', async () => {
  open({ canMail: false })
  expect(await screen.findByText(/This Adapt sends no mail/)).toBeVisible()
  expect(screen.queryByRole('switch')).toBeNull()
  expect(screen.queryByRole('textbox', { name: /by mail/ })).toBeNull()
})

it('shows the secret of a new webhook once', async () => {
  const { user, bodies } = open()
  await user.type(await screen.findByLabelText('Address'), WEBHOOK.url)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Secret of the webhook' }))
  expect(dialog.getByRole('textbox')).toHaveValue('whsec_abc')
  expect(bodies).toEqual([{ url: WEBHOOK.url }])
  await user.keyboard('{Escape}')
  expect(await screen.findByText('Nothing has been sent yet.')).toBeVisible()
})

it('says at the address that the server does not allow it', async () => {
  const refused = new ApiError({ status: 400, code: 'invalid_request', message: 'The request is not valid.' })
  const { user } = open({}, { onSave: () => Promise.reject(refused) })
  await user.type(await screen.findByLabelText('Address'), WEBHOOK.url)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/^This address is not allowed\. It must be a public https address/)).toBeVisible()
  expect(screen.getByLabelText('Address')).toHaveAttribute('aria-invalid', 'true')
})

it('says why nothing is sent, and tries again', async () => {
  const at = '2026-11-02T10:00:00.000Z'
  const { user } = open({ webhook: { ...WEBHOOK, failure: { at, reason: '503' }, stoppedAt: at, waiting: 4 } })
  expect(await screen.findByText(/Nothing has been sent since .*: it answered 503\./)).toBeVisible()
  expect(screen.getByText('Events waiting: 4')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText(/^Last event accepted/)).toBeVisible()
})

it('asks before it removes the webhook with the events that wait', async () => {
  const { user, calls } = open({ webhook: WEBHOOK })
  await user.click(await screen.findByRole('button', { name: 'Remove webhook' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Remove the webhook?' }))
  expect(question.getByText(/Waiting events are deleted/)).toBeVisible()
  await user.click(question.getByRole('button', { name: 'Cancel' }))
  expect(calls).not.toContain('DELETE /api/notifications/webhook')
  await user.click(await screen.findByRole('button', { name: 'Remove webhook' }))
  const again = within(await screen.findByRole('alertdialog', { name: 'Remove the webhook?' }))
  await user.click(again.getByRole('button', { name: 'Remove webhook' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove webhook' })).toBeNull())
  expect(calls).toContain('DELETE /api/notifications/webhook')
  // Near the button that is gone.
  await waitFor(() => expect(screen.getByText(/^Tells another system when a training is done/)).toHaveFocus())
})

it('asks before it makes a new secret', async () => {
  const { user, bodies } = open({ webhook: WEBHOOK })
  await user.click(await screen.findByRole('button', { name: 'New secret' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Make a new secret?' }))
  expect(bodies).toEqual([])
  await user.click(question.getByRole('button', { name: 'New secret' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Secret of the webhook' }))
  expect(dialog.getByRole('textbox')).toHaveValue('whsec_abc')
  expect(bodies).toEqual([{ url: WEBHOOK.url }])
})

it('says in a toast that no new secret was made, not at the address', async () => {
  const { user } = open({ webhook: WEBHOOK }, { onSave: () => Promise.reject(new Error('No connection.')) })
  await user.click(await screen.findByRole('button', { name: 'New secret' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'New secret' }))
  expect(await screen.findByText('This could not be saved')).toBeInTheDocument()
  expect(screen.getByText('No connection.')).toBeInTheDocument()
  expect(screen.getByLabelText('Address')).not.toHaveAttribute('aria-invalid')
})

it('shows the key of another system once, asks before it is replaced or removed, and keeps the focus', async () => {
  const { user, calls } = open()
  const press = async (name: string) => user.click(await screen.findByRole('button', { name }))
  const answer = async (name: string) =>
    user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name }))
  const shown = async () => {
    const dialog = await screen.findByRole('dialog', { name: 'Key for other systems' })
    expect(dialog).toHaveTextContent(`${location.origin}/api/matrix`)
    return within(dialog).getByRole('textbox')
  }
  await press('Make a key')
  expect(await shown()).toHaveValue('adapt_1')
  await user.keyboard('{Escape}')
  await press('New key')
  await answer('Cancel')
  await press('New key')
  await answer('New key')
  expect(await shown()).toHaveValue('adapt_2')
  await user.keyboard('{Escape}')
  await press('Remove key')
  await answer('Remove key')
  await waitFor(() => expect(screen.getByText(/^With this key another system reads the matrix/)).toHaveFocus())
  expect(screen.getByRole('button', { name: 'Make a key' })).toBeVisible()
  expect(calls.filter((call) => call.endsWith('matrix-key'))).toEqual([
    'PUT /api/notifications/matrix-key',
    'PUT /api/notifications/matrix-key',
    'DELETE /api/notifications/matrix-key',
  ])
})
