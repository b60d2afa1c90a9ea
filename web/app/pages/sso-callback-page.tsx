import { AuthenticateWithRedirectCallback } from '@clerk/react'
import { AuthUnavailable } from '#web/features/auth/auth-unavailable.tsx'
import { useVisitor } from '#web/features/auth/visitor.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { LoadingScreen } from '#web/ui/spinner.tsx'

/** Where another sign-in service sends people back to; Clerk finishes and moves on to /dashboard. */
export function SsoCallbackPage() {
  const visitor = useVisitor()
  usePageTitle('Signing in')
  if (visitor === 'failed') return <AuthUnavailable />
  return (
    <>
      <LoadingScreen />
      <AuthenticateWithRedirectCallback />
    </>
  )
}
