import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { toast } from 'sonner'
import type { UploadItem } from '#web/features/upload/upload-item.ts'
import type { UploadManager } from '#web/features/upload/upload-manager.ts'
import { processingPath, trainingPath } from './paths.ts'

/** Long enough to be read by somebody who comes back from another window a little later. */
const TOAST_MS = 15_000
/** One place for all: what is said of an upload is no longer true when the next one begins. */
const TOAST_ID = 'upload-outcome'

/** Takes who waits on the upload page to the module, and tells everybody else how their upload ended. */
export function UploadOutcome({ manager }: { manager: UploadManager }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()

  function tellDone({ name, moduleId }: UploadItem) {
    if (moduleId === null) return
    const isWaiting = pathname === '/upload'
    const isThere = pathname === trainingPath(moduleId)
    if (isWaiting) void navigate(processingPath(moduleId))
    toast.success(`${name} has been uploaded`, {
      id: TOAST_ID,
      description: 'You can close this tab now.',
      duration: TOAST_MS,
      ...(!isWaiting &&
        !isThere && { action: { label: 'Open the module', onClick: () => void navigate(trainingPath(moduleId)) } }),
    })
  }

  function tellFailed({ name, message, detail }: UploadItem) {
    if (pathname === '/upload') return
    toast.error(`The upload of ${name} failed`, {
      id: TOAST_ID,
      description: [message, detail].filter(Boolean).join('. '),
      duration: TOAST_MS,
      action: { label: 'See the upload', onClick: () => void navigate('/upload') },
    })
  }

  const onEnd = useEffectEvent((item: UploadItem) => {
    if (item.status === 'done') tellDone(item)
    if (item.status === 'error') tellFailed(item)
  })
  useEffect(() => manager.onEnd((item) => onEnd(item)), [manager])
  useEffect(() => {
    let wasBusy = manager.isBusy
    return manager.subscribe(() => {
      if (manager.isBusy && !wasBusy) toast.dismiss(TOAST_ID)
      wasBusy = manager.isBusy
    })
  }, [manager])
  return null
}
