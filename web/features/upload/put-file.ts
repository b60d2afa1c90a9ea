import { requireReadable } from './file-fault.ts'

export interface FilePut {
  url: string
  file: Blob
  /** Undefined for a part, whose address is signed without one. */
  contentType?: string
  /** Refuse where something lies already: a second send must not replace a file that is there. */
  ifNoneMatch?: '*'
  onProgress: (sentBytes: number) => void
  signal: AbortSignal
}

export interface PutAnswer {
  /** HTTP status; 0 when no answer came. */
  status: number
  /** Null where the storage does not show it. */
  etag: string | null
}

export function isStored({ status }: Pick<PutAnswer, 'status'>): boolean {
  return status >= 200 && status <= 299
}

/** @throws {UploadError} where the file can no longer be read */
export type PutFile = (put: FilePut) => Promise<PutAnswer>

/** A connection that died without an error: the system itself would wait for minutes. */
const STALLED_AFTER_MS = 30_000
/** Bytes reported as sent may still be in the system's send buffer: 4 MB take nearly two minutes over 300 kbit/s. */
const ANSWERED_AFTER_MS = 120_000

/** Sends bytes to storage with XMLHttpRequest, because fetch does not report upload progress. */
export const putFile: PutFile = async (put) => {
  const answer = await request(put)
  if (answer.status === 0) await requireReadable(put.file)
  return answer
}

const request: PutFile = ({ url, file, contentType, ifNoneMatch, onProgress, signal }) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    const onAbort = () => request.abort()
    const onBroken = () => end({ status: 0, etag: null })
    let stall: ReturnType<typeof setTimeout> | undefined
    function watch(silentMs: number) {
      clearTimeout(stall)
      stall = setTimeout(() => {
        request.abort()
        onBroken()
      }, silentMs)
    }
    function end(answer: PutAnswer) {
      clearTimeout(stall)
      signal.removeEventListener('abort', onAbort)
      if (signal.aborted) reject(signal.reason)
      else resolve(answer)
    }
    request.open('PUT', url)
    if (contentType !== undefined) request.setRequestHeader('content-type', contentType)
    if (ifNoneMatch !== undefined) request.setRequestHeader('if-none-match', ifNoneMatch)
    request.upload.onprogress = (event) => {
      watch(STALLED_AFTER_MS)
      onProgress(event.loaded)
    }
    request.upload.onload = () => watch(ANSWERED_AFTER_MS)
    request.onload = () => end({ status: request.status, etag: request.getResponseHeader('etag') })
    request.onerror = onBroken
    request.onabort = onBroken
    // Chromium reports a connection that timed out here, though we set no timeout.
    request.ontimeout = onBroken
    signal.addEventListener('abort', onAbort)
    watch(STALLED_AFTER_MS)
    request.send(file)
  })
