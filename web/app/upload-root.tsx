import { useAuth } from '@clerk/react'
import { type ReactNode, useEffect } from 'react'
import { sendAudioFirst } from '#web/features/upload/audio/send-audio-first.ts'
import { sendImages } from '#web/features/upload/images/send-images.ts'
import { inspectVideo } from '#web/features/upload/inspect/inspect-video.ts'
import { keptFiles } from '#web/features/upload/kept-files.ts'
import { guardLeaving } from '#web/features/upload/leave-guard.ts'
import { UploadContext } from '#web/features/upload/upload-context.tsx'
import { openUploadDeps } from '#web/features/upload/upload-deps.ts'
import { uploadLocks } from '#web/features/upload/upload-locks.ts'
import { UploadManager } from '#web/features/upload/upload-manager.ts'
import { type CallApi, useApi } from '#web/lib/api-context.tsx'
import { UploadOutcome } from './upload-outcome.tsx'

/** Holds the upload of this tab for as long as the same person is signed in, whatever page is open. */
export function UploadRoot({ children }: { children: ReactNode }) {
  const callApi = useApi()
  const { userId } = useAuth()
  const manager = managerOf(userId ?? null)
  useEffect(() => {
    callNow = callApi
  }, [callApi])
  return (
    <UploadContext value={manager}>
      {children}
      <UploadOutcome manager={manager} />
    </UploadContext>
  )
}

/** With the token of now: an upload outlives the render that began it. */
let callNow: CallApi = () => Promise.reject(new Error('the API is not known yet'))
let current: { userId: string | null; manager: UploadManager } | null = null

/** One per page load and person, so that an upload continues while the landing page replaces the workspace. */
function managerOf(userId: string | null): UploadManager {
  if (current?.userId === userId) return current.manager
  // An upload of one person must not continue under another account.
  current?.manager.stop()
  const manager = new UploadManager({
    ...openUploadDeps((call) => callNow(call)),
    inspectVideo,
    sendAudioFirst,
    sendImages,
    keptFiles,
    locks: uploadLocks,
  })
  guardLeaving(manager)
  current = { userId, manager }
  return manager
}
