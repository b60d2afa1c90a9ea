import { createPath, useLocation, useMatches } from 'react-router-dom'
import { authPathTo, findWantedPath, isAuthPath } from '#web/features/auth/wanted-path.ts'
import { NEEDS_NO_CLERK } from './route-handle.ts'

/** Where to sign in or up from this page, and come back to it: or, from an auth page, to what was wanted before. */
export function useAuthPaths() {
  const location = useLocation()
  const isOpenPage = useMatches().at(-1)?.handle === NEEDS_NO_CLERK
  const here = isOpenPage ? null : createPath(location)
  const wanted = isAuthPath(location.pathname) ? findWantedPath(location.search) : here
  return { signIn: authPathTo('/sign-in', wanted), signUp: authPathTo('/sign-up', wanted) }
}
