import { Navigate, Outlet } from 'react-router-dom'
import { LoadingScreen } from '#web/ui/spinner.tsx'
import { AuthUnavailable } from './auth-unavailable.tsx'
import { useVisitor } from './visitor.ts'

/** Route layout: what is inside is drawn for signed-in people only. */
export function RequireSignIn() {
  const visitor = useVisitor()
  if (visitor === 'loading') return <LoadingScreen />
  if (visitor === 'failed') return <AuthUnavailable />
  if (visitor === 'signedOut') return <Navigate to="/sign-in" replace />
  return <Outlet />
}
