import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { INVITATIONS_MAX } from '#contract/limits.ts'
import type { Invitation } from '#contract/training/invitation.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { InvitedPeople } from './invited-people.tsx'

const OPEN: Invitation = { id: 'open', name: 'Kim Lee', expiresAt: '2099-12-01T10:00:00.000Z', accepted: null }
const LISTED: Invitation[] = [
  OPEN,
  { ...OPEN, id: 'ended', name: 'Ana Cruz', expiresAt: '2026-11-01T10:00:00.000Z' },
  { ...OPEN, id: 'used', name: 'Max', accepted: { name: 'max@example.com', acceptedAt: '2026-11-21T10:00:00.000Z' } },
]

function open(listed: Invitation[], sent: unknown[] = []) {
  const { callApi, calls } = fakeApi({
    'GET /api/invitations/m1': () => ({ success: true, invitations: listed }),
    'POST /api/invitations/m1': (body) => {
      sent.push(body)
      return { success: true, invitations: [OPEN], path: '/invitation#secret' }
    },
    'DELETE /api/invitations/m1/open': () => ({ success: true, invitations: [] }),
    'DELETE /api/invitations/m1/used': () => ({ success: true, invitations: listed.filter(({ id }) => id !== 'used') }),
  })
  return { ...renderApp(<InvitedPeople moduleId="m1" />, { callApi }), calls, sent }
}

it('makes a link that is shown this once, and takes it back', async () => {
  const { user, sent } = open([])
  await user.type(screen.getByRole('textbox', { name: 'Name of the person' }), ' Kim Lee {Enter}')
  const link = await screen.findByRole('textbox', { name: 'Invitation link for Kim Lee' })
  expect(link).toHaveValue('http://localhost:3000/invitation#secret')
  expect(sent).toEqual([{ name: 'Kim Lee' }])
  await user.click(screen.getByRole('button', { name: 'Remove Kim Lee' }))
  await waitFor(() => expect(link).not.toBeInTheDocument())
  expect(screen.queryByRole('listitem')).toBeNull()
})

it('says who is invited, whose link has ended, and who edits the training under which name', async () => {
  open(LISTED)
  const list = await screen.findByRole('list', { name: 'Invited people' })
  expect(within(list).getByText('Invited, the link works until Dec 1, 2099')).toBeVisible()
  expect(within(list).getByText('Not accepted, the link ended on Nov 1, 2026')).toBeVisible()
  expect(within(list).getByText('Edits it as max@example.com, since Nov 21, 2026')).toBeVisible()
})

it('asks before it removes somebody who edits the training', async () => {
  const { user, calls } = open(LISTED)
  const removals = () => calls.filter((call) => call.startsWith('DELETE'))
  await user.click(await screen.findByRole('button', { name: 'Remove Max' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Remove Max' }))
  expect(question.getByText(/^What this person has changed stays\./)).toBeVisible()
  await user.click(question.getByRole('button', { name: 'Cancel' }))
  expect(removals()).toEqual([])
  await user.click(await screen.findByRole('button', { name: 'Remove Max' }))
  await user.click(await screen.findByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(screen.queryByText(/^Edits it as/)).not.toBeInTheDocument())
  expect(removals()).toEqual(['DELETE /api/invitations/m1/used'])
})

it('invites nobody without a name', async () => {
  const { user, sent } = open([])
  await user.type(screen.getByRole('textbox', { name: 'Name of the person' }), '   {Enter}')
  expect(sent).toEqual([])
})

const listOf = (count: number) =>
  Array.from({ length: count }, (_, index): Invitation => ({ ...OPEN, id: `${index}`, name: `Kim ${index}` }))

it('says instead of the form that nobody else can be invited', async () => {
  open(listOf(INVITATIONS_MAX))
  expect(await screen.findByText('At most 20 people can be invited. Remove one to invite another.')).toBeVisible()
  expect(screen.queryByRole('textbox')).toBeNull()
})

it('invites where one more may be', async () => {
  open(listOf(INVITATIONS_MAX - 1))
  expect(await screen.findAllByRole('listitem')).toHaveLength(INVITATIONS_MAX - 1)
  expect(screen.getByRole('textbox', { name: 'Name of the person' })).toBeVisible()
})
