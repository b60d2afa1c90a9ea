import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { Suspense, use } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { expect, it } from 'vitest'
import { FakeClerk } from '#web/testing/fake-clerk.tsx'
import { WorkspaceRoot } from './workspace-root.tsx'

it('loads data once where React throws a render away, and forgets it with the workspace', async () => {
  const part = Promise.withResolvers<void>()
  let loads = 0
  const list = { queryKey: ['list'], queryFn: async () => (loads += 1), staleTime: Number.POSITIVE_INFINITY }
  function Page() {
    usePrefetchQuery(list)
    use(part.promise)
    return <p>Load {useQuery(list).data}</p>
  }
  function Elsewhere() {
    return <p>Elsewhere</p>
  }
  const router = createMemoryRouter([
    { Component: WorkspaceRoot, children: [{ path: '/', Component: Page }] },
    { path: '/elsewhere', Component: Elsewhere },
  ])
  await act(async () =>
    render(
      <FakeClerk>
        <Suspense fallback={<p>Waiting</p>}>
          <RouterProvider router={router} />
        </Suspense>
      </FakeClerk>,
    ),
  )
  expect(screen.getByText('Waiting')).toBeVisible()
  await act(async () => part.resolve())
  expect(screen.getByText('Load 1')).toBeVisible()
  expect(loads).toBe(1)
  await act(() => router.navigate('/elsewhere'))
  await act(() => router.navigate('/'))
  expect(await screen.findByText('Load 2')).toBeVisible()
})
