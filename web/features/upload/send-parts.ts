import AwsS3 from '@uppy/aws-s3'
import Uppy from '@uppy/core'
import { PartSender, type PartsDeps, type PartsTransfer } from './part-sender.ts'
import type { PauseSwitch } from './pause-switch.ts'

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
