import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router-dom'
import { ActiveOrganizationContext, type Visitor, VisitorContext } from '#web/features/auth/visitor.ts'
import { ApiContext, type CallApi } from '#web/lib/api.ts'
import { Toaster } from '#web/ui/toast.tsx'

interface RenderOptions {
  visitor?: Visitor
  /** Id of the organization that the person works in. */
  organization?: string
  callApi?: CallApi
  /** Other pages that links and redirects may lead to; each shows its own text. */
  elsewhere?: Record<string, string>
  at?: string
  /** Path of the page's route, where `at` fills in its parameters. */
  path?: string
}

/** Draws a page as the app does: in a data router, with a visitor, an API and a cache of its own. */
export function renderApp(
  page: ReactNode,
  { visitor = 'signedIn', organization, callApi, elsewhere = {}, at = '/', path }: RenderOptions = {},
) {
  const routes: RouteObject[] = [
    ...Object.entries(elsewhere).map(([path, text]) => ({ path, element: <p>{text}</p> })),
    { path: path ?? at.replace(/\?.*$/, ''), element: page },
  ]
  const router = createMemoryRouter(routes, { initialEntries: [at] })
  render(
    <VisitorContext value={visitor}>
      <ActiveOrganizationContext value={organization ?? null}>
        <ApiContext value={callApi ?? unexpectedCall}>
          <QueryClientProvider client={new QueryClient()}>
            <RouterProvider router={router} />
            <Toaster />
          </QueryClientProvider>
        </ApiContext>
      </ActiveOrganizationContext>
    </VisitorContext>,
  )
  return { user: userEvent.setup(), router }
}

const unexpectedCall: CallApi = ({ path }) => Promise.reject(new Error(`Unexpected call to ${path}`))

/** An API of the test's own: answers by `METHOD /path`, parsed with the caller's schema as the real one is. */
export function fakeApi(answers: Record<string, (body: unknown) => unknown>) {
  const calls: string[] = []
  const callApi: CallApi = async ({ path, method = 'GET', body, schema }) => {
    const name = `${method} ${path}`
    calls.push(name)
    const answer = answers[name]
    if (!answer) throw new Error(`Unexpected call: ${name}`)
    return schema.parse(await answer(body))
  }
  return { callApi, calls }
}
