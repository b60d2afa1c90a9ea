import { UploadError } from './upload-error.ts'

/** @see specification §4 */
export type UploadStatus = 'idle' | 'uploading' | 'processing' | 'done' | 'error' | 'canceled'

/** One file of the list. */
export interface UploadItem {
  id: string
  file: File
  status: UploadStatus
  /** Percent. Starts at 5, follows the bytes up to 99, and is 100 once the server has confirmed. */
  progress: number
  /** What went wrong, in the specification's words; null otherwise. */
  message: string | null
  /** The sentence beside it: why, and what to do. */
  detail: string | null
}

const START_PERCENT = 5
const MAX_BEFORE_CONFIRMED_PERCENT = 99

export function makeItem(file: File, outcome: Partial<UploadItem> = {}): UploadItem {
  return { id: crypto.randomUUID(), file, status: 'idle', progress: 0, message: null, detail: null, ...outcome }
}

export const STARTED = {
  status: 'uploading',
  progress: START_PERCENT,
  message: null,
  detail: 'Keep this page open until the file has arrived.',
} as const
export const STORED = {
  status: 'processing',
  progress: MAX_BEFORE_CONFIRMED_PERCENT,
  detail: 'The file has arrived and is being checked.',
} as const
export const CONFIRMED = { status: 'done', progress: 100, detail: null } as const

export function percentSent(sentBytes: number, sizeBytes: number): number {
  const percent = sizeBytes > 0 ? Math.round((sentBytes / sizeBytes) * 100) : 0
  return Math.min(MAX_BEFORE_CONFIRMED_PERCENT, Math.max(START_PERCENT, percent))
}

/** How an item ends when its upload throws. */
export function failedOutcome(error: unknown): Partial<UploadItem> {
  if (error instanceof UploadError) return { status: 'error', message: error.message, detail: error.detail }
  return { status: 'error', message: 'upload failed', detail: 'Something unexpected happened. Try again.' }
}

export const CANCELED = {
  status: 'canceled',
  progress: 0,
  message: 'canceled',
  detail: 'Nothing was uploaded.',
} as const

export const REJECTED = {
  status: 'error',
  message: 'Only video files are allowed',
  detail: 'Choose an MP4, WebM, MOV or MKV file.',
} as const

export const SKIPPED = { detail: 'Not uploaded: only the first video is taken. Upload this one next.' } as const
