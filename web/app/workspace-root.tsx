import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Outlet } from 'react-router-dom'
import { ApiProvider } from '#web/features/auth/api-provider.tsx'
import { useVisitor } from '#web/features/auth/visitor.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { makeQueryClient, throttleFocusRefetch } from '#web/lib/query-client.ts'
import { Toaster } from '#web/ui/toast.tsx'
import { useAccountLearner } from './account-learner.ts'
import { ModuleWatch } from './module-watch.tsx'
import { keepPrefetchDeps } from './route-data.ts'
import { UploadRoot } from './upload-root.tsx'

throttleFocusRefetch()

/** Around the pages where people work: data, uploads and toasts, which the landing page does without. */
export function WorkspaceRoot() {
  const [queryClient] = useState(makeQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <ApiProvider>
        <UploadRoot>
          <PrefetchDeps />
          <AccountLearner />
          <Outlet />
          <ModuleWatch />
        </UploadRoot>
      </ApiProvider>
      <Toaster />
    </QueryClientProvider>
  )
}

function AccountLearner() {
  useAccountLearner()
  return null
}

/** Lets routes begin to load their data before they are drawn. */
function PrefetchDeps() {
  const queryClient = useQueryClient()
  const callApi = useApi()
  const visitor = useVisitor()
  useEffect(() => {
    if (visitor !== 'signedIn') return
    keepPrefetchDeps({ queryClient, callApi })
    return () => keepPrefetchDeps(null)
  }, [queryClient, callApi, visitor])
  return null
}
