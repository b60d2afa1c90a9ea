import { useAuth } from '@clerk/react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { toast } from 'sonner'
import type { ImageName } from '#contract/image.ts'
import type { Module } from '#contract/module.ts'
import * as m from '#messages'
import { convertFile, removeConverted } from '#web/features/upload/convert-file.ts'
import { findFileFault } from '#web/features/upload/file-fault.ts'
import { inspectVideo } from '#web/features/upload/file-worker/run-file-task.ts'
import { keptFiles, uploadLocks } from '#web/features/upload/kept-files.ts'
import { guardLeaving } from '#web/features/upload/leave-guard.ts'
import { sendAudioFirst } from '#web/features/upload/send-audio-first.ts'
import { sendImages } from '#web/features/upload/send-images.ts'
import { copyQueue } from '#web/features/upload/small-copy/copy-queue.ts'
import type { UploadItem, UploadState } from '#web/features/upload/upload-item.ts'
import { UploadContext, UploadManager, useUploads } from '#web/features/upload/upload-manager.ts'
import { openUploadDeps } from '#web/features/upload/upload-video.ts'
import { showDesktopNotice, useModuleWatch, type WatchedModules } from '#web/features/watch/module-watch.tsx'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { showKeptImage } from '#web/lib/keep-images.ts'
import { AT_WORK_KEY, findWatchedModule, type LoadedModule } from '#web/lib/module-cache.ts'
import { pageOf } from '#web/lib/page-of.ts'
import { failureReason } from '#web/lib/server-sentences.ts'
import { countUnseenNotice } from '#web/lib/use-page-title.ts'
import { OUTCOME_MS } from '#web/ui/toast.tsx'
import { trainingPath } from './shared/paths.ts'
import { workOnUpload } from './work-on-upload.ts'

/** One toast for all uploads: a message about one is no longer true when the next one begins. */
const TOAST_ID = 'upload-outcome'

/** Takes a person who waits on the upload page to the module, and shows everybody else how their upload ended. */
export function UploadOutcome({ manager }: { manager: UploadManager }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()

  function notifyDone({ name, attempt }: UploadItem, isWaiting: boolean) {
    if (attempt === null) return
    const { moduleId } = attempt
    const isThere = pageOf(pathname) === trainingPath(moduleId)
    // The training page then shows progress, before the server has said anything.
    if (isWaiting) void navigate(`${trainingPath(moduleId)}?processing=true`)
    toast.success(m.file_has_been_uploaded({ name }), {
      id: TOAST_ID,
      description: m.can_close_tab_now(),
      duration: OUTCOME_MS,
      ...(!isWaiting &&
        !isThere && { action: { label: m.open_the_module(), onClick: () => void navigate(trainingPath(moduleId)) } }),
    })
  }

  function notifyFailed(name: string, { message, detail }: Extract<UploadState, { kind: 'failed' }>) {
    if (pathname === '/upload') return
    toast.error(m.upload_of_file_failed({ name }), {
      id: TOAST_ID,
      description: m.problem_and_remedy({ problem: message, remedy: detail }),
      duration: OUTCOME_MS,
      action: { label: m.see_the_upload(), onClick: () => void navigate('/upload') },
    })
  }

  const onEnd = useEffectEvent((item: UploadItem, when: 'now' | 'earlier') => {
    // Who comes here after it has ended came for something else.
    if (item.state.kind === 'done') notifyDone(item, when === 'now' && pathname === '/upload')
    if (item.state.kind === 'failed') notifyFailed(item.name, item.state)
    if (item.state.kind === 'done') void workOnUpload(item, watchFor(manager))
  })
  useEffect(() => manager.onEnd((item, when) => onEnd(item, when)), [manager])
  useEffect(() => {
    let wasBusy = manager.isBusy
    return manager.subscribe(() => {
      if (manager.isBusy && !wasBusy) toast.dismiss(TOAST_ID)
      wasBusy = manager.isBusy
    })
  }, [manager])
  return null
}

/**
 * Holds the upload of this tab for as long as the same person is signed in, whatever page is open, and shows how it and
 * its module end.
 */
export function UploadRoot({ children }: { children: ReactNode }) {
  const callApi = useApi()
  const { userId } = useAuth()
  const manager = managerOf(userId ?? null)
  const queryClient = useQueryClient()
  useEffect(() => {
    callNow = callApi
    showKeptNow = (moduleId, name) => showKeptImage(queryClient, moduleId, name)
    findWatchedNow = (moduleId) => findWatchedModule(queryClient, moduleId)
  }, [callApi, queryClient])
  return (
    <UploadContext value={manager}>
      {children}
      <UploadOutcome manager={manager} />
      <ModuleWatch />
    </UploadContext>
  )
}

/** With the token of now: an upload outlives the render that began it. */
let callNow: CallApi = () => Promise.reject(new Error('the API is not known yet'))
let showKeptNow: (moduleId: string, name: ImageName) => void = () => {}
let findWatchedNow: (moduleId: string) => LoadedModule | null = () => null
/** What work on an upload asks, for as long as the person who uploaded it is signed in. */
function watchFor(manager: UploadManager): Parameters<typeof workOnUpload>[1] {
  return {
    callApi: (call) => callNow(call),
    isBusy: () => manager.isBusy,
    isOver: () => current?.manager !== manager,
  }
}

let current: { userId: string | null; manager: UploadManager } | null = null

/** One per page load and person, so that an upload continues while the landing page replaces the workspace. */
function managerOf(userId: string | null): UploadManager {
  if (current?.userId === userId) return current.manager
  // An upload of one person must not continue under another account.
  current?.manager.stop()
  copyQueue.stop()
  const manager = new UploadManager({
    ...openUploadDeps((call) => callNow(call)),
    findFileFault,
    inspectVideo,
    sendAudioFirst,
    sendImages: (request) =>
      sendImages({
        ...request,
        onKept: (name) => showKeptNow(request.moduleId, name),
        findWatched: (moduleId) => findWatchedNow(moduleId),
      }),
    convertFile,
    removeConverted,
    keptFiles,
    locks: uploadLocks,
  })
  guardLeaving(manager)
  current = { userId, manager }
  return manager
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
    if (pageOf(pathname) === path && document.visibilityState === 'visible') return
    const open = () => void navigate(path)
    const { newVersion } = module
    const named = { title: module.title }
    const isReady = module.status === 'READY' && newVersion === null
    const needsNames = module.failureCode === 'unnamed'
    const failed = newVersion ? m.module_not_reprocessed(named) : m.module_not_processed(named)
    const waits = needsNames ? m.module_needs_step_names(named) : failed
    const title = isReady ? m.module_is_ready(named) : waits
    const ended = newVersion ?? module
    const description = isReady ? m.steps_can_be_followed() : (failureReason(ended) ?? ended.message)
    const action = {
      label: isReady ? m.start_training() : needsNames ? m.name_the_steps() : m.see_why(),
      onClick: open,
    }
    const options = { id: `module-${module.id}`, description, duration: OUTCOME_MS, action }
    if (isReady) toast.success(title, options)
    else if (needsNames) toast.info(title, options)
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
  const { items } = useUploads()
  const queryClient = useQueryClient()
  useEffect(() => {
    for (const { state, attempt, name } of items) {
      const moduleId = attempt?.moduleId
      if (state.kind !== 'done' || moduleId === undefined || noted.has(moduleId)) continue
      noted.add(moduleId)
      void watched
        .change((others) => ({ ...others, [moduleId]: name }))
        .then(() => queryClient.invalidateQueries({ queryKey: AT_WORK_KEY }))
    }
  }, [items, watched, queryClient])
}
