import { AuthenticateWithRedirectCallback, SignIn, SignUp } from '@clerk/react'
import { Navigate, useLocation } from 'react-router-dom'
import * as m from '#messages'
import { loadInterface } from '#web/features/auth/clerk-interface.ts'
import { AuthPage, AuthUnavailable } from '#web/features/auth/require-sign-in.tsx'
import { useVisitor } from '#web/features/auth/visitor.ts'
import { findWantedPath } from '#web/features/auth/wanted-path.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { LoadingScreen } from '#web/ui/loading.tsx'

const SignInForm = lazyPart(async () => {
  await loadInterface('SignIn')
  return SignIn
})

const SignUpForm = lazyPart(async () => {
  await loadInterface('SignUp')
  return SignUp
})

export function SignInPage() {
  return (
    <AuthPage title={m.welcome_back()}>
      <SignInForm routing="path" path="/sign-in" />
    </AuthPage>
  )
}

export function SignUpPage() {
  return (
    <AuthPage title={m.get_started()}>
      <SignUpForm routing="path" path="/sign-up" />
    </AuthPage>
  )
}

/** Where another sign-in service sends people back to; Clerk finishes and moves on to the wanted page, or to /dashboard. */
export function SsoCallbackPage() {
  const visitor = useVisitor()
  // Unlike Clerk's forms, this does not read the query by itself.
  const afterUrl = findWantedPath(useLocation().search) ?? '/dashboard'
  usePageTitle(m.signing_in())
  if (visitor === 'failed') return <AuthUnavailable />
  // Clerk moves on only when it has finished a sign-in here, not for a person who comes back to this address.
  if (visitor === 'signedIn' || visitor === 'needsOrganization') return <Navigate to={afterUrl} replace />
  return (
    <>
      <LoadingScreen />
      <AuthenticateWithRedirectCallback signInFallbackRedirectUrl={afterUrl} signUpFallbackRedirectUrl={afterUrl} />
    </>
  )
}
