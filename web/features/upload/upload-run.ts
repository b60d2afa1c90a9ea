import type { CaptionsQuery } from '#contract/transcript.ts'
import * as m from '#messages'
import { type ConvertRequest, whatToDoAfter } from './convert-file.ts'
import { fileError, type findFileFault, isReadFault, requireReadable } from './file-fault.ts'
import { type InspectedVideo, listDoubts, type VideoProblem } from './file-worker/run-file-task.ts'
import { makePauseSwitch } from './pause-switch.ts'
import { RateMeter } from './rate-meter.ts'
import type { AudioRequest } from './send-audio-first.ts'
import type { ImagesRequest } from './send-images.ts'
import { UploadError } from './upload-error.ts'
import { failureOf, percentSent, type Transfer, type UploadEvent, type UploadItem } from './upload-item.ts'
import { type Attempt, completeUpload, findAttempt, type UploadDeps, uploadVideo } from './upload-video.ts'

/** Specification §9. */
const PROGRESS_REFRESH_MS = 500

export interface RunDeps extends UploadDeps {
  findFileFault: typeof findFileFault
  /** Looks into a file before a byte is sent. */
  inspectVideo: (file: File) => Promise<InspectedVideo>
  /** Sends the video's audio ahead of the video. Never rejects: without it the server cuts the audio itself. */
  sendAudioFirst: (request: AudioRequest) => Promise<number>
  /** Makes a video of a file, in this browser, that everybody can watch. */
  convertFile: (request: ConvertRequest) => Promise<File>
  /** Draws images of the module from the file, while the module is processed. Never rejects. */
  sendImages: (request: ImagesRequest) => Promise<void>
}

/** What the person wants done with an item: `accepted` in spite of what is wrong with the file. */
export type UploadOrder = 'checked' | 'accepted' | 'converted' | 'confirmed'

export interface RunRequest {
  /** As it is when the run begins; an attempt in it is resumed. */
  item: UploadItem
  order: UploadOrder
  captions: File | null
  /** How these are read. */
  captionChoices: CaptionsQuery
  isShared: boolean
  replaces: string | null
  onEvent: (event: UploadEvent) => void
  /** The server has a module for it; also called after the abort, so that the module can be removed. */
  onRegistered: (attempt: Attempt) => void
}

/** Uploads one file, from its inspection to the server's confirmation. */
export class UploadRun {
  readonly request: RunRequest
  readonly abort = new AbortController()
  private readonly deps: RunDeps
  /** Ends the audio: once the video has arrived, the server cuts what is missing. */
  private readonly audioStop = new AbortController()
  private readonly pause = makePauseSwitch()
  private readonly meter = new RateMeter()
  private attempt: Attempt | null
  /** False for a file of which only what is made of it can be read. */
  private isReadable = true
  /** Images of a converted file, which stays as long as they are drawn. */
  images: Promise<void> = Promise.resolve()
  private isStored: boolean
  private sentBytes = 0
  private sizeBytes: number

  constructor(request: RunRequest, deps: RunDeps) {
    this.request = request
    this.deps = deps
    this.attempt = request.item.attempt
    this.isStored = request.order === 'confirmed'
    this.sizeBytes = request.item.sizeBytes
  }

  setPaused(isPaused: boolean): void {
    this.pause.setState(isPaused)
    this.meter.reset()
    this.request.onEvent({ type: 'pause', isPaused, transfer: this.measure() })
  }

  /** Never throws. @returns how it ends */
  async play(): Promise<UploadEvent> {
    const { signal } = this.abort
    try {
      return await this.send()
    } catch (thrown) {
      const error = isReadFault(thrown) ? fileError('changed') : thrown
      if (!(error instanceof UploadError) && !signal.aborted) console.error(error)
      // Also ends the audio that may still be on its way.
      this.abort.abort()
      return this.describeFailure(error)
    }
  }

  /** `continue`: what has arrived stays, and the rest can follow. */
  private describeFailure(error: unknown): UploadEvent {
    if (error instanceof UploadError && error.retry !== null) return failureOf(error, error.retry)
    const isLost = error instanceof UploadError && error.isLost
    if (isLost || this.attempt === null) return failureOf(error, 'again')
    if (this.isStored) return failureOf(error, 'confirm')
    return failureOf(error, this.attempt.plan === null ? 'again' : 'continue')
  }

  private async send(): Promise<UploadEvent> {
    const { item, onEvent } = this.request
    if (this.isStored && this.attempt) {
      onEvent({ type: 'start-confirming' })
      await completeUpload(this.attempt, this.deps)
      return { type: 'confirm' }
    }
    if (item.file === null) throw new UploadError(m.upload_failed(), m.select_file_again())
    onEvent({ type: 'start' })
    return this.sendFile(item.file)
  }

  private async sendFile(file: File): Promise<UploadEvent> {
    const { order, captions, captionChoices, isShared, replaces, onEvent } = this.request
    const isConverting = order === 'converted'
    await this.requireUnchanged(file, order === 'checked' && this.attempt === null)
    const facts = await this.deps.inspectVideo(file)
    const doubts = listDoubts(facts, { hasCaptions: captions !== null })
    const canConvert = facts.conversion?.hasRoom === true
    const canBeSent = doubts.every((doubt) => doubt.canBeSent)
    this.isReadable = canBeSent
    const isSettled = isConverting ? canConvert && canBeConverted(doubts) : order !== 'checked' && canBeSent
    if (doubts.length > 0 && !isSettled) return describeDoubts(doubts, canConvert)
    await this.requireUnchanged(file, false)
    const { signal } = this.abort
    signal.throwIfAborted()
    const attempt = this.attempt && (await findAttempt(this.attempt.moduleId, signal, this.deps.callApi))
    const timer = setInterval(() => this.reportSent(), PROGRESS_REFRESH_MS)
    try {
      await uploadVideo(
        {
          video: file,
          captions,
          captionChoices,
          isShared,
          replaces,
          ...(attempt && { attempt }),
          ...(isConverting && { convert: () => this.convert(file, facts.durationMs) }),
          durationMs: facts.durationMs,
          container: facts.container,
          pause: this.pause,
          signal,
          onStarted: (started) => this.register(file, facts, started),
          onSent: (sentBytes) => {
            this.sentBytes = sentBytes
          },
          onStored: () => {
            clearInterval(timer)
            this.isStored = true
            this.audioStop.abort()
            onEvent({ type: 'store' })
          },
        },
        this.deps,
      )
    } finally {
      clearInterval(timer)
    }
    return { type: 'confirm' }
  }

  private async requireUnchanged(file: File, isJustPicked: boolean): Promise<void> {
    const fault = await this.deps.findFileFault(file, { isJustPicked })
    if (fault !== null) throw fileError(fault)
  }

  private async convert(file: File, knownDurationMs: number | null): Promise<File> {
    const { onEvent } = this.request
    const { signal } = this.abort
    onEvent({ type: 'convert', percent: 0, leftMs: null })
    const beganAtMs = performance.now()
    const onProgress = (percent: number) => {
      // A percent takes about as long as those before it; a shorter window would jump with every scene.
      const tookMs = performance.now() - beganAtMs
      onEvent({ type: 'convert', percent, leftMs: percent > 0 ? (tookMs / percent) * (100 - percent) : null })
    }
    try {
      const converted = await this.deps.convertFile({ file, knownDurationMs, onProgress, signal })
      this.sizeBytes = converted.size
      onEvent({ type: 'replace-file', file: converted })
      if (!this.isReadable) this.images = this.drawImages(converted)
      return converted
    } catch (error) {
      if (signal.aborted) throw error
      if (isReadFault(error)) await requireReadable(file)
      console.warn('The video could not be converted', error)
      const detail = this.isReadable ? whatToDoAfter(error) : m.export_as_mp4()
      throw new UploadError(m.could_not_be_converted_here(), detail, { retry: this.isReadable ? 'force' : 'none' })
    }
  }

  private async drawImages(file: File): Promise<void> {
    const { callApi, sendImages } = this.deps
    if (this.attempt === null) return
    await sendImages({ file, durationMs: null, moduleId: this.attempt.moduleId, callApi, signal: this.abort.signal })
  }

  /** Resolves when the video may be sent, because its audio goes first. */
  private register(file: File, { durationMs, conversion }: InspectedVideo, attempt: Attempt): Promise<void> {
    const { callApi, sendAudioFirst, sendImages } = this.deps
    const { order, captions, onRegistered, onEvent } = this.request
    const isConverting = order === 'converted'
    const { signal } = this.abort
    const { moduleId } = attempt
    this.attempt = attempt
    onRegistered(attempt)
    if (signal.aborted) return Promise.resolve()
    onEvent({ type: 'register', attempt, canPause: attempt.plan !== null && !isConverting })
    const source = { file, durationMs, moduleId, callApi, signal }
    const canStartVideo = new Promise<void>((resolve) => {
      // With captions nothing has to be transcribed; audio that is converted is another than the file's.
      if (captions || (isConverting && conversion?.keepsAudio !== true)) resolve()
      else {
        const audioSignal = AbortSignal.any([signal, this.audioStop.signal])
        void sendAudioFirst({ ...source, signal: audioSignal, onVideoMayStart: resolve }).then((sentChunks) => {
          if (sentChunks > 0) onEvent({ type: 'send-audio' })
        })
      }
    })
    if (this.isReadable) void canStartVideo.then(() => sendImages(source))
    return canStartVideo
  }

  private reportSent(): void {
    const percent = percentSent(this.sentBytes, this.sizeBytes)
    this.request.onEvent({ type: 'send', percent, transfer: this.measure() })
  }

  private measure(): Transfer {
    const { sentBytes } = this
    const bytesPerSecond = this.pause.getState() ? null : this.meter.note(sentBytes, performance.now())
    const leftMs = bytesPerSecond ? ((this.sizeBytes - sentBytes) / bytesPerSecond) * 1000 : null
    return { sentBytes, bytesPerSecond, leftMs }
  }
}

/**
 * Something will keep the file from becoming a training, or people from watching it. Where the upload may still make
 * sense, the person decides.
 */
function describeDoubts(doubts: readonly VideoProblem[], canConvert: boolean): UploadEvent {
  const [first, ...others] = doubts
  const otherDetails = others.map(({ title, whatToDo }) => m.problem_and_remedy({ problem: title, remedy: whatToDo }))
  const text = { message: first?.title ?? '', detail: [first?.whatToDo, ...otherDetails].join(' ') }
  const canBeSent = [first, ...others].every((doubt) => doubt?.canBeSent === true)
  if (canBeSent) return { type: 'doubt', ...text, canConvert }
  return { type: 'fail', ...text, next: 'none', canConvert: canConvert && canBeConverted(doubts) }
}

function canBeConverted(doubts: readonly VideoProblem[]): boolean {
  return doubts.every(({ canBeSent, canBeConverted = false }) => canBeSent || canBeConverted)
}
