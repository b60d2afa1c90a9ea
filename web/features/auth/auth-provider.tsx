import { ClerkProvider, UserButton, useAuth, useClerk } from '@clerk/react'
import { Bug, FileUser } from 'lucide-react'
import type { ReactNode } from 'react'
import { readVisitor, VisitorContext } from './visitor.ts'

/** Clerk's forms in our tokens; as CSS variables they follow the colour scheme by themselves. */
const CLERK_APPEARANCE = {
  variables: {
    colorPrimary: 'var(--color-brand)',
    colorPrimaryForeground: 'var(--color-on-brand)',
    colorDanger: 'var(--color-danger)',
    colorNeutral: 'var(--color-ink)',
    colorForeground: 'var(--color-ink)',
    colorMuted: 'var(--color-sunken)',
    colorMutedForeground: 'var(--color-ink-soft)',
    colorBackground: 'var(--color-raised)',
    colorInput: 'var(--color-surface)',
    colorInputForeground: 'var(--color-ink)',
    colorRing: 'var(--color-brand)',
    colorBorder: 'var(--color-line-strong)',
    fontFamily: 'var(--font-sans)',
    borderRadius: '0.625rem',
  },
  elements: {
    rootBox: { width: '100%', display: 'flex', justifyContent: 'center', alignItems: 'flex-start' },
    cardBox: { boxShadow: 'var(--shadow-float)', width: '100%', maxWidth: '26rem' },
    headerTitle: { fontSize: '1.625rem', letterSpacing: '-0.022em' },
    formFieldInput: {
      boxShadow: '0 0 0 1px var(--color-line-strong)',
      '&:focus': { boxShadow: '0 0 0 2px var(--color-brand)' },
    },
    formButtonPrimary: { height: '2.5rem', boxShadow: 'none', '&::after': { display: 'none' } },
  },
} as const

/** @see specification §2, sign-in and sign-up */
const CLERK_TEXTS = {
  signIn: {
    start: { title: 'Welcome Back', subtitle: 'Sign in to your training modules' },
    password: { title: 'Welcome Back' },
  },
  signUp: { start: { title: 'Get Started', subtitle: 'Create your account and your first module' } },
} as const

/** Clerk's menu of the signed-in person. This file is loaded lazily, so that pages for strangers do not load Clerk. */
export function AccountButton() {
  return (
    <UserButton>
      <UserButton.MenuItems>
        <UserButton.Link
          label="Your data"
          labelIcon={<FileUser aria-hidden="true" className="size-4" />}
          href="/account"
        />
        <UserButton.Link label="Debug" labelIcon={<Bug aria-hidden="true" className="size-4" />} href="/debug" />
      </UserButton.MenuItems>
    </UserButton>
  )
}

interface AuthProviderProps {
  publishableKey: string
  /** Path of the Clerk stand-in on this origin; undefined for Clerk's own host. */
  proxyUrl: string | undefined
  routerPush: (to: string) => unknown
  routerReplace: (to: string) => unknown
  children: ReactNode
}

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
