import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { useApi } from './api-context.tsx'
import { saveFile } from './save-file.ts'

/** A hundred thousand learners, or thousands of modules, on a slow line. */
const DOWNLOAD_TIMEOUT_MS = 600_000

interface Download {
  /** Of the API, with its query. */
  path: string
  filename: string
}

/** Fetches a file from the API and hands it to the browser's downloads. */
export function useDownload() {
  const callApi = useApi()
  return useMutation({
    mutationFn: async ({ path, filename }: Download) => {
      const options = { answer: 'file', timeoutMs: DOWNLOAD_TIMEOUT_MS } as const
      saveFile(await callApi({ path, schema: z.instanceof(Blob), ...options }), filename)
    },
  })
}
