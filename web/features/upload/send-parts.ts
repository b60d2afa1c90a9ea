import pLimit from 'p-limit'
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
export type SendParts = (transfer: PartsTransfer, deps: PartsDeps) => Promise<void>

/**
 * Sends the missing parts of a file, several at once. A part that fails for a moment is sent again, time offline not
 * counted; a pause ends its request, and it begins again after that.
 * @throws {UploadError} of the first part that cannot be sent, which ends the others
 */
export const sendParts: SendParts = async (transfer, deps) => {
  const { file, plan, pause, signal } = transfer
  signal.throwIfAborted()
  const sender = openPartSender(transfer, deps)
  const missing = sender.listMissing()
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])

  async function sendPart(part: number): Promise<void> {
    const body = file.slice((part - 1) * plan.partBytes, part * plan.partBytes)
    for (;;) {
      await whenRunning(pause, either)
      const hold = new AbortController()
      const stopListening = pause.subscribe((isPaused) => isPaused && hold.abort())
      const within = AbortSignal.any([either, hold.signal])
      try {
        return await callWithRetry(() => sender.send({ part, body, signal: within }), {
          ...deps.timing,
          signal: within,
        })
      } catch (error) {
        either.throwIfAborted()
        if (!hold.signal.aborted) throw error
      } finally {
        stopListening()
      }
    }
  }

  sender.reportSent()
  try {
    await pLimit(PARALLEL_PARTS).map(missing, sendPart)
  } finally {
    stop.abort()
  }
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

  function listMissing(): number[] {
    const parts = Array.from({ length: plan.partCount }, (_, index) => index + 1)
    return parts.filter((part) => !arrived.has(part))
  }
  const listNext = (part: number) => listMissing().filter((other) => other > part)
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

  /** Resolves once the server knows that the part has arrived. */
  async function send({ part, body, signal }: PartPut): Promise<void> {
    try {
      const onProgress = (sentBytes: number) => note(part, Math.min(sentBytes, body.size))
      const { status, etag } = await urls.put(part, { file: body, onProgress, signal })
      if (!isStored({ status })) throw storageError(status)
      if (etag === null)
        throw new UploadError(m.storage_put_failed_with({ cause: m.cause_no_etag() }), m.storage_shows_no_etag())
      await record({ part, etag, sizeBytes: body.size })
      note(part, body.size)
    } catch (error) {
      note(part, 0)
      throw error
    }
  }
  return { listMissing, reportSent, send }
}
