import { useAuth } from '@clerk/react'
import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router-dom'
import { toast } from 'sonner'
import { AccountLearnerAnswer } from '#contract/learning.ts'
import type { Module } from '#contract/module.ts'
import { ApiProvider } from '#web/features/auth/api-provider.tsx'
import { useVisitor } from '#web/features/auth/visitor.ts'
import { findStorage, keepAccountLearner, readAccountLearner } from '#web/features/learning/learner-id.ts'
import { LEARNING_PATH } from '#web/features/learning/send-report.ts'
import { OfflineBanner } from '#web/features/live/offline-banner.tsx'
import { useUploadState } from '#web/features/upload/upload-manager.ts'
import { showDesktopNotice } from '#web/features/watch/desktop-notice.ts'
import { useModuleWatch, type WatchedModules } from '#web/features/watch/use-module-watch.ts'
import { useApi, usePerson } from '#web/lib/api.ts'
import { AT_WORK_KEY } from '#web/lib/module-cache.ts'
import { makeQueryClient, throttleFocusRefetch } from '#web/lib/query-client.ts'
import { countUnseenNotice } from '#web/lib/use-page-title.ts'
import { OUTCOME_MS, Toaster } from '#web/ui/toast.tsx'
import { trainingPath } from './paths.ts'
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
    const kept = readAccountLearner(findStorage())
    if (kept?.userId === userId && Date.now() - kept.atMs < RENEWED_AFTER_MS) return
    // The token of the person before is not for this one, whatever the server answers.
    if (kept !== null && kept.userId !== userId) keepAccountLearner(findStorage(), null)
    let isHere = true
    const call = { path: `${LEARNING_PATH}/account`, method: 'POST', schema: AccountLearnerAnswer } as const
    callApi(call).then(
      ({ learner }) => {
        if (isHere) keepAccountLearner(findStorage(), { userId, token: learner, atMs: Date.now() })
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

/** Shows when a module is ready or has failed, whatever page or tab is open. Nothing for strangers. */
function ModuleWatch() {
  const { userId } = useAuth()
  return userId ? <WatchOf key={userId} userId={userId} /> : null
}

export function WatchOf({ userId }: { userId: string }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()

  function notify(module: Module) {
    const path = trainingPath(module.id)
    // Who looks at the module itself sees it end.
    if (pathname === path && document.visibilityState === 'visible') return
    const open = () => void navigate(path)
    const { newVersion } = module
    const isReady = module.status === 'READY' && newVersion === null
    const failed = newVersion ? `“${module.title}” could not be made again` : `“${module.title}” could not be processed`
    const title = isReady ? `“${module.title}” is ready` : failed
    const { lastError, message } = newVersion ?? module
    const description = isReady ? 'Its steps can be followed and shared.' : (lastError ?? message)
    const action = { label: isReady ? 'Start Training' : 'See why', onClick: open }
    const options = { id: `module-${module.id}`, description, duration: OUTCOME_MS, action }
    if (isReady) toast.success(title, options)
    else toast.error(title, options)
    countUnseenNotice()
    showDesktopNotice({ title, body: description, tag: `adapt-${module.id}`, onOpen: open })
  }
  const watched = useModuleWatch(userId, notify)
  useWatchUploads(watched)
  return null
}

/** Uploads of this page load that are on the list already; the landing page takes the watch off the screen. */
const noted = new Set<string>()

/** An upload of this tab is waited for from its end on, even if its module is ready before the next look. */
function useWatchUploads(watched: WatchedModules): void {
  const { items } = useUploadState()
  const queryClient = useQueryClient()
  useEffect(() => {
    for (const { status, moduleId, name } of items) {
      if (status !== 'done' || moduleId === null || noted.has(moduleId)) continue
      noted.add(moduleId)
      void watched
        .change((others) => ({ ...others, [moduleId]: name }))
        .then(() => queryClient.invalidateQueries({ queryKey: AT_WORK_KEY }))
    }
  }, [items, watched, queryClient])
}

throttleFocusRefetch()

/** Around the pages where people work: data, uploads and toasts, which the landing page does without. */
export function WorkspaceRoot() {
  const [queryClient] = useState(makeQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <ApiProvider>
        <UploadRoot>
          <Background />
          <OfflineBanner />
          <Outlet />
          <ModuleWatch />
        </UploadRoot>
      </ApiProvider>
      <Toaster />
    </QueryClientProvider>
  )
}

/** What is done beside every page. Routes begin to load their data before they are drawn. */
function Background() {
  useAccountLearner()
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
