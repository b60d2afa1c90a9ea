import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { makeQueryClient, throttleFocusRefetch } from '#web/lib/query-client.ts'
import { AppErrorBoundary } from './app-error-boundary.tsx'
import { GlobalErrorBoundary } from './global-error-boundary.tsx'

throttleFocusRefetch()

/** Around pages that need no account: data, but no sign-in and no navigation bar. */
export function PublicRoot() {
  const [queryClient] = useState(makeQueryClient)
  const { pathname } = useLocation()
  return (
    <GlobalErrorBoundary resetKey={pathname}>
      <QueryClientProvider client={queryClient}>
        <AppErrorBoundary resetKey={pathname}>
          <Outlet />
        </AppErrorBoundary>
      </QueryClientProvider>
    </GlobalErrorBoundary>
  )
}
