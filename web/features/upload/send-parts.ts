import AwsS3 from '@uppy/aws-s3'
import Uppy from '@uppy/core'
import { Done } from '#contract/module.ts'
import { type PartPlan, type PartUrlsRequest, UrlsAnswer } from '#contract/upload.ts'
import type { CallApi } from '#web/lib/api.ts'
import { SignedUrls } from './signed-urls.ts'
import {
  callWithRetry,
  isStored,
  type PauseSwitch,
  type PutFile,
  stageError,
  storageError,
  type Timing,
  UploadError,
} from './transfer.ts'

/**
 * Where each connection gets its share (a far or lossy line), the time falls with their number: 96 MiB at 3 MiB/s and
 * 100 ms a connection took 34.7 s with one, 17.4 s with two, 8.9 s with four, 6.0 s with six. Browsers open six to an
 * HTTP/1.1 host; two of them stay free for the audio and for the page's own calls.
 */
const PARALLEL_PARTS = 4
/** About a minute in all, like the calls beside it. Uppy does not count time offline. */
const RETRY_DELAYS_MS = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000]

const SILENT = { debug() {}, warn() {}, error() {} }

export type SendParts = (transfer: PartsTransfer & { pause: PauseSwitch }, deps: PartsDeps) => Promise<void>

/**
 * Sends the missing parts of a file, several at once. Uppy decides which part goes when, tries again, waits while the
 * browser is offline, and pauses; how one part is sent and recorded is {@link PartSender}'s.
 */
export const sendParts: SendParts = async (transfer, deps) => {
  const { pause, signal } = transfer
  await pause.whenRunning(signal)
  signal.throwIfAborted()
  const sender = new PartSender(transfer, deps)
  const uppy = openUppy(transfer, sender)
  const failures: Error[] = []
  uppy.on('upload-error', (_file, error) => failures.push(error))
  const stopListening = pause.listen((isPaused) => (isPaused ? uppy.pauseAll() : uppy.resumeAll()))
  const onAbort = () => uppy.cancelAll()
  signal.addEventListener('abort', onAbort)
  try {
    sender.reportSent()
    await uppy.upload()
    signal.throwIfAborted()
    if (failures[0]) throw failures[0]
  } finally {
    signal.removeEventListener('abort', onAbort)
    stopListening()
    uppy.destroy()
  }
}

function openUppy({ file, moduleId, key, plan }: PartsTransfer, sender: PartSender) {
  const uppy = new Uppy({ id: `upload-${moduleId}`, logger: SILENT }).use(AwsS3, {
    shouldUseMultipart: true,
    limit: PARALLEL_PARTS,
    retryDelays: RETRY_DELAYS_MS,
    getChunkSize: () => plan.partBytes,
    createMultipartUpload: () => ({ uploadId: moduleId, key }),
    listParts: () => sender.listArrived().map(({ part, etag }) => ({ PartNumber: part, ETag: etag })),
    // Addresses are requested when a part is about to be sent; here the "address" is its number.
    signPart: (_file, { partNumber }) => ({ method: 'PUT', url: String(partNumber) }),
    uploadPartBytes: async ({ signature, body, onComplete, signal }) => {
      if (!(body instanceof Blob) || !signal) throw new TypeError('a part is a Blob that can be aborted')
      const etag = await sender.send({ part: Number(signature.url), body, signal })
      onComplete(etag)
      return { ETag: etag }
    },
    // Completing and cancelling are calls of their own, and a failure must leave what has arrived.
    completeMultipartUpload: () => ({}),
    abortMultipartUpload: () => {},
  })
  const id = uppy.addFile({ name: file.name, type: file.type, data: file })
  // Uppy lists the parts of an upload that it believes it has begun, and sends the others.
  uppy.setFileState(id, { s3Multipart: { uploadId: moduleId, key } } as object)
  return uppy
}

export interface ArrivedPart {
  part: number
  etag: string
  sizeBytes: number
}

interface PartsTransfer {
  file: File
  moduleId: string
  key: string
  plan: PartPlan
  /** What an earlier session has sent. */
  arrived: readonly ArrivedPart[]
  /** Bytes of the file that have left; falls when a part has to begin again. */
  onSent: (sentBytes: number) => void
  signal: AbortSignal
}

interface PartsDeps {
  callApi: CallApi
  putFile: PutFile
  timing: Timing
}

interface PartPut {
  part: number
  body: Blob
  signal: AbortSignal
}

/** Sends single parts and reports to the server which have arrived. The caller schedules them. */
class PartSender {
  private readonly transfer: PartsTransfer
  private readonly deps: PartsDeps
  private readonly urls: SignedUrls
  private readonly arrived: Map<number, ArrivedPart>
  private readonly sentByPart = new Map<number, number>()

  constructor(transfer: PartsTransfer, deps: PartsDeps) {
    this.transfer = transfer
    this.deps = deps
    this.arrived = new Map(transfer.arrived.map((part) => [part.part, part]))
    for (const { part, sizeBytes } of transfer.arrived) this.sentByPart.set(part, sizeBytes)
    const { putFile } = deps
    this.urls = new SignedUrls({
      putFile,
      load: (parts) => this.loadUrls(parts),
      listNext: (part) => this.listNext(part),
    })
  }

  listArrived(): ArrivedPart[] {
    return [...this.arrived.values()]
  }

  reportSent(): void {
    this.transfer.onSent([...this.sentByPart.values()].reduce((sum, bytes) => sum + bytes, 0))
  }

  /**
   * @returns the part's ETag, once the server knows it too.
   * @throws {UploadError} with `source.status` where the same part may succeed later, as Uppy's own errors have it.
   */
  async send({ part, body, signal }: PartPut): Promise<string> {
    try {
      const onProgress = (sentBytes: number) => this.note(part, Math.min(sentBytes, body.size))
      const { status, etag } = await this.urls.put(part, { file: body, onProgress, signal })
      if (!isStored({ status })) throw refusal(status)
      if (etag === null) throw new UploadError('storage PUT failed: no ETag', NO_ETAG_SENTENCE)
      await this.record({ part, etag, sizeBytes: body.size })
      this.note(part, body.size)
      return etag
    } catch (error) {
      this.note(part, 0)
      throw error
    }
  }

  private note(part: number, sentBytes: number): void {
    this.sentByPart.set(part, sentBytes)
    this.reportSent()
  }

  /** Ends with the upload, not with one part: parts that begin together share a call. */
  private async loadUrls(parts: number[]): Promise<UrlsAnswer> {
    const { moduleId, signal } = this.transfer
    const { callApi, timing } = this.deps
    const body: PartUrlsRequest = { parts }
    const path = `/api/upload/${encodeURIComponent(moduleId)}/part-urls`
    const call = () => callApi({ path, method: 'POST', body, schema: UrlsAnswer, signal })
    try {
      return await callWithRetry(call, { ...timing, signal })
    } catch (error) {
      throw stageError('part-urls', error)
    }
  }

  private listNext(part: number): number[] {
    const later = Array.from({ length: this.transfer.plan.partCount - part }, (_, index) => part + 1 + index)
    return later.filter((other) => !this.arrived.has(other))
  }

  private async record(arrived: ArrivedPart): Promise<void> {
    const { moduleId, signal } = this.transfer
    const { part, ...body } = arrived
    const path = `/api/upload/${encodeURIComponent(moduleId)}/parts/${part}`
    const call = () => this.deps.callApi({ path, method: 'PUT', body, schema: Done, signal })
    try {
      await callWithRetry(call, { ...this.deps.timing, signal })
    } catch (error) {
      throw stageError('part', error)
    }
    this.arrived.set(part, arrived)
  }
}

const NO_ETAG_SENTENCE =
  'The storage does not show what it received, so the upload cannot be put together. Ask the operator of this site to add ETag to the exposed headers of its storage.'

/** Uppy sends a part again whose error has a `source`. */
function refusal(status: number): UploadError {
  const error = storageError(status)
  return error.canPass ? Object.assign(error, { source: { status } }) : error
}
