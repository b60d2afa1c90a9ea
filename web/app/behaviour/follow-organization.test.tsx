// Behaviour: the workspace follows the organization that Clerk has active.
import { QueryClient, QueryClientProvider, type QueryKey, useQuery } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { signOffQuery } from '#web/features/matrix/matrix-query.ts'
import { modulePagesQuery } from '#web/features/module/module-queries.ts'
import { notificationsQuery } from '#web/features/people/notification-queries.ts'
import { groupsQuery } from '#web/features/people/people-queries.ts'
import type { CallApi } from '#web/lib/api.ts'
import { MODULE_PAGES_KEY, moduleKey } from '#web/lib/module-cache.ts'
import { useFollowOrganization } from '../workspace-root.tsx'

/** A page with a list, whose answer names the organization that asks, and with a module that is open. */
function Page({ orgId, answers }: { orgId: string | null; answers: { now: Promise<string> } }) {
  useFollowOrganization(orgId)
  const { queryKey } = modulePagesQuery(() => Promise.reject(new Error('The list has its own question here.')), '')
  const list = useQuery({ queryKey, queryFn: () => answers.now })
  const module = useQuery({ queryKey: moduleKey('m1'), queryFn: () => answers.now })
  return (
    <p>
      {list.data ?? 'No list'}, {module.data ?? 'no module'}
    </p>
  )
}

it('forgets the lists of the organization before, and keeps an open module until it is loaded again', async () => {
  const client = new QueryClient()
  const answers = { now: Promise.resolve('of Line 4') }
  const page = (orgId: string | null) => (
    <QueryClientProvider client={client}>
      <Page orgId={orgId} answers={answers} />
    </QueryClientProvider>
  )
  const { rerender } = render(page('org_4'))
  expect(await screen.findByText('of Line 4, of Line 4')).toBeVisible()
  rerender(page('org_4'))
  expect(screen.getByText('of Line 4, of Line 4')).toBeVisible()
  let answer: (text: string) => void = () => {}
  answers.now = new Promise((resolve) => {
    answer = resolve
  })
  rerender(page('org_5'))
  expect(await screen.findByText('No list, of Line 4')).toBeVisible()
  expect(client.getQueriesData({ queryKey: MODULE_PAGES_KEY }).map(([, data]) => data)).toEqual([undefined])
  answer('of Line 5')
  expect(await screen.findByText('of Line 5, of Line 5')).toBeVisible()
})

it('forgets the people and the rules of the organization before', () => {
  const client = new QueryClient()
  const callApi: CallApi = () => Promise.reject(new Error('Nothing is asked here.'))
  const keys: QueryKey[] = [
    groupsQuery(callApi).queryKey,
    notificationsQuery(callApi).queryKey,
    signOffQuery(callApi, { personId: 'p1', moduleId: 'm1' }).queryKey,
  ]
  for (const key of keys) client.setQueryData(key, 'of Line 4')
  const page = (orgId: string) => (
    <QueryClientProvider client={client}>
      <Page orgId={orgId} answers={{ now: Promise.resolve('') }} />
    </QueryClientProvider>
  )
  const { rerender } = render(page('org_4'))
  expect(keys.map((key) => client.getQueryData(key))).toEqual(keys.map(() => 'of Line 4'))
  rerender(page('org_5'))
  expect(keys.map((key) => client.getQueryData(key))).toEqual(keys.map(() => undefined))
})
