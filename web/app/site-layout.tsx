import { useEffect } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router-dom'
import { useVisitor } from '#web/features/auth/visitor.ts'
import { findStorage, keepAccountLearner } from '#web/features/learning/learner-id.ts'
import { AppErrorBoundary } from './app-error-boundary.tsx'
import { NavBar } from './nav-bar.tsx'
import { usePageFocus } from './use-page-focus.ts'

/** Bar on top, page below. */
export function SiteLayout() {
  const { pathname } = useLocation()
  const main = usePageFocus(pathname)
  useForgottenAccountLearner()
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-control focus:bg-brand focus:px-4 focus:py-2.5 focus:text-on-brand"
      >
        Skip to content
      </a>
      <NavBar />
      <main id="main" ref={main} tabIndex={-1} className="flex flex-1 flex-col focus:outline-none">
        <AppErrorBoundary resetKey={pathname}>
          <Outlet />
        </AppErrorBoundary>
      </main>
      <ScrollRestoration />
    </>
  )
}

/** Forgets the account for which the share page reports, once the person has signed out. */
function useForgottenAccountLearner(): void {
  const visitor = useVisitor()
  useEffect(() => {
    if (visitor === 'signedOut') keepAccountLearner(findStorage(), null)
  }, [visitor])
}
