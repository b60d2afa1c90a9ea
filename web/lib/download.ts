import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { useApi } from './api.ts'

export function saveFile(file: Blob, filename: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  // The download has its own hold on the file by the next turn.
  setTimeout(() => URL.revokeObjectURL(url))
}

/** A hundred thousand learners, or thousands of modules, on a slow line. */
const DOWNLOAD_TIMEOUT_MS = 600_000

interface Download {
  /** Of the API, with its query. */
  path: string
  filename: string
}

/** Calls the API for a file. */
export function useFileCall() {
  const callApi = useApi()
  return (path: string): Promise<Blob> =>
    callApi({ path, schema: z.instanceof(Blob), answer: 'file', timeoutMs: DOWNLOAD_TIMEOUT_MS })
}

export function useDownload() {
  const callForFile = useFileCall()
  return useMutation({
    mutationFn: async ({ path, filename }: Download) => saveFile(await callForFile(path), filename),
  })
}
