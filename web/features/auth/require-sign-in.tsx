import { createPath, Navigate, Outlet, useLocation, useNavigation } from 'react-router-dom'
import { LoadingScreen } from '#web/ui/spinner.tsx'
import { AuthUnavailable } from './auth-unavailable.tsx'
import { useVisitor } from './visitor.ts'
import { authPathTo } from './wanted-path.ts'

/** Route layout: what is inside is drawn for signed-in people only. Others come back to it after signing in or up. */
export function RequireSignIn() {
  const visitor = useVisitor()
  const location = useLocation()
  // Signing out leads to the landing page, which may still be loading when the session has already ended.
  const isLeaving = useNavigation().state !== 'idle'
  if (visitor === 'loading' || (visitor === 'signedOut' && isLeaving)) return <LoadingScreen />
  if (visitor === 'failed') return <AuthUnavailable />
  if (visitor === 'signedOut') return <Navigate to={authPathTo('/sign-in', createPath(location))} replace />
  return <Outlet />
}
