// Behaviour: what stands around every page: menu, notices and what survives a change of page.
import { act, render, screen } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { VisitorContext } from '#web/features/auth/visitor.ts'
import { SiteLayout } from '../app-root.tsx'

beforeEach(() => {
  // The bar times a call to the server, and the router scrolls.
  vi.stubGlobal('fetch', async () => new Response('{}'))
  vi.stubGlobal('scrollTo', () => {})
})

afterEach(() => vi.unstubAllGlobals())

const arrive = () => window.dispatchEvent(new Event('arrive'))

/** A page whose data comes later, with a heading before and another one after. */
function SlowPage() {
  const [hasArrived, setHasArrived] = useState(false)
  useEffect(() => window.addEventListener('arrive', () => setHasArrived(true), { once: true }), [])
  return hasArrived ? (
    <section>
      <h1>The training</h1>
      <button>Press</button>
    </section>
  ) : (
    <div>
      <h1>Loading</h1>
      <button>Wait</button>
    </div>
  )
}

const remount = () => act(() => void window.dispatchEvent(new Event('redraw')))

function Layout() {
  const [key, setKey] = useState(0)
  useEffect(() => window.addEventListener('redraw', () => setKey(1), { once: true }), [])
  return <SiteLayout key={key} />
}

function open() {
  const children = [
    { path: '/', element: <h1>Home</h1> },
    { path: '/dashboard', element: <h1>Training Dashboard</h1> },
    { path: '/sign-in/*', element: <h1>Welcome Back</h1> },
    { path: '/training/:id', element: <SlowPage /> },
  ]
  const router = createMemoryRouter([{ element: <Layout />, children }])
  render(
    <VisitorContext value="signedOut">
      <RouterProvider router={router} />
    </VisitorContext>,
  )
  return { go: (path: string) => act(() => router.navigate(path)) }
}

const heading = (name: string) => screen.getByRole('heading', { name })

describe('SiteLayout', () => {
  it('lets people skip the bar', () => {
    open()
    const link = screen.getByRole('link', { name: 'Skip to content' })
    expect(link).toHaveAttribute('href', '#main')
    expect(screen.getByRole('main')).toHaveAttribute('id', 'main')
  })

  it('leaves the focus alone on the first page', () => {
    open()
    expect(document.body).toHaveFocus()
  })

  it('moves the focus to the heading of the next page', async () => {
    const { go } = open()
    await go('/dashboard')
    expect(heading('Training Dashboard')).toHaveFocus()
  })

  it('does so as well when it is mounted again for that page, as when Clerk is loaded', async () => {
    const { go } = open()
    await go('/dashboard')
    act(() => (document.activeElement as HTMLElement).blur())
    remount()
    expect(await screen.findByRole('heading', { name: 'Training Dashboard' })).toHaveFocus()
  })

  it('follows the heading while a page is still loading', async () => {
    const { go } = open()
    await go('/training/1')
    expect(heading('Loading')).toHaveFocus()
    await act(async () => void arrive())
    expect(heading('The training')).toHaveFocus()
  })

  it('leaves the focus where a person has moved it', async () => {
    const { go } = open()
    await go('/training/1')
    await act(async () => screen.getByRole('button', { name: 'Wait' }).focus())
    await act(async () => void arrive())
    expect(heading('The training')).not.toHaveFocus()
  })

  it('keeps the focus within the steps of one page', async () => {
    const { go } = open()
    await go('/sign-in')
    act(() => (document.activeElement as HTMLElement).blur())
    await go('/sign-in/factor-one')
    expect(document.body).toHaveFocus()
  })
})
