import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import type { CaptionType } from '#contract/transcript.ts'
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

export function useDownload() {
  const callApi = useApi()
  return useMutation({
    mutationFn: async ({ path, filename }: Download) => {
      const options = { answer: 'file', timeoutMs: DOWNLOAD_TIMEOUT_MS } as const
      saveFile(await callApi({ path, schema: z.instanceof(Blob), ...options }), filename)
    },
  })
}

/** Null: not a caption file. The name decides, because systems disagree about these types or do not know them. */
export function captionTypeOf(file: { name: string }): CaptionType | null {
  const name = file.name.toLowerCase()
  if (name.endsWith('.vtt')) return 'text/vtt'
  return name.endsWith('.srt') ? 'application/x-subrip' : null
}

const UNITS = ['B', 'KB', 'MB', 'GB'] as const
const STEP = 1024

/** `1536` → `1.5 KB`. One decimal under ten, none for bytes. */
export function formatBytes(sizeBytes: number): string {
  let value = sizeBytes
  let unit = 0
  // By the rounded value, so that a byte less than a megabyte is not "1024 KB".
  while (Math.round(value) >= STEP && unit < UNITS.length - 1) {
    value /= STEP
    unit += 1
  }
  const shown = unit === 0 || value >= 10 ? Math.round(value).toString() : value.toFixed(1)
  return `${shown} ${UNITS[unit]}`
}
