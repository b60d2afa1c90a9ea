import { useEffect, useRef, useState } from 'react'
import { useApi } from '#web/lib/api-context.tsx'
import { type ChosenFiles, chooseFiles } from './choose-files.ts'
import type { PutFile } from './put-file.ts'
import { runUpload } from './run-upload.ts'
import { CANCELED, makeItem, REJECTED, SKIPPED, STARTED, type UploadItem } from './upload-item.ts'
import { wait } from './wait.ts'

interface VideoUploadOptions {
  putFile: PutFile
  onUploaded: (moduleId: string) => void
}

/** The list of files of the upload page, and the one upload that may be running. */
export function useVideoUpload({ putFile, onUploaded }: VideoUploadOptions) {
  const callApi = useApi()
  const [items, setItems] = useState<UploadItem[]>([])
  const [captions, setCaptions] = useState<File | null>(null)
  const running = useRef<AbortController | null>(null)
  // Leaving the page takes the list away, so an upload must not go on behind it.
  useEffect(
    () => () => {
      running.current?.abort()
      running.current = null
    },
    [],
  )

  function patch(id: string, change: Partial<UploadItem>) {
    setItems((current) => current.map((item) => (item.id === id ? { ...item, ...change } : item)))
  }

  async function start({ id, file }: UploadItem, withCaptions: File | null) {
    const abort = new AbortController()
    running.current = abort
    patch(id, STARTED)
    const onChange = (change: Partial<UploadItem>) => patch(id, change)
    const run = { video: file, captions: withCaptions, signal: abort.signal, onChange }
    const { moduleId, change } = await runUpload(run, { callApi, putFile, wait })
    // Canceled meanwhile: the list already says so, and another upload may be running.
    if (running.current !== abort) return
    running.current = null
    patch(id, change)
    if (moduleId) onUploaded(moduleId)
  }

  function cancel({ id }: UploadItem) {
    running.current?.abort()
    running.current = null
    patch(id, CANCELED)
  }

  function addFiles(files: readonly File[]) {
    if (running.current || files.length === 0) return
    const chosen = chooseFiles(files)
    if (chosen.captions) setCaptions(chosen.captions)
    const video = chosen.video && makeItem(chosen.video)
    setItems(listItems(chosen, video))
    if (video) void start(video, chosen.captions ?? captions)
  }

  return {
    items,
    captions,
    addFiles,
    setCaptions,
    cancel,
    retry: (item: UploadItem) => void start(item, captions),
    /** Read when it is needed: true from the first call until the server has confirmed. */
    isRunning: () => running.current !== null,
  }
}

function listItems({ skipped, rejected }: ChosenFiles, video: UploadItem | null): UploadItem[] {
  return [
    ...(video ? [video] : []),
    ...skipped.map((file) => makeItem(file, SKIPPED)),
    ...rejected.map((file) => makeItem(file, REJECTED)),
  ]
}
