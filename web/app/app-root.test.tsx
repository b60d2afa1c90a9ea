import { act, render, screen } from '@testing-library/react'
import { Suspense, use } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderApp } from '#web/testing/render-app.tsx'
import { AppRoot, useRouter } from './app-root.tsx'
import { NEEDS_NO_CLERK } from './shared/paths.ts'

// The bar times a call to the server.
beforeEach(() => void vi.stubGlobal('fetch', async () => new Response('{}')))

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

it.each(['', 'pk_live_nonsense'])('shows Configuration Error instead of the app for the key "%s"', (key) => {
  vi.stubEnv('VITE_CLERK_PUBLISHABLE_KEY', key)
  renderApp(<AppRoot />)
  expect(screen.getByRole('alert')).toHaveTextContent('Configuration Error')
  expect(screen.queryByRole('navigation')).toBeNull()
})

it('draws a page for strangers without loading Clerk', () => {
  vi.stubEnv('VITE_CLERK_PUBLISHABLE_KEY', `pk_live_${btoa('clerk.example.com$')}`)
  const children = [{ index: true, handle: NEEDS_NO_CLERK, element: <p>Front door</p> }]
  const router = createMemoryRouter([{ path: '/', element: <AppRoot />, children }])
  render(<RouterProvider router={router} />)
  expect(screen.getByText('Front door')).toBeVisible()
  expect(screen.getAllByRole('link', { name: 'Sign In' })[0]).toBeVisible()
  expect(document.querySelector('script')).toBeNull()
})

it('navigates also for a caller that kept the router from a render that was thrown away', async () => {
  const kept: ReturnType<typeof useRouter>[] = []
  let load: (() => void) | null = null
  const loaded = new Promise<void>((resolve) => {
    load = resolve
  })
  function Keeper() {
    kept.push(useRouter())
    use(loaded)
    return <p>Drawn</p>
  }
  const page = (
    <Suspense fallback={<p>Waiting</p>}>
      <Keeper />
    </Suspense>
  )
  const router = createMemoryRouter([{ path: '*', element: page }])
  await act(async () => render(<RouterProvider router={router} />))
  expect(screen.getByText('Waiting')).toBeVisible()
  await act(async () => load?.())
  expect(screen.getByText('Drawn')).toBeVisible()
  await act(async () => kept[0]?.navigate('/training/abc?seek=7#step-2', { replace: true, flushSync: true }))
  const { pathname, search, hash } = router.state.location
  expect(`${pathname}${search}${hash}`).toBe('/training/abc?seek=7#step-2')
})
