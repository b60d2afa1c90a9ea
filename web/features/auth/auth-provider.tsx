import { ClerkProvider, useAuth, useClerk } from '@clerk/react'
import type { ReactNode } from 'react'
import { CLERK_APPEARANCE, CLERK_TEXTS } from './clerk-appearance.ts'
import { readVisitor, VisitorContext } from './visitor.ts'

interface AuthProviderProps {
  publishableKey: string
  /** Path of the Clerk stand-in on this origin; undefined for Clerk's own host. */
  proxyUrl: string | undefined
  routerPush: (to: string) => unknown
  routerReplace: (to: string) => unknown
  children: ReactNode
}

/** Loads Clerk and provides the signed-in person to the app. */
export function AuthProvider({ children, proxyUrl, ...clerk }: AuthProviderProps) {
  return (
    <ClerkProvider
      {...clerk}
      {...(proxyUrl ? { proxyUrl } : {})}
      telemetry={false}
      allowedRedirectOrigins={[window.location.origin]}
      signInUrl="/sign-in"
      signUpUrl="/sign-up"
      signInFallbackRedirectUrl="/dashboard"
      signUpFallbackRedirectUrl="/dashboard"
      afterSignOutUrl="/"
      localization={CLERK_TEXTS}
      appearance={CLERK_APPEARANCE}
    >
      <VisitorBridge>{children}</VisitorBridge>
    </ClerkProvider>
  )
}

function VisitorBridge({ children }: { children: ReactNode }) {
  const { isLoaded, isSignedIn } = useAuth()
  const { status } = useClerk()
  return <VisitorContext value={readVisitor({ status, isLoaded, isSignedIn })}>{children}</VisitorContext>
}
