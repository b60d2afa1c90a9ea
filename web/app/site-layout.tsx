import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router-dom'
import { AppErrorBoundary } from './app-error-boundary.tsx'
import { NavBar } from './nav-bar.tsx'

/** Bar on top, page below. */
export function SiteLayout() {
  const { pathname } = useLocation()
  const main = useFocusOnNewPage(pathname)
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

/**
 * Moves the focus to the page when another one opens, as a browser does for a document. Steps within a page (the two
 * screens of sign-in) keep theirs.
 */
function useFocusOnNewPage(pathname: string) {
  const main = useRef<HTMLElement>(null)
  const page = pathname.split('/')[1]
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    main.current?.focus({ preventScroll: true })
  }, [page])
  return main
}
