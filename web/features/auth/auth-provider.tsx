import { ClerkProvider, getToken, useAuth, useClerk, useSession } from '@clerk/react'
import type { ReactNode } from 'react'
import { clerkTexts } from '#clerk-texts'
import * as m from '#messages'
import { getApiToken } from './api-token.ts'
import { LateInterface } from './clerk-interface.ts'
import { ActiveOrganizationContext, readVisitor, VisitorContext } from './visitor.ts'

/** The form stands alone on its page. Of other cards the width is Clerk's: the profile is wider than a form. */
const FORM_ELEMENTS = {
  rootBox: { width: '100%', display: 'flex', justifyContent: 'center', alignItems: 'flex-start' },
  cardBox: { boxShadow: 'var(--shadow-float)', width: '100%', maxWidth: '26rem' },
} as const

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
    headerTitle: { fontSize: '1.625rem', letterSpacing: '-0.022em' },
    formFieldInput: {
      boxShadow: '0 0 0 1px var(--color-line-strong)',
      '&:focus': { boxShadow: '0 0 0 2px var(--color-brand)' },
    },
    formButtonPrimary: { height: '2.5rem', boxShadow: 'none', '&::after': { display: 'none' } },
  },
  signIn: { elements: FORM_ELEMENTS },
  signUp: { elements: FORM_ELEMENTS },
} as const

/** @see specification §2, sign-in and sign-up */
const CLERK_TEXTS = {
  signIn: {
    start: { title: m.welcome_back(), subtitle: m.sign_in_to_your_training() },
    password: { title: m.welcome_back() },
  },
  signUp: { start: { title: m.get_started(), subtitle: m.create_your_account_and_your() } },
  organizationList: { title: m.choose_where_you_work() },
} as const

/** Clerk's own texts in the language of the page, with ours in their places. */
const LOCALIZATION = {
  ...clerkTexts,
  signIn: {
    ...clerkTexts.signIn,
    start: { ...clerkTexts.signIn?.start, ...CLERK_TEXTS.signIn.start },
    password: { ...clerkTexts.signIn?.password, ...CLERK_TEXTS.signIn.password },
  },
  signUp: { ...clerkTexts.signUp, start: { ...clerkTexts.signUp?.start, ...CLERK_TEXTS.signUp.start } },
  organizationList: { ...clerkTexts.organizationList, ...CLERK_TEXTS.organizationList },
}

/** Who is signed in is known without it. */
const CLERK_INTERFACE = { ClerkUI: LateInterface }

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
      ui={CLERK_INTERFACE}
      telemetry={false}
      allowedRedirectOrigins={[window.location.origin]}
      signInUrl="/sign-in"
      signUpUrl="/sign-up"
      signInFallbackRedirectUrl="/dashboard"
      signUpFallbackRedirectUrl="/dashboard"
      afterSignOutUrl="/"
      localization={LOCALIZATION}
      appearance={CLERK_APPEARANCE}
    >
      <VisitorBridge>{children}</VisitorBridge>
    </ClerkProvider>
  )
}

function VisitorBridge({ children }: { children: ReactNode }) {
  const { isLoaded, isSignedIn, orgId } = useAuth()
  const { status } = useClerk()
  const task = useSession().session?.currentTask?.key
  return (
    <VisitorContext value={readVisitor({ status, isLoaded, isSignedIn, task })}>
      <ActiveOrganizationContext value={orgId ?? null}>{children}</ActiveOrganizationContext>
    </VisitorContext>
  )
}

/**
 * Asks for the first call's token as soon as Clerk's script knows who is here: it comes while the page is loaded and
 * drawn. Effects and listeners of the React package run only after that.
 */
export async function askForToken(): Promise<void> {
  await getApiToken(getToken)
}
