import { useAuth } from '@clerk/react'
import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Outlet } from 'react-router-dom'
import { AccountLearnerAnswer } from '#contract/learning.ts'
import { ApiProvider } from '#web/features/auth/api-provider.tsx'
import { useVisitor } from '#web/features/auth/visitor.ts'
import { keepAccountLearner, readAccountLearner } from '#web/features/learning/learner-id.ts'
import { LEARNING_PATH } from '#web/features/learning/send-report.ts'
import { OfflineBanner } from '#web/features/live/offline-banner.tsx'
import { useApi, usePerson } from '#web/lib/api.ts'
import { LIST_KEYS, MODULE_KEY } from '#web/lib/module-cache.ts'
import { makeQueryClient, throttleFocusRefetch } from '#web/lib/query-client.ts'
import { Toaster } from '#web/ui/toast.tsx'
import { keepPrefetchDeps } from './route-data.ts'
import { UploadRoot } from './upload-root.tsx'

/** The token lasts for months; one a day is enough for a device that is used. */
const RENEWED_AFTER_MS = 24 * 60 * 60_000

/** Keeps what the share page, which loads no sign-in, needs to report for the account that is signed in here. */
export function useAccountLearner(): void {
  const callApi = useApi()
  const userId = usePerson()
  const visitor = useVisitor()
  useEffect(() => {
    if (visitor !== 'signedIn' || userId === null) return
    const storedLearner = readAccountLearner()
    if (storedLearner?.userId === userId && Date.now() - storedLearner.atMs < RENEWED_AFTER_MS) return
    // The token of another user is removed first, because it must not be used even if the call fails.
    if (storedLearner !== null && storedLearner.userId !== userId) keepAccountLearner(null)
    let isHere = true
    const call = { path: `${LEARNING_PATH}/account`, method: 'POST', schema: AccountLearnerAnswer } as const
    callApi(call).then(
      ({ learner }) => {
        if (isHere) keepAccountLearner({ userId, token: learner, atMs: Date.now() })
      },
      // The next page asks again. A token that is due for renewal still works; without one, the share page counts a learner
      // without an account, who is claimed later.
      () => {},
    )
    return () => {
      isHere = false
    }
  }, [callApi, userId, visitor])
}

throttleFocusRefetch()

/**
 * One for this document, not for a render: React throws away renders that it cannot show yet, and with a cache of its
 * own each of them would load all data again.
 */
const documentCache = makeQueryClient()

/** Around the pages where people work: data, uploads and toasts, which the landing page does without. */
export function WorkspaceRoot() {
  // The next person who signs in here finds nothing of this one.
  useEffect(() => () => documentCache.clear(), [])
  return (
    <QueryClientProvider client={documentCache}>
      <ApiProvider>
        <UploadRoot>
          <Background />
          <OfflineBanner />
          <Outlet />
        </UploadRoot>
      </ApiProvider>
      <Toaster />
    </QueryClientProvider>
  )
}

/**
 * Loads the lists of another organization as soon as it is the active one; those of the one before are forgotten. A
 * module that is open stays on the screen while it is loaded again, since the person's role may be another one now.
 */
export function useFollowOrganization(orgId: string | null): void {
  const queryClient = useQueryClient()
  const followed = useRef(orgId)
  useEffect(() => {
    if (followed.current === orgId) return
    followed.current = orgId
    for (const queryKey of LIST_KEYS) void queryClient.resetQueries({ queryKey })
    void queryClient.invalidateQueries({ queryKey: MODULE_KEY })
  }, [orgId, queryClient])
}

/** What is done beside every page. Routes begin to load their data before they are drawn. */
function Background() {
  useAccountLearner()
  useFollowOrganization(useAuth().orgId ?? null)
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
