import { type ReactNode, type RefObject, Suspense, use, useEffect, useRef, useState } from 'react'
import {
  Outlet,
  ScrollRestoration,
  UNSAFE_DataRouterContext,
  useLocation,
  useMatches,
  useNavigationType,
} from 'react-router-dom'
import * as m from '#messages'
import { PageLoading } from '#web/features/auth/page-loading.tsx'
import { isPublishableKey } from '#web/features/auth/publishable-key.ts'
import { hasSessionHint } from '#web/features/auth/session-hint.ts'
import { useVisitor, VisitorContext } from '#web/features/auth/visitor.ts'
import { keepAccountLearner, readAccountLearner } from '#web/features/learning/learner-id.ts'
import { keepOwnPage } from '#web/lib/device/device-person.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { AppErrorBoundary } from './app-error-boundary.tsx'
import { ConfigurationError, GlobalErrorBoundary } from './global-error-boundary.tsx'
import { BELOW_BAR, NavBar } from './nav-bar.tsx'
import { NEEDS_NO_CLERK } from './shared/paths.ts'

/** A page whose heading is not there by then has failed, and says so itself. */
const HEADING_WITHIN_MS = 10_000

/**
 * Moves the focus to the heading of a page that has been opened, as a browser does for a document, so that it is read
 * aloud and the keyboard continues from there. Steps within a page (the two screens of sign-in) keep theirs.
 */
function usePageFocus(pathname: string): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null)
  const page = pathname.split('/')[1]
  // The layout also mounts again during a visit, when Clerk is loaded; only a page load comes without a push.
  const isPageLoad = useNavigationType() === 'POP'
  const shownPage = useRef(isPageLoad ? page : null)
  useEffect(() => {
    if (shownPage.current === page || main.current === null) return
    shownPage.current = page
    return followHeading(main.current)
  }, [page])
  return main
}

/** Code or data may still be loading, so the focus waits on the page and moves on unless the person moves it. */
function followHeading(root: HTMLElement): () => void {
  let held = root
  const observer = new MutationObserver(follow)
  const timer = setTimeout(stop, HEADING_WITHIN_MS)

  function hold(element: HTMLElement) {
    held = element
    element.focus({ preventScroll: true })
  }

  function follow() {
    const heading = root.querySelector('h1')
    if (heading === null || heading === held) return
    heading.tabIndex = -1
    hold(heading)
  }

  function onFocusIn({ target }: FocusEvent) {
    if (target !== held) stop()
  }

  function stop() {
    clearTimeout(timer)
    document.removeEventListener('focusin', onFocusIn)
    observer.disconnect()
  }

  document.addEventListener('focusin', onFocusIn)
  hold(root)
  observer.observe(root, { childList: true, subtree: true })
  follow()
  return stop
}

export function SiteLayout() {
  const { pathname } = useLocation()
  const main = usePageFocus(pathname)
  const visitor = useVisitor()
  // The share page reports for an account only until the person has signed out.
  useEffect(() => {
    if (visitor !== 'signedOut' || readAccountLearner() === null) return
    keepAccountLearner(null)
    keepOwnPage(null)
    // Without a network: the person of an account counts for nobody who is not signed in, and for no other account.
    // Read to its end: a body that nobody reads keeps its request open.
    fetch('/api/my/account', { method: 'DELETE' })
      .then((answer) => answer.text())
      .catch(() => {})
  }, [visitor])
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-control focus:bg-brand focus:px-4 focus:py-2.5 focus:text-on-brand"
      >
        {m.skip_to_content()}
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

const importAuth = () => import('#web/features/auth/auth-provider.tsx')

const AuthProvider = lazyPart(async () => (await importAuth()).AuthProvider)

async function askForToken(): Promise<void> {
  const auth = await importAuth()
  await auth.askForToken()
}

export function AppRoot() {
  const { pathname } = useLocation()
  return (
    <GlobalErrorBoundary resetKey={pathname}>
      <AppShell />
    </GlobalErrorBoundary>
  )
}

function AppShell() {
  const isOpen = useMatches().at(-1)?.handle === NEEDS_NO_CLERK
  const isClerkNeeded = useOnceTrue(!isOpen || hasSessionHint(document.cookie))
  const key = import.meta.env.VITE_CLERK_PUBLISHABLE_KEY
  useEffect(() => {
    // A failure is ignored here: the page asks for the token again and shows the error.
    if (!isOpen) askForToken().catch(() => {})
  }, [isOpen])
  // Clerk itself would wait for ever on a missing key and for 15 s on a malformed one.
  if (!isPublishableKey(key)) return <ConfigurationError />
  // Most people who see the landing page have never signed in here, and need none of Clerk's 400 kB.
  if (!isClerkNeeded) {
    return (
      <VisitorContext value="signedOut">
        <SiteLayout />
      </VisitorContext>
    )
  }
  return (
    <Suspense fallback={isOpen ? <SiteLayout /> : <LayoutLoading />}>
      <WithClerk publishableKey={key}>
        <SiteLayout />
      </WithClerk>
    </Suspense>
  )
}

/** The page that comes, without its bar: that would be mounted twice, and ask for everything twice. */
function LayoutLoading() {
  return (
    <main className={`flex flex-1 flex-col ${BELOW_BAR}`}>
      <PageLoading />
    </main>
  )
}

function WithClerk(props: { publishableKey: string; children: ReactNode }) {
  const router = useRouter()
  // At once: after signing out the guard of the page that is left would otherwise act first and lead to /sign-in.
  return (
    <AuthProvider
      {...props}
      proxyUrl={import.meta.env.VITE_CLERK_PROXY_URL || undefined}
      routerPush={(to) => router.navigate(to, { flushSync: true })}
      routerReplace={(to) => router.navigate(to, { replace: true, flushSync: true })}
    />
  )
}

/** True from the first time on: Clerk stays once it is loaded, so that going home does not start it again. */
function useOnceTrue(value: boolean): boolean {
  const [wasTrue, setWasTrue] = useState(value)
  if (value && !wasTrue) setWasTrue(true)
  return value || wasTrue
}

/**
 * The router itself. Clerk keeps the first function for navigation that it is given, and one that `useNavigate` gave to
 * a render that React has thrown away goes nowhere.
 */
export function useRouter() {
  const context = use(UNSAFE_DataRouterContext)
  if (context === null) throw new Error('useRouter needs a data router')
  return context.router
}
