import { ApiError } from '#web/lib/api-error.ts'
import type { AudioUrls } from './audio-urls.ts'

interface ChunkPut {
  chunk: number
  urls: AudioUrls
  /** Its type is the one that the address is signed for. */
  body: Blob
  signal: AbortSignal
}

/** Puts one chunk into storage, once. */
export type PutChunk = (put: ChunkPut) => Promise<void>

/** Half a megabyte in this time is 70 kbit/s; on a slower line the audio is no head start. */
const PUT_WITHIN_MS = 60_000
const EXPIRED = 403

/** @throws {ApiError} with the storage's status; 0 when no answer came */
export const putChunk: PutChunk = async ({ chunk, urls, body, signal }) => {
  const url = await urls.get(chunk, body.size)
  const status = await put(url, body, signal)
  if (status >= 200 && status < 300) return
  if (status !== EXPIRED) throw storageError(status)
  // The next address is fresh; only when that one is refused as well, it is no matter of time.
  urls.forget(chunk)
  const again = await put(await urls.get(chunk, body.size), body, signal)
  if (again < 200 || again > 299) throw storageError(again)
}

async function put(url: string, body: Blob, signal: AbortSignal): Promise<number> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(PUT_WITHIN_MS)])
  try {
    const headers = { 'content-type': body.type }
    const { status } = await fetch(url, { method: 'PUT', body, headers, signal: within, priority: 'high' })
    return status
  } catch {
    signal.throwIfAborted()
    return 0
  }
}

function storageError(status: number): ApiError {
  return new ApiError({ status, code: 'http', message: `storage PUT failed: ${status || 'network'}` })
}
