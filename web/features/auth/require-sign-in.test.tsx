import { act, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeClerk, seedClerkInterface } from '#web/testing/fake-clerk.tsx'
import { AuthPage, RequireSignIn } from './require-sign-in.tsx'
import { type Visitor, VisitorContext } from './visitor.ts'
import { findWantedPath } from './wanted-path.ts'

/** The first words of the form that asks for an organization. */
const ASKED_FOR = 'This Adapt asks for an organization'

beforeEach(() => seedClerkInterface())

function open(visitor: Visitor) {
  const routes = [
    { path: '/', element: <p>Front door</p> },
    { path: '/sign-in', element: <p>Sign-in form</p> },
    { element: <RequireSignIn />, children: [{ path: '*', element: <p>Private</p> }] },
  ]
  const router = createMemoryRouter(routes, { initialEntries: ['/', '/dashboard'], initialIndex: 1 })
  render(
    <VisitorContext value={visitor}>
      <RouterProvider router={router} />
    </VisitorContext>,
  )
  return router
}

it('shows Loading until the sign-in state is known', () => {
  open('loading')
  expect(screen.getByRole('status')).toHaveTextContent('Loading')
})

describe('the heading of the page that comes', () => {
  const HINT = '__client_uat=1763719200'
  afterEach(() => {
    document.cookie = `${HINT}; max-age=0`
  })

  it.each([
    { hint: HINT, handle: { heading: <h1>My page</h1> }, isShown: true },
    { hint: 'none=1', handle: { heading: <h1>My page</h1> }, isShown: false },
    { hint: HINT, handle: 'another handle', isShown: false },
  ])('stands over Loading only where a session is likely and the route has one: %o', ({ hint, handle, isShown }) => {
    document.cookie = hint
    const routes = [{ element: <RequireSignIn />, children: [{ path: '*', handle, element: <p>Private</p> }] }]
    render(<RouterProvider router={createMemoryRouter(routes)} />)
    expect(screen.getByRole('status')).toHaveTextContent('Loading')
    expect(screen.queryAllByRole('heading', { name: 'My page' })).toHaveLength(isShown ? 1 : 0)
    expect(screen.queryByText('Private')).toBeNull()
  })
})

it('shows the page to a signed-in person', { tags: 'spec-2.13' }, () => {
  open('signedIn')
  expect(screen.getByText('Private')).toBeVisible()
})

it('replaces the address with /sign-in for everybody else', { tags: 'spec-2.13' }, async () => {
  const router = open('signedOut')
  expect(await screen.findByText('Sign-in form')).toBeVisible()
  await router.navigate(-1)
  expect(await screen.findByText('Front door')).toBeVisible()
})

it('lets a person who signs in come back to the very place', async () => {
  const router = open('signedOut')
  await screen.findByText('Sign-in form')
  expect(router.state.location.search).toBe('')
  await act(() => router.navigate('/training/abc?seek=12&processing=true#step-2'))
  expect(router.state.location.pathname).toBe('/sign-in')
  expect(findWantedPath(router.state.location.search)).toBe('/training/abc?seek=12&processing=true#step-2')
})

it('leads a person who signs out to the landing page, however long that page takes to load', async () => {
  let load: (() => void) | null = null
  const loaded = new Promise<void>((resolve) => {
    load = resolve
  })
  const routes = [
    { path: '/', loader: () => loaded.then(() => null), element: <p>Front door</p> },
    { path: '/sign-in', element: <p>Sign-in form</p> },
    { element: <RequireSignIn />, children: [{ path: '/dashboard', element: <p>Private</p> }] },
  ]
  const router = createMemoryRouter(routes, { initialEntries: ['/dashboard'] })
  const page = (visitor: Visitor) => (
    <VisitorContext value={visitor}>
      <RouterProvider router={router} />
    </VisitorContext>
  )
  const { rerender } = render(page('signedIn'))
  act(() => void router.navigate('/'))
  rerender(page('signedOut'))
  expect(screen.getByRole('status')).toHaveTextContent('Loading')
  act(() => load?.())
  expect(await screen.findByText('Front door')).toBeVisible()
  expect(screen.queryByText('Sign-in form')).toBeNull()
})

it('says that sign-in is not available when the service did not answer', () => {
  open('failed')
  expect(screen.getByRole('alert')).toHaveTextContent('Sign-in is not available')
  expect(screen.getByRole('button', { name: 'Refresh Page' })).toBeVisible()
})

describe('a person who has to choose an organization', () => {
  function openAs(visitor: Visitor, address: string) {
    const routes = [
      { path: '/sign-in/*', element: <AuthPage title="Sign in">Sign-in form</AuthPage> },
      { element: <RequireSignIn />, children: [{ path: '*', element: <p>Private</p> }] },
    ]
    const router = createMemoryRouter(routes, { initialEntries: [address] })
    const page = (who: Visitor) => (
      <FakeClerk>
        <VisitorContext value={who}>
          <RouterProvider router={router} />
        </VisitorContext>
      </FakeClerk>
    )
    const { rerender } = render(page(visitor))
    return { router, become: (who: Visitor) => rerender(page(who)) }
  }
  const addressOf = ({ state: { location } }: ReturnType<typeof createMemoryRouter>) =>
    `${location.pathname}${location.search}${location.hash}`

  it('is asked in place of the page, which comes by itself once one is active', async () => {
    const { router, become } = openAs('needsOrganization', '/training/abc?seek=12#step-2')
    expect(await screen.findByRole('heading', { name: ASKED_FOR })).toBeVisible()
    expect(screen.queryByText('Private')).toBeNull()
    expect(addressOf(router)).toBe('/training/abc?seek=12#step-2')
    become('signedIn')
    expect(screen.getByText('Private')).toBeVisible()
    expect(addressOf(router)).toBe('/training/abc?seek=12#step-2')
  })

  it.each([
    ['/sign-in/tasks/choose-organization?redirect_url=%2Fupload%3Fa%3D1', '/upload?a=1'],
    ['/sign-in', '/dashboard'],
    ['/sign-in?redirect_url=%2Fsign-in', '/dashboard'],
  ])('is led from %s to %s, and asked there', async (address, wanted) => {
    const { router } = openAs('needsOrganization', address)
    expect(await screen.findByRole('heading', { name: ASKED_FOR })).toBeVisible()
    expect(screen.queryByText('Sign-in form')).toBeNull()
    expect(addressOf(router)).toBe(wanted)
  })
})
