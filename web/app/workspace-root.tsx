import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Outlet } from 'react-router-dom'
import { ApiProvider } from '#web/features/auth/api-provider.tsx'
import { makeQueryClient, throttleFocusRefetch } from '#web/lib/query-client.ts'
import { Toaster } from '#web/ui/toast.tsx'
import { ModuleWatch } from './module-watch.tsx'
import { UploadRoot } from './upload-root.tsx'

throttleFocusRefetch()

/** Around the pages where people work: data, uploads and toasts, which the landing page does without. */
export function WorkspaceRoot() {
  const [queryClient] = useState(makeQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <ApiProvider>
        <UploadRoot>
          <Outlet />
          <ModuleWatch />
        </UploadRoot>
      </ApiProvider>
      <Toaster />
    </QueryClientProvider>
  )
}
