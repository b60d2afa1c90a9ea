import { type ReactNode, Suspense, use, useState } from 'react'
import { UNSAFE_DataRouterContext, useLocation, useMatches } from 'react-router-dom'
import { ConfigurationError } from '#web/features/auth/configuration-error.tsx'
import { isPublishableKey } from '#web/features/auth/publishable-key.ts'
import { hasSessionHint } from '#web/features/auth/session-hint.ts'
import { VisitorContext } from '#web/features/auth/visitor.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { LoadingScreen } from '#web/ui/spinner.tsx'
import { GlobalErrorBoundary } from './global-error-boundary.tsx'
import { NEEDS_NO_CLERK } from './route-handle.ts'
import { SiteLayout } from './site-layout.tsx'

const AuthProvider = lazyPart(async () => (await import('#web/features/auth/auth-provider.tsx')).AuthProvider)

/** Root of everything that may ask who you are. */
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
    <Suspense fallback={isOpen ? <SiteLayout /> : <LoadingScreen />}>
      <WithClerk publishableKey={key}>
        <SiteLayout />
      </WithClerk>
    </Suspense>
  )
}

function WithClerk({ publishableKey, children }: { publishableKey: string; children: ReactNode }) {
  const router = useRouter()
  // At once: after signing out the guard of the page that is left would otherwise act first and lead to /sign-in.
  return (
    <AuthProvider
      publishableKey={publishableKey}
      proxyUrl={import.meta.env.VITE_CLERK_PROXY_URL || undefined}
      routerPush={(to) => router.navigate(to, { flushSync: true })}
      routerReplace={(to) => router.navigate(to, { replace: true, flushSync: true })}
    >
      {children}
    </AuthProvider>
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
