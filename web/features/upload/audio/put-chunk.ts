import { UPLOAD_URLS_MAX } from '#contract/limits.ts'
import { Done } from '#contract/module.ts'
import { type AudioArrived, type AudioUrlsRequest, type ClientAudioChunk, UrlsAnswer } from '#contract/upload.ts'
import type { CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { AudioFacts } from './cut-audio.ts'

/** Addresses for the parts of a module's audio. */
interface AudioUrls {
  /** @param sizeBytes signed into the address, so the address is requested after the chunk has been cut */
  get(chunk: number, sizeBytes: number): Promise<string>
  /** The address is no longer valid; the next call requests a new one. */
  forget(chunk: number): void
}

interface UrlsOptions {
  moduleId: string
  facts: AudioFacts
  callApi: CallApi
  signal: AbortSignal
}

/** Requests each address when its chunk is due, and keeps it while the chunk is retried. */
export function openAudioUrls({ moduleId, facts, callApi, signal }: UrlsOptions): AudioUrls {
  const kept = new Map<number, Promise<string>>()
  async function ask(chunk: number, sizeBytes: number): Promise<string> {
    const body = { chunks: [{ chunk, sizeBytes }], contentType: facts.contentType } satisfies AudioUrlsRequest
    const path = `/api/upload/${encodeURIComponent(moduleId)}/audio-urls`
    const { urls } = await callApi({ path, method: 'POST', body, schema: UrlsAnswer, signal })
    const url = urls.find((each) => each.number === chunk)?.url
    if (url === undefined) throw new Error(`There is no address for chunk ${chunk}`)
    return url
  }
  async function get(chunk: number, sizeBytes: number): Promise<string> {
    const asked = kept.get(chunk) ?? ask(chunk, sizeBytes)
    kept.set(chunk, asked)
    try {
      return await asked
    } catch (error) {
      kept.delete(chunk)
      throw error
    }
  }
  return { get, forget: (chunk) => void kept.delete(chunk) }
}

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

/** Reports to the server which chunks of the audio are in storage. */
export interface ChunkReporter {
  /** The first chunk at once, later ones a few at a time. @throws {ApiError} 409 `audio_refused` */
  report(chunk: ClientAudioChunk): Promise<void>
  /** Reports the remaining chunks, always including the last, and the number of all chunks. */
  reportRest(chunkCount: number): Promise<void>
}

/** Two minutes of audio; on a fast line each call brings this much. */
const GROUP = 4
/** On a slow line nothing waits longer than this for its neighbours. */
const GROUP_WITHIN_MS = 1_000

interface ChunkReporterOptions {
  moduleId: string
  durationMs: number
  callApi: CallApi
  signal: AbortSignal
  persist: <T>(call: () => Promise<T>) => Promise<T>
}

export function openChunkReporter({
  moduleId,
  durationMs,
  callApi,
  signal,
  persist,
}: ChunkReporterOptions): ChunkReporter {
  const path = `/api/upload/${encodeURIComponent(moduleId)}/audio`
  const arrived: ClientAudioChunk[] = []
  let reportedAtMs = Number.NEGATIVE_INFINITY
  let isReporting = false
  let last: ClientAudioChunk | null = null
  const isDue = () => arrived.length >= GROUP || performance.now() - reportedAtMs >= GROUP_WITHIN_MS
  async function post(chunkCount: number | null): Promise<void> {
    const body = { durationMs, chunks: arrived.splice(0, UPLOAD_URLS_MAX), chunkCount } satisfies AudioArrived
    await persist(() => callApi({ path, method: 'POST', body, schema: Done, signal }))
    reportedAtMs = performance.now()
  }
  async function report(chunk: ClientAudioChunk): Promise<void> {
    arrived.push(chunk)
    if (last === null || chunk.chunk > last.chunk) last = chunk
    if (isReporting || !isDue()) return
    isReporting = true
    try {
      while (arrived.length > 0 && isDue()) await post(null)
    } finally {
      isReporting = false
    }
  }
  async function reportRest(chunkCount: number): Promise<void> {
    while (arrived.length > UPLOAD_URLS_MAX) await post(null)
    // The last chunk is reported twice if need be, because it shows whether the audio reaches the end of the video.
    if (last !== null && !arrived.includes(last)) arrived.push(last)
    await post(chunkCount)
  }
  return { report, reportRest }
}
