import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { LoadingScreen } from '#web/ui/spinner.tsx'
import { AuthUnavailable } from './auth-unavailable.tsx'
import { useVisitor } from './visitor.ts'
import { dropForeignAddresses } from './wanted-path.ts'

/** Around Clerk's forms, which draw nothing until their script is here. */
export function AuthPage({ title, children }: { title: string; children: ReactNode }) {
  const visitor = useVisitor()
  const location = useLocation()
  const search = dropForeignAddresses(location.search)
  usePageTitle(title)
  // Clerk reads the query itself, and an address that cannot be parsed would break its form.
  if (search !== location.search) return <Navigate to={{ ...location, search }} replace />
  if (visitor === 'failed') return <AuthUnavailable />
  if (visitor === 'loading') return <LoadingScreen />
  return <div className="flex flex-1 justify-center px-4 py-12 sm:py-20">{children}</div>
}
