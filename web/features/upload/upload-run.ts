import type { InspectedVideo, VideoProblem } from './file-worker/run-file-task.ts'
import type { AudioRequest, ImagesRequest } from './send-audio-and-images.ts'
import { makePauseSwitch, RateMeter, UploadError } from './transfer.ts'
import { type Attempt, completeUpload, findAttempt, type UploadDeps, uploadVideo } from './upload-video.ts'

/** @see specification §4 */
export type UploadStatus = 'idle' | 'uploading' | 'processing' | 'done' | 'error' | 'canceled'

export interface Transfer {
  sentBytes: number
  /** Null while there are too few samples. */
  bytesPerSecond: number | null
  /** Null while it cannot be estimated. */
  leftMs: number | null
}

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

const FRESH = {
  status: 'idle',
  progress: 0,
  message: null,
  detail: null,
  transfer: null,
  canPause: false,
  isPaused: false,
  isAudioSent: false,
  retry: 'none',
} as const

export function makeItem(file: File, outcome: Partial<UploadItem> = {}): UploadItem {
  return makeNamedItem({ file, name: file.name, sizeBytes: file.size, ...outcome })
}

export function makeNamedItem(item: Partial<UploadItem> & Pick<UploadItem, 'file' | 'name' | 'sizeBytes'>): UploadItem {
  return { ...FRESH, id: crypto.randomUUID(), moduleId: null, ...item }
}

export const STARTED = { ...FRESH, status: 'uploading', progress: START_PERCENT } as const
export const STORED = {
  status: 'processing',
  progress: MAX_BEFORE_CONFIRMED_PERCENT,
  transfer: null,
  canPause: false,
  detail: null,
} as const
const CONFIRMED = { status: 'done', progress: 100, detail: null, transfer: null } as const

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
function doubtfulOutcome({ title, whatToDo, canBeSent }: VideoProblem): Partial<UploadItem> {
  const outcome = { ...STOPPED, progress: 0, message: title, detail: whatToDo } as const
  return canBeSent ? { ...outcome, status: 'idle', retry: 'anyway' } : { ...outcome, status: 'error', retry: 'none' }
}

export const REJECTED = {
  status: 'error',
  message: 'Only video files are allowed',
  detail: 'Choose an MP4, WebM, MOV or MKV file.',
} as const

export const SKIPPED = { detail: 'Not uploaded: only the first video is taken. Upload this one next.' } as const

/** Specification §9. */
const PROGRESS_REFRESH_MS = 500

export interface RunDeps extends UploadDeps {
  /** Looks into a file before a byte is sent. */
  inspectVideo: (file: File) => Promise<InspectedVideo>
  /** Sends the video's audio ahead of the video. Never rejects: without it the server cuts the audio itself. */
  sendAudioFirst: (request: AudioRequest) => Promise<number>
  /** Draws images of the module from the file, while the module is processed. Never rejects. */
  sendImages: (request: ImagesRequest) => Promise<void>
}

export interface RunRequest {
  item: UploadItem
  captions: File | null
  /** What an earlier run has begun; null starts a new module. */
  attempt: Attempt | null
  /** All bytes have arrived; only the confirmation is missing. */
  isStored: boolean
  /** The person has seen what is wrong with the file, or it has been sent in part. */
  isAccepted: boolean
  onChange: (change: Partial<UploadItem>) => void
  onStarted: (attempt: Attempt) => void
}

/** Uploads one file, from its inspection to the server's confirmation. */
export class UploadRun {
  attempt: Attempt | null
  isStored: boolean
  readonly request: RunRequest
  readonly abort = new AbortController()
  private readonly deps: RunDeps
  private readonly pause = makePauseSwitch()
  private readonly meter = new RateMeter()
  private sentBytes = 0

  constructor(request: RunRequest, deps: RunDeps) {
    this.request = request
    this.deps = deps
    this.attempt = request.attempt
    this.isStored = request.isStored
  }

  setPaused(isPaused: boolean): void {
    this.pause.setState(isPaused)
    this.meter.reset()
    this.request.onChange({ isPaused, transfer: this.measure() })
  }

  /** Never throws. @returns what the item becomes. */
  async play(): Promise<Partial<UploadItem>> {
    try {
      return await this.tryToSend()
    } catch (error) {
      const { signal } = this.abort
      if (!(error instanceof UploadError) && !signal.aborted) console.error(error)
      const isLost = error instanceof UploadError && error.isLost
      const canContinue = !isLost && this.attempt !== null && (this.isStored || this.attempt.plan !== null)
      // Also ends the audio that may still be on its way.
      this.abort.abort()
      return failedOutcome(error, canContinue ? 'continue' : 'again')
    }
  }

  private async tryToSend(): Promise<Partial<UploadItem>> {
    const { item, onChange } = this.request
    if (this.isStored && this.attempt) {
      onChange({ ...STARTED, ...STORED })
      await completeUpload(this.attempt, this.deps)
      return CONFIRMED
    }
    if (item.file === null) throw new UploadError('upload failed', 'Select the file again.')
    onChange(STARTED)
    return this.sendFile(item.file)
  }

  private async sendFile(file: File): Promise<Partial<UploadItem>> {
    const { captions, isAccepted, onChange, item } = this.request
    const facts = await this.deps.inspectVideo(file)
    // Captions stand in for the audio, so a video without any is no problem with them.
    const isSettled = facts.problem?.canBeSent === true && (isAccepted || captions !== null)
    if (facts.problem && !isSettled) return doubtfulOutcome(facts.problem)
    const { signal } = this.abort
    signal.throwIfAborted()
    const attempt = this.attempt && (await findAttempt(this.attempt.moduleId, signal, this.deps.callApi))
    const timer = setInterval(() => {
      onChange({ progress: percentSent(this.sentBytes, item.sizeBytes), transfer: this.measure() })
    }, PROGRESS_REFRESH_MS)
    try {
      await uploadVideo(
        {
          video: file,
          captions,
          ...(attempt && { attempt }),
          durationMs: facts.durationMs,
          pause: this.pause,
          signal,
          onStarted: (started) => this.begin(file, facts.durationMs, started),
          onSent: (sentBytes) => {
            this.sentBytes = sentBytes
          },
          onStored: () => {
            clearInterval(timer)
            this.isStored = true
            onChange(STORED)
          },
        },
        this.deps,
      )
    } finally {
      clearInterval(timer)
    }
    return CONFIRMED
  }

  /** Resolves when the video may be sent, because its audio goes first. */
  private begin(file: File, durationMs: number | null, attempt: Attempt): Promise<void> {
    const { callApi, sendAudioFirst, sendImages } = this.deps
    const { onStarted, onChange, captions } = this.request
    const { signal } = this.abort
    const { moduleId } = attempt
    this.attempt = attempt
    onStarted(attempt)
    if (signal.aborted) return Promise.resolve()
    onChange({ moduleId, canPause: attempt.plan !== null })
    const source = { file, durationMs, moduleId, callApi, signal }
    const isLineFree = new Promise<void>((resolve) => {
      // With captions nothing has to be transcribed.
      if (captions) resolve()
      else {
        void sendAudioFirst({ ...source, onHeadStart: resolve }).then((sentChunks) => {
          if (sentChunks > 0) onChange({ isAudioSent: true })
        })
      }
    })
    void isLineFree.then(() => sendImages(source))
    return isLineFree
  }

  private measure() {
    const { sentBytes } = this
    const bytesPerSecond = this.pause.getState() ? null : this.meter.note(sentBytes, performance.now())
    const leftBytes = this.request.item.sizeBytes - sentBytes
    const leftMs = bytesPerSecond ? (leftBytes / bytesPerSecond) * 1000 : null
    return { sentBytes, bytesPerSecond, leftMs }
  }
}
