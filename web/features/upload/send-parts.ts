import AwsS3 from '@uppy/aws-s3'
import Uppy from '@uppy/core'
import { Done } from '#contract/module.ts'
import { type PartPlan, type PartUrlsRequest, UrlsAnswer } from '#contract/upload.ts'
import * as m from '#messages'
import type { CallApi } from '#web/lib/api.ts'
import { callWithRetry, type Timing } from './call-with-retry.ts'
import { type PauseSwitch, whenRunning } from './pause-switch.ts'
import { isStored, type PutFile } from './put-file.ts'
import { SignedUrls } from './signed-urls.ts'
import { inStage, storageError, UploadError } from './upload-error.ts'

/**
 * Where each connection gets its share (a far or lossy line), the time falls with their number: 96 MiB at 3 MiB/s and
 * 100 ms a connection took 34.7 s with one, 17.4 s with two, 8.9 s with four, 6.0 s with six. Browsers open six to an
 * HTTP/1.1 host; two of them stay free for the audio and for the page's own calls.
 */
const PARALLEL_PARTS = 4
/** About a minute in all, like the calls beside it. Uppy does not count time offline. */
const RETRY_DELAYS_MS = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000]

const SILENT = { debug() {}, warn() {}, error() {} }

export type SendParts = (transfer: PartsTransfer, deps: PartsDeps) => Promise<void>

/**
 * Sends the missing parts of a file, several at once. Uppy decides which part goes when, tries again, waits while the
 * browser is offline, and pauses; how one part is sent and recorded is {@link openPartSender}'s.
 */
export const sendParts: SendParts = async (transfer, deps) => {
  const { pause, signal } = transfer
  await whenRunning(pause, signal)
  const sender = openPartSender(transfer, deps)
  const uppy = openUppy(transfer, sender)
  const failures: Error[] = []
  uppy.on('upload-error', (_file, error) => failures.push(error))
  const stopListening = pause.subscribe((isPaused) => (isPaused ? uppy.pauseAll() : uppy.resumeAll()))
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
  pause: PauseSwitch
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

type PartSender = ReturnType<typeof openPartSender>

/** Sends single parts and reports to the server which have arrived. The caller schedules them. */
function openPartSender(transfer: PartsTransfer, { callApi, putFile, timing }: PartsDeps) {
  const { moduleId, plan, onSent, signal: whole } = transfer
  const arrived = new Map(transfer.arrived.map((part) => [part.part, part]))
  const sentByPart = new Map(transfer.arrived.map(({ part, sizeBytes }) => [part, sizeBytes]))
  const path = `/api/upload/${encodeURIComponent(moduleId)}`
  const persist = <Answer>(call: () => Promise<Answer>) => callWithRetry(call, { ...timing, signal: whole })

  // Ends with the upload, not with one part: parts that begin together share a call.
  function loadUrls(parts: number[]): Promise<UrlsAnswer> {
    const body: PartUrlsRequest = { parts }
    const call = { path: `${path}/part-urls`, method: 'POST', body, schema: UrlsAnswer, signal: whole } as const
    return inStage('part-urls', () => persist(() => callApi(call)))
  }

  function listNext(part: number): number[] {
    const later = Array.from({ length: plan.partCount - part }, (_, index) => part + 1 + index)
    return later.filter((other) => !arrived.has(other))
  }
  const urls = new SignedUrls({ putFile, load: loadUrls, listNext })

  function reportSent(): void {
    onSent([...sentByPart.values()].reduce((sum, bytes) => sum + bytes, 0))
  }

  function note(part: number, sentBytes: number): void {
    sentByPart.set(part, sentBytes)
    reportSent()
  }

  async function record({ part, ...body }: ArrivedPart): Promise<void> {
    const call = { path: `${path}/parts/${part}`, method: 'PUT', body, schema: Done, signal: whole } as const
    await inStage('part', () => persist(() => callApi(call)))
    arrived.set(part, { part, ...body })
  }

  /**
   * @returns the part's ETag, once the server knows it too.
   * @throws {UploadError} with `source.status` where the same part may succeed later, as Uppy's own errors have it.
   */
  async function send({ part, body, signal }: PartPut): Promise<string> {
    try {
      const onProgress = (sentBytes: number) => note(part, Math.min(sentBytes, body.size))
      const { status, etag } = await urls.put(part, { file: body, onProgress, signal })
      if (!isStored({ status })) throw refusal(status)
      if (etag === null)
        throw new UploadError(m.storage_put_failed_with({ cause: m.cause_no_etag() }), m.storage_shows_no_etag())
      await record({ part, etag, sizeBytes: body.size })
      note(part, body.size)
      return etag
    } catch (error) {
      note(part, 0)
      throw error
    }
  }
  return { listArrived: () => [...arrived.values()], reportSent, send }
}

/** Uppy sends a part again whose error has a `source`. */
function refusal(status: number): UploadError {
  const error = storageError(status)
  return error.canPass ? Object.assign(error, { source: { status } }) : error
}
