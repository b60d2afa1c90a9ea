import type { VideoProblem } from './inspect/inspect-video.ts'
import { UploadError } from './upload-error.ts'

/** @see specification §4 */
export type UploadStatus = 'idle' | 'uploading' | 'processing' | 'done' | 'error' | 'canceled'

/** How the bytes are moving. */
export interface Transfer {
  sentBytes: number
  /** Null while there are too few samples. */
  bytesPerSecond: number | null
  /** Null while it cannot be estimated. */
  leftMs: number | null
}

/** One file of the list. */
export interface UploadItem {
  id: string
  /** Null for an upload of which only the end is missing, so that no file is needed. */
  file: File | null
  name: string
  sizeBytes: number
  status: UploadStatus
  /** Percent. Starts at 5, follows the bytes up to 99, and is 100 once the server has confirmed. */
  progress: number
  /** What went wrong, in the specification's words; null otherwise. */
  message: string | null
  /** The sentence beside it: why, and what to do. */
  detail: string | null
  /** Null until the server has given one. */
  moduleId: string | null
  transfer: Transfer | null
  canPause: boolean
  isPaused: boolean
  /** The audio has arrived ahead of the video, so its steps are being made. */
  isAudioSent: boolean
  /** What follows the next press of the row's button. */
  retry: 'none' | 'again' | 'continue' | 'anyway'
}

const START_PERCENT = 5
const MAX_BEFORE_CONFIRMED_PERCENT = 99

export function makeItem(file: File, outcome: Partial<UploadItem> = {}): UploadItem {
  return { ...BLANK, id: crypto.randomUUID(), file, name: file.name, sizeBytes: file.size, ...outcome }
}

const BLANK = {
  status: 'idle',
  progress: 0,
  message: null,
  detail: null,
  moduleId: null,
  transfer: null,
  canPause: false,
  isPaused: false,
  isAudioSent: false,
  retry: 'none',
} as const

/** An upload that the server has whole, and that only has to be confirmed. */
export function makeWholeItem({ filename, sizeBytes }: { filename: string; sizeBytes: number }): UploadItem {
  return { ...BLANK, id: crypto.randomUUID(), file: null, name: filename, sizeBytes }
}

export const STARTED = {
  status: 'uploading',
  progress: START_PERCENT,
  message: null,
  detail: null,
  transfer: null,
  canPause: false,
  isPaused: false,
  isAudioSent: false,
  retry: 'none',
} as const
export const STORED = {
  status: 'processing',
  progress: MAX_BEFORE_CONFIRMED_PERCENT,
  transfer: null,
  canPause: false,
  detail: null,
} as const
export const CONFIRMED = { status: 'done', progress: 100, detail: null, transfer: null } as const

export function percentSent(sentBytes: number, sizeBytes: number): number {
  const percent = sizeBytes > 0 ? Math.round((sentBytes / sizeBytes) * 100) : 0
  return Math.min(MAX_BEFORE_CONFIRMED_PERCENT, Math.max(START_PERCENT, percent))
}

const STOPPED = { transfer: null, canPause: false, isPaused: false } as const

/** How an item ends when its upload throws. `continue`: what has arrived stays, and the rest can follow. */
export function failedOutcome(error: unknown, retry: 'again' | 'continue'): Partial<UploadItem> {
  const known = error instanceof UploadError
  const message = known ? error.message : 'upload failed'
  const detail = known ? error.detail : 'Something unexpected happened. Try again.'
  return { ...STOPPED, status: 'error', message, detail, retry }
}

export const CANCELED = {
  ...STOPPED,
  status: 'canceled',
  progress: 0,
  message: 'canceled',
  detail: 'Nothing was kept of it.',
  moduleId: null,
  retry: 'again',
} as const

/** Something will keep the file from becoming a training. Where the upload may still make sense, the person decides. */
export function doubtfulOutcome({ title, whatToDo, canBeSent }: VideoProblem): Partial<UploadItem> {
  const outcome = { ...STOPPED, progress: 0, message: title, detail: whatToDo } as const
  return canBeSent ? { ...outcome, status: 'idle', retry: 'anyway' } : { ...outcome, status: 'error', retry: 'none' }
}

export const REJECTED = {
  status: 'error',
  message: 'Only video files are allowed',
  detail: 'Choose an MP4, WebM, MOV or MKV file.',
} as const

export const SKIPPED = { detail: 'Not uploaded: only the first video is taken. Upload this one next.' } as const
