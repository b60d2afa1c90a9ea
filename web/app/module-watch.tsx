import { useAuth } from '@clerk/react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { toast } from 'sonner'
import type { Module } from '#contract/module.ts'
import { useUploadState } from '#web/features/upload/upload-context.tsx'
import { showDesktopNotice } from '#web/features/watch/desktop-notice.ts'
import { useModuleWatch } from '#web/features/watch/use-module-watch.ts'
import type { WatchedModules } from '#web/features/watch/watched-modules.ts'
import { AT_WORK_KEY } from '#web/lib/module-cache.ts'
import { countUnseenNotice } from '#web/lib/unseen-notices.ts'
import { trainingPath } from './paths.ts'

/** Long enough to be read by a person who comes back from another window a little later. */
const TOAST_MS = 15_000

/** Shows when a module is ready or has failed, whatever page or tab is open. Nothing for strangers. */
export function ModuleWatch() {
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
    const isReady = module.status === 'READY'
    const title = isReady ? `“${module.title}” is ready` : `“${module.title}” could not be processed`
    const description = isReady ? 'Its steps can be followed and shared.' : (module.lastError ?? module.message)
    const action = { label: isReady ? 'Start Training' : 'See why', onClick: open }
    const options = { id: `module-${module.id}`, description, duration: TOAST_MS, action }
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
