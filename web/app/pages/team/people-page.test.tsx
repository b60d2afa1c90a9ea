import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Group, Person } from '#contract/team/people.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { PeoplePage } from './people-page.tsx'

const GROUP: Group = { id: 'g1', name: 'Line 3', people: 1, hasLink: false }
const ANNA: Person = {
  id: 'p1',
  name: 'Anna Berg',
  number: '17',
  email: null,
  hasAccount: false,
  isNameChecked: true,
  isActive: true,
  hasLink: false,
  hasCode: false,
  groupIds: ['g1'],
}

/** A server with these people. */
function open(people: Person[], group: Group = GROUP) {
  const bodies: unknown[] = []
  const list = () => ({ success: true, people, next: null })
  const answers = {
    'GET /api/people?': list,
    'GET /api/groups': () => ({ success: true, groups: [group] }),
    'DELETE /api/groups/g1/link': () => {
      group = { ...GROUP, hasLink: false }
      return { success: true, groups: [group] }
    },
    'POST /api/people': (body: unknown) => {
      bodies.push(body)
      const person = { ...ANNA, ...(body as object), id: `p${people.length + 1}` }
      people.push(person)
      return { success: true, person }
    },
    'DELETE /api/people/p1/link': () => ({ success: true, person: ANNA }),
    'POST /api/people/p1/link': () => ({ success: true, path: '/my#p-secret' }),
    'POST /api/people/p1/join': (body: unknown) => {
      bodies.push(body)
      people = people.filter(({ id }) => id !== 'p1')
      return { success: true, person: people[0] }
    },
    'POST /api/people/import': (body: unknown) => {
      const renamed = JSON.stringify(body).includes('Anna Holm') ? [{ before: 'Anna Berg', after: 'Anna Holm' }] : []
      if ((body as { isPreview?: boolean }).isPreview)
        return { success: true, added: 0, changed: 0, unchanged: 2, renamed, personIds: [] }
      bodies.push(body)
      return { success: true, added: 2, changed: 0, unchanged: 0, renamed, personIds: ['p1', 'p2'] }
    },
    'POST /api/assignments/settle': (body: unknown) => {
      bodies.push(body)
      return { success: true, id: null, left: bodies.length < 3 ? 7 : 0 }
    },
  }
  const api = fakeApi(answers)
  return { ...renderApp(<PeoplePage />, { callApi: api.callApi, organization: 'org_1' }), ...api, bodies }
}

it('adds a person with a group', async () => {
  const { user, bodies } = open([])
  await screen.findByRole('heading', { name: 'No people yet' })
  await user.click(screen.getByRole('button', { name: 'Add a person' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(dialog.getByText('Write a name.')).toBeVisible()
  expect(dialog.getByLabelText('Name')).toHaveFocus()
  await user.type(dialog.getByLabelText('Name'), 'Anna Berg')
  await user.click(await dialog.findByLabelText('Line 3'))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Anna Berg')).toBeVisible()
  expect(bodies).toEqual([{ name: 'Anna Berg', number: null, email: null, groupIds: ['g1'] }])
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('shows a personal link once, as text and as a code for cameras', async () => {
  const { user } = open([ANNA])
  await user.click(await screen.findByRole('button', { name: 'Actions for Anna Berg' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Personal link' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Personal link' }))
  expect(dialog.getByRole('textbox')).toHaveValue(`${window.location.origin}/my#p-secret`)
  expect(dialog.getByText(/Whoever opens this link acts as Anna Berg/)).toBeVisible()
})

it('asks before a new link ends the one that a person has', async () => {
  const { user, calls } = open([{ ...ANNA, hasLink: true }])
  await user.click(await screen.findByRole('button', { name: 'Actions for Anna Berg' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Personal link' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Personal link' }))
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual([])
  await user.click(question.getByRole('button', { name: 'Make a new one' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Personal link' }))
  expect(dialog.getByRole('textbox')).toHaveValue(`${window.location.origin}/my#p-secret`)
})

it('asks before it joins two entries, and keeps the one that was chosen', async () => {
  const { user, bodies } = open([ANNA, { ...ANNA, id: 'p2', name: 'Anna B.', number: null }])
  await user.click(await screen.findByRole('button', { name: 'Actions for Anna Berg' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Same person as another entry' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Same person as another entry' }))
  expect(dialog.queryByText('Nobody matches.')).toBeNull()
  await user.click(await dialog.findByRole('button', { name: 'Anna B.' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Are both the same person?' }))
  expect(question.getByText(/^Anna Berg \(17\) is removed, with its link and code\. Anna B\. stays/)).toBeVisible()
  expect(bodies).toEqual([])
  await user.click(question.getByRole('button', { name: 'Cancel' }))
  expect(bodies).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Anna B.' }))
  await user.click(await screen.findByRole('button', { name: 'Join entries' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(bodies).toEqual([{ into: 'p2' }])
  expect(screen.queryByText('Anna Berg')).toBeNull()
})

it('asks before it takes the link of a person back', async () => {
  const { user, calls } = open([{ ...ANNA, hasLink: true }])
  await user.click(await screen.findByRole('button', { name: 'Actions for Anna Berg' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Revoke link and code' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Revoke link and code' }))
  expect(calls).not.toContain('DELETE /api/people/p1/link')
  await user.click(question.getByRole('button', { name: 'Revoke link and code' }))
  expect(await screen.findByText('Link and code no longer work.')).toBeVisible()
})

it('takes back the link of a shared device, where there is one, and asks before', async () => {
  const { user, calls } = open([ANNA], { ...GROUP, hasLink: true })
  await user.click(await screen.findByRole('button', { name: 'Groups' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(await dialog.findByRole('button', { name: 'Actions for Line 3' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Revoke the link' }))
  expect(calls).not.toContain('DELETE /api/groups/g1/link')
  await user.click(await screen.findByRole('button', { name: 'Revoke the link' }))
  await waitFor(() => expect(calls).toContain('DELETE /api/groups/g1/link'))
})

it('says that groups or other entries did not load, not that there are none', async () => {
  const failed = () => {
    throw new ApiError({ status: 404, code: 'not_found', message: 'They are not there.' })
  }
  const { callApi } = fakeApi({
    'GET /api/people?': () => ({ success: true, people: [ANNA], next: null }),
    'GET /api/people?query=bo': failed,
    'GET /api/groups': failed,
  })
  const { user } = renderApp(<PeoplePage />, { callApi, organization: 'org_1' })
  await user.click(await screen.findByRole('button', { name: 'Groups' }))
  const groups = within(await screen.findByRole('dialog', { name: 'Groups' }))
  expect(await groups.findByRole('alert')).toHaveTextContent('Failed to load Groups')
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Actions for Anna Berg' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Same person as another entry' }))
  const others = within(await screen.findByRole('dialog', { name: 'Same person as another entry' }))
  await user.click(others.getByRole('searchbox'))
  await user.paste('bo')
  expect(await others.findByRole('alert')).toHaveTextContent('Failed to load People')
  expect(others.queryByText('Nobody matches.')).toBeNull()
})

it('imports a list: names what it leaves out, and settles what follows until nothing is left', async () => {
  const { user, calls, bodies } = open([ANNA])
  await user.click(screen.getByRole('button', { name: 'Import a list' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByLabelText('Rows'))
  await user.paste('Anna,1\nBo,2,bo@example.com\n,3\nAnna,1\nCem,4,cem@')
  expect(dialog.getByText('Ready to import: 2')).toBeVisible()
  expect(dialog.getByText('Bo · 2 · bo@example.com')).toBeVisible()
  expect(dialog.getByText('Row 3: there is no name')).toBeVisible()
  expect(dialog.getByText('Row 4: the same person as in row 1')).toBeVisible()
  expect(dialog.getByText('Row 5: the email address is not valid')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Import' }))
  expect(await dialog.findByText('Added: 2 · Changed: 0 · Unchanged: 0')).toBeVisible()
  expect(bodies[0]).toEqual({
    rows: [
      { name: 'Anna', number: '1', email: null, groups: [] },
      { name: 'Bo', number: '2', email: 'bo@example.com', groups: [] },
    ],
  })
  await waitFor(() => expect(calls.filter((call) => call.endsWith('/settle'))).toHaveLength(2))
})

it('names whom a list renames before it is imported', async () => {
  const { user, bodies } = open([ANNA])
  await user.click(screen.getByRole('button', { name: 'Import a list' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByLabelText('Rows'))
  await user.paste('Anna Holm,1')
  await user.click(dialog.getByRole('button', { name: 'Import' }))
  const asked = await dialog.findByRole('alert')
  expect(asked).toHaveTextContent('People who get another name: 1. Check their numbers.')
  expect(asked).toHaveTextContent(/Anna Berg\s*Anna Holm/)
  expect(bodies).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Import anyway' }))
  expect(await dialog.findByText(/^Added: 2/)).toBeVisible()
})
