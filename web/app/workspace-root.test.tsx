import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { Suspense, use } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { expect, it, vi } from 'vitest'
import { WorkspaceRoot } from './workspace-root.tsx'

vi.mock('@clerk/react', () => ({
  useAuth: () => ({ getToken: async () => null, userId: null, orgId: null }),
  useUser: () => ({ user: null }),
}))
vi.mock('./upload-root.tsx', () => ({ UploadRoot: ({ children }: { children: unknown }) => children }))

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
      <Suspense fallback={<p>Waiting</p>}>
        <RouterProvider router={router} />
      </Suspense>,
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
