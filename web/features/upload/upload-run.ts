import * as m from '#messages'
import { type ConvertRequest, whatToDoAfter } from './convert/convert-file.ts'
import { type InspectedVideo, listDoubts, type VideoProblem } from './file-worker/run-file-task.ts'
import { makePauseSwitch } from './pause-switch.ts'
import { RateMeter } from './rate-meter.ts'
import type { AudioRequest } from './send-audio-first.ts'
import type { ImagesRequest } from './send-images.ts'
import { UploadError } from './upload-error.ts'
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
  /** How much of it has been converted, percent; null while nothing is. */
  convertedPercent: number | null
  /** A video that everybody can watch can be made of it here. */
  canConvert: boolean
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
  convertedPercent: null,
  canConvert: false,
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

const STOPPED = { transfer: null, canPause: false, isPaused: false, convertedPercent: null } as const

/** How an item ends when its upload throws. `continue`: what has arrived stays, and the rest can follow. */
export function failedOutcome(error: unknown, retry: UploadItem['retry']): Partial<UploadItem> {
  const known = error instanceof UploadError
  const message = known ? error.message : m.upload_failed()
  const detail = known ? error.detail : m.unexpected_try_again()
  return { ...STOPPED, status: 'error', message, detail, retry }
}

export const CANCELED = {
  ...STOPPED,
  status: 'canceled',
  progress: 0,
  message: m.canceled_state(),
  detail: m.nothing_was_kept(),
  moduleId: null,
  retry: 'again',
} as const

/**
 * Something will keep the file from becoming a training, or people from watching it. Where the upload may still make
 * sense, the person decides.
 */
function doubtfulOutcome([first, ...others]: readonly VideoProblem[], canConvert: boolean): Partial<UploadItem> {
  const more = others.map(({ title, whatToDo }) => m.problem_and_remedy({ problem: title, remedy: whatToDo }))
  const detail = [first?.whatToDo, ...more].join(' ')
  const outcome = { ...STOPPED, progress: 0, message: first?.title ?? null, detail } as const
  const canBeSent = [first, ...others].every((doubt) => doubt?.canBeSent === true)
  return canBeSent
    ? { ...outcome, status: 'idle', retry: 'anyway', canConvert }
    : { ...outcome, status: 'error', retry: 'none' }
}

/** Specification §9. */
const PROGRESS_REFRESH_MS = 500

export interface RunDeps extends UploadDeps {
  /** Looks into a file before a byte is sent. */
  inspectVideo: (file: File) => Promise<InspectedVideo>
  /** Sends the video's audio ahead of the video. Never rejects: without it the server cuts the audio itself. */
  sendAudioFirst: (request: AudioRequest) => Promise<number>
  /** Makes a video of a file, in this browser, that everybody can watch. */
  convertFile: (request: ConvertRequest) => Promise<File>
  /** Draws images of the module from the file, while the module is processed. Never rejects. */
  sendImages: (request: ImagesRequest) => Promise<void>
}

export interface RunRequest {
  item: UploadItem
  captions: File | null
  isShared: boolean
  /** What an earlier run has begun; null starts a new module. */
  attempt: Attempt | null
  /** All bytes have arrived; only the confirmation is missing. */
  isStored: boolean
  /** The person has seen what is wrong with the file, or it has been sent in part. */
  isAccepted: boolean
  /** It is to be converted before it is sent. */
  isConverting: boolean
  /** The converted file, which is what is sent. */
  onConverted: (file: File) => void
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
  private sizeBytes: number
  /** Null while nothing is converted, or it cannot be estimated. */
  private conversionLeftMs: number | null = null

  constructor(request: RunRequest, deps: RunDeps) {
    this.request = request
    this.deps = deps
    this.attempt = request.attempt
    this.isStored = request.isStored
    this.sizeBytes = request.item.sizeBytes
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
      if (error instanceof UploadError && error.retry !== null) {
        this.abort.abort()
        return { ...failedOutcome(error, error.retry), canConvert: error.retry === 'anyway' }
      }
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
    if (item.file === null) throw new UploadError(m.upload_failed(), m.select_file_again())
    onChange(STARTED)
    return this.sendFile(item.file)
  }

  private async sendFile(file: File): Promise<Partial<UploadItem>> {
    const { captions, isAccepted, isConverting, onChange } = this.request
    const facts = await this.deps.inspectVideo(file)
    const doubts = listDoubts(facts, { hasCaptions: captions !== null })
    const canConvert = facts.conversion?.hasRoom === true
    const isSettled = isAccepted && doubts.every(({ canBeSent }) => canBeSent) && (canConvert || !isConverting)
    if (doubts.length > 0 && !isSettled) return doubtfulOutcome(doubts, canConvert)
    const { signal } = this.abort
    signal.throwIfAborted()
    const attempt = this.attempt && (await findAttempt(this.attempt.moduleId, signal, this.deps.callApi))
    const timer = setInterval(() => {
      onChange({ progress: percentSent(this.sentBytes, this.sizeBytes), transfer: this.measure() })
    }, PROGRESS_REFRESH_MS)
    try {
      await uploadVideo(
        {
          video: file,
          captions,
          isShared: this.request.isShared,
          ...(attempt && { attempt }),
          ...(isConverting && { convert: () => this.convert(file) }),
          durationMs: facts.durationMs,
          pause: this.pause,
          signal,
          onStarted: (started) => this.begin(file, facts, started),
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

  private async convert(file: File): Promise<File> {
    const { onChange, onConverted } = this.request
    const { signal } = this.abort
    onChange({ convertedPercent: 0 })
    const beganAtMs = performance.now()
    const onProgress = (convertedPercent: number) => {
      // A percent takes about as long as those before it; a shorter window would jump with every scene.
      const tookMs = performance.now() - beganAtMs
      this.conversionLeftMs = convertedPercent > 0 ? (tookMs / convertedPercent) * (100 - convertedPercent) : null
      onChange({ convertedPercent, transfer: this.measure() })
    }
    try {
      const converted = await this.deps.convertFile({ file, onProgress, signal })
      this.sizeBytes = converted.size
      onConverted(converted)
      onChange({ file: converted, sizeBytes: converted.size, convertedPercent: null, canPause: true })
      return converted
    } catch (error) {
      if (signal.aborted) throw error
      console.warn('The video could not be converted', error)
      throw new UploadError(m.could_not_be_converted_here(), whatToDoAfter(error), { retry: 'anyway' })
    } finally {
      this.conversionLeftMs = null
    }
  }

  /** Resolves when the video may be sent, because its audio goes first. */
  private begin(file: File, { durationMs, conversion }: InspectedVideo, attempt: Attempt): Promise<void> {
    const { callApi, sendAudioFirst, sendImages } = this.deps
    const { onStarted, onChange, captions, isConverting } = this.request
    const { signal } = this.abort
    const { moduleId } = attempt
    this.attempt = attempt
    onStarted(attempt)
    if (signal.aborted) return Promise.resolve()
    onChange({ moduleId, canPause: attempt.plan !== null && !isConverting })
    const source = { file, durationMs, moduleId, callApi, signal }
    const isLineFree = new Promise<void>((resolve) => {
      // With captions nothing has to be transcribed; audio that is converted is another than the file's.
      if (captions || (isConverting && conversion?.keepsAudio !== true)) resolve()
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
    const leftBytes = this.sizeBytes - sentBytes
    const leftMs = this.conversionLeftMs ?? (bytesPerSecond ? (leftBytes / bytesPerSecond) * 1000 : null)
    return { sentBytes, bytesPerSecond, leftMs }
  }
}
