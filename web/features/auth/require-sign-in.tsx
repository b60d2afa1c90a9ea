import { Navigate, Outlet, useNavigation } from 'react-router-dom'
import { LoadingScreen } from '#web/ui/spinner.tsx'
import { AuthUnavailable } from './auth-unavailable.tsx'
import { useVisitor } from './visitor.ts'

/** Route layout: what is inside is drawn for signed-in people only. */
export function RequireSignIn() {
  const visitor = useVisitor()
  // Signing out leads to the landing page, which may still be loading when nobody is signed in any more.
  const isLeaving = useNavigation().state !== 'idle'
  if (visitor === 'loading' || (visitor === 'signedOut' && isLeaving)) return <LoadingScreen />
  if (visitor === 'failed') return <AuthUnavailable />
  if (visitor === 'signedOut') return <Navigate to="/sign-in" replace />
  return <Outlet />
}
