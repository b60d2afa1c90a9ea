// Behaviour: the workspace follows the organization that Clerk has active.
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { modulePagesQuery } from '#web/features/module/module-queries.ts'
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
