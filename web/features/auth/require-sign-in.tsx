import { CloudOff } from 'lucide-react'
import { type ReactNode, Suspense, useEffect } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { createPath, Navigate, Outlet, useLocation, useNavigation } from 'react-router-dom'
import * as m from '#messages'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { LoadingScreen } from '#web/ui/loading.tsx'
import { PageBroken } from '#web/ui/notice.tsx'
import { loadInterface, preloadInterface } from './clerk-interface.ts'
import { PageLoading } from './page-loading.tsx'
import { useVisitor } from './visitor.ts'
import { authPathTo, dropForeignAddresses, findWantedPath } from './wanted-path.ts'

const ChooseOrganization = lazyPart(async () => {
  const [part] = await Promise.all([import('./choose-organization.tsx'), loadInterface('TaskChooseOrganization')])
  return part.ChooseOrganization
})

/** The sign-in service could not be loaded. Nothing is lost; only this page needs to be loaded again. */
export function AuthUnavailable() {
  return (
    <PageBroken icon={CloudOff} title={m.sign_in_is_not_available()}>
      {m.the_sign_in_service_did()}
    </PageBroken>
  )
}

/** In place of a page that only members of an organization may use; it comes by itself once one is the active one. */
export function OrganizationNeeded() {
  return (
    <ErrorBoundary fallback={<AuthUnavailable />}>
      <Suspense fallback={<LoadingScreen />}>
        <ChooseOrganization />
      </Suspense>
    </ErrorBoundary>
  )
}

/** Around Clerk's forms, which wait for their script. */
export function AuthPage({ title, children }: { title: string; children: ReactNode }) {
  const visitor = useVisitor()
  const location = useLocation()
  const search = dropForeignAddresses(location.search)
  usePageTitle(title)
  // Beside the script that says who is here, which this page waits for as well.
  useEffect(preloadInterface, [])
  // Clerk reads the query itself, and an address that cannot be parsed would break its form.
  if (search !== location.search) return <Navigate to={{ ...location, search }} replace />
  if (visitor === 'failed') return <AuthUnavailable />
  if (visitor === 'loading') return <LoadingScreen />
  // The page that was wanted asks for the organization, and is there as soon as it has one.
  if (visitor === 'needsOrganization') return <Navigate to={findWantedPath(search) ?? '/dashboard'} replace />
  return (
    <ErrorBoundary fallback={<AuthUnavailable />}>
      <Suspense fallback={<LoadingScreen />}>
        <div className="flex flex-1 justify-center px-4 py-12 sm:py-20">{children}</div>
      </Suspense>
    </ErrorBoundary>
  )
}

/** Route layout: what is inside is drawn for signed-in people only. Others come back to it after signing in or up. */
export function RequireSignIn() {
  const visitor = useVisitor()
  const location = useLocation()
  // Signing out leads to the landing page, which may still be loading when the session has already ended.
  const isLeaving = useNavigation().state !== 'idle'
  if (visitor === 'loading' || (visitor === 'signedOut' && isLeaving)) return <PageLoading />
  if (visitor === 'failed') return <AuthUnavailable />
  if (visitor === 'needsOrganization') return <OrganizationNeeded />
  if (visitor === 'signedOut') return <Navigate to={authPathTo('/sign-in', createPath(location))} replace />
  return <Outlet />
}
