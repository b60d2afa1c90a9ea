import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderApp } from '#web/testing/render-app.tsx'
import { AppRoot } from './app-root.tsx'
import { NEEDS_NO_CLERK } from './route-handle.ts'

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
