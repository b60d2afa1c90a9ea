import pRetry, { type Options } from 'p-retry'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { PRESIGNED_URL_TTL_S } from '#contract/limits.ts'
import type { ProblemCode } from '#contract/problem.ts'
import type { UrlsAnswer } from '#contract/upload.ts'
import * as m from '#messages'
import { quotaSentence } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { canPass } from '#web/lib/query-client.ts'

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

export type PutFile = (put: FilePut) => Promise<PutAnswer>

/** A connection that died without an error: the system itself would wait for minutes. */
const STALLED_AFTER_MS = 30_000
/** Bytes reported as sent may still be in the system's send buffer: 4 MB take nearly two minutes over 300 kbit/s. */
const ANSWERED_AFTER_MS = 120_000

/** Sends bytes to storage with XMLHttpRequest, because fetch does not report upload progress. */
export const putFile: PutFile = ({ url, file, contentType, ifNoneMatch, onProgress, signal }) =>
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

/** Few calls, and few enough addresses that most are used before they expire on a slow connection. */
const URLS_BATCH = 20
/** Room for a clock that is a little off and for the request's own way. */
const MARGIN_S = 60
const EXPIRED = 403

type SignedPut = Omit<FilePut, 'url'>

interface SignedUrlsOptions {
  putFile: PutFile
  load: (numbers: number[], file: Blob) => Promise<UrlsAnswer>
  /** Numbers that are due after this one, so that one call brings addresses for several. */
  listNext?: (number: number) => number[]
  nowMs?: () => number
}

/** Sends the pieces of one upload to signed addresses, which are kept by number until they expire. */
export class SignedUrls {
  private readonly kept = new Map<number, { answer: Promise<UrlsAnswer>; freshUntilMs: number }>()
  private readonly options: Required<SignedUrlsOptions>

  constructor(options: SignedUrlsOptions) {
    this.options = { listNext: () => [], nowMs: Date.now, ...options }
  }

  /** Tries once more with a fresh address, because one that is refused is most likely too old. */
  async put(number: number, put: SignedPut): Promise<PutAnswer> {
    const answer = await this.putOnce(number, put)
    if (answer.status !== EXPIRED) return answer
    this.kept.delete(number)
    return this.putOnce(number, put)
  }

  private async putOnce(number: number, put: SignedPut): Promise<PutAnswer> {
    const url = await this.getUrl(number, put.file)
    put.signal.throwIfAborted()
    return this.options.putFile({ ...put, url })
  }

  private async getUrl(number: number, file: Blob): Promise<string> {
    const { answer } = this.findFresh(number) ?? this.request(number, file)
    const url = (await answer).urls.find((each) => each.number === number)?.url
    if (url !== undefined) return url
    this.kept.delete(number)
    // not-shown: for developers.
    throw new Error(`There is no address for number ${number}`)
  }

  private findFresh(number: number) {
    const kept = this.kept.get(number)
    return kept && kept.freshUntilMs > this.options.nowMs() ? kept : null
  }

  private request(number: number, file: Blob) {
    const { load, listNext, nowMs } = this.options
    const others = listNext(number).filter((other) => this.findFresh(other) === null)
    const numbers = [number, ...others].slice(0, URLS_BATCH)
    const freshUntilMs = nowMs() + (PRESIGNED_URL_TTL_S - MARGIN_S) * 1000
    const requested = { answer: load(numbers, file), freshUntilMs }
    for (const each of numbers) this.kept.set(each, requested)
    requested.answer.catch(() => {
      for (const each of numbers) if (this.kept.get(each) === requested) this.kept.delete(each)
    })
    return requested
  }
}

type UploadStage = 'presign' | 'captions' | 'part-urls' | 'part' | 'storage PUT' | 'resume' | 'complete'

type UploadErrorOptions = Partial<Pick<UploadError, 'isLost' | 'canPass' | 'retry'>>

/** The same file is refused again, however often it is sent. */
const REFUSED_CODES: ReadonlySet<string> = new Set([
  'not_a_video',
  'file_empty',
  'payload_too_large',
  'unsupported_media_type',
] satisfies ProblemCode[])

/** `message` names the stage and the status as the specification does; `detail` is the sentence for the person. */
export class UploadError extends Error {
  readonly detail: string
  /** The server has dropped what had arrived, so a retry starts from the beginning. */
  readonly isLost: boolean
  /** Whether a retry with the same bytes can succeed. */
  readonly canPass: boolean
  /** What helps, where it is not the rest of the upload or all of it again: another file, or this one as it is. */
  readonly retry: 'none' | 'anyway' | null

  constructor(message: string, detail: string, options: UploadErrorOptions = {}) {
    super(message)
    this.name = 'UploadError'
    this.detail = detail
    this.isLost = options.isLost ?? false
    this.canPass = options.canPass ?? false
    this.retry = options.retry ?? null
  }
}

const STAGE_FAILED = {
  presign: m.presign_failed_with,
  captions: m.captions_failed_with,
  'part-urls': m.part_urls_failed_with,
  part: m.part_failed_with,
  'storage PUT': m.storage_put_failed_with,
  resume: m.resume_failed_with,
  complete: m.complete_failed_with,
} satisfies Record<UploadStage, unknown>

/** What stands for a status where no answer came. */
const CAUSES: Readonly<Record<string, string>> = { network: m.cause_network(), timeout: m.cause_timeout() }

/**
 * Names the stage of a call that fails: `presign failed: 503`; where no answer came, the cause stands for the status.
 */
export async function inStage<Answer>(stage: UploadStage, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (stage === 'presign' && error.code === 'bad_answer')
      throw new UploadError(m.presign_missing_fields(), error.message)
    const isLost = stage === 'complete' && !canPass(error)
    const detail = quotaSentence(error) ?? error.message
    const retry = REFUSED_CODES.has(error.code) ? 'none' : null
    const cause = error.status || (CAUSES[error.code] ?? error.code)
    throw new UploadError(STAGE_FAILED[stage]({ cause }), detail, { isLost, retry })
  }
}

const STORAGE_SENTENCES: Record<number, string> = {
  0: m.connection_broke(),
  403: m.address_not_valid(),
  404: m.upload_ended_elsewhere(),
  412: m.address_already_used(),
  413: m.too_large_for_storage(),
}

export function storageError(status: number): UploadError {
  const detail = STORAGE_SENTENCES[status] ?? m.storage_did_not_take_file()
  const isLost = status === 404 || status === 412
  const canPass = status === 0 || status === 408 || status === 429 || status >= 500
  return new UploadError(m.storage_put_failed_with({ cause: status || m.cause_network() }), detail, { isLost, canPass })
}

/** How an upload retries; tests bring a quicker one. */
export interface Timing {
  /** Before the first retry; each later delay is twice the one before. */
  minTimeout: number
  /** Resolves at once where the browser does not know itself offline; rejects when the signal aborts. */
  whenOnline: (signal?: AbortSignal) => Promise<void>
}

export const timing: Timing = { minTimeout: 1_000, whenOnline }

function whenOnline(signal?: AbortSignal): Promise<void> {
  if (navigator.onLine) return Promise.resolve()
  return new Promise((resolve, reject) => {
    window.addEventListener('online', () => resolve(), { once: true, ...(signal && { signal }) })
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** About a minute in all: a train's tunnel, a router that restarts. Time spent offline is not counted. */
const MINUTE = { retries: 6, maxTimeout: 30_000 }

type RetryOptions = Timing & Pick<Options, 'retries' | 'randomize' | 'signal'>

/** Repeats a call that is harmless to repeat, as long as its failure is one that can pass. */
export function callWithRetry<Answer>(
  call: (attempt: number) => Promise<Answer>,
  { whenOnline, signal, ...options }: RetryOptions,
): Promise<Answer> {
  const shouldRetry: Options['shouldRetry'] = ({ error }) =>
    error instanceof UploadError ? error.canPass : canPass(error)
  const callOnline = async (attempt: number) => {
    await whenOnline(signal)
    return call(attempt)
  }
  return pRetry(callOnline, { ...MINUTE, ...options, signal, shouldRetry })
}

/** Rejects with the signal's reason when it aborts meanwhile. */
export async function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const end = AbortSignal.any([signal, AbortSignal.timeout(delayMs)])
  await new Promise((resolve) => end.addEventListener('abort', resolve, { once: true }))
  signal.throwIfAborted()
}

/** Whether an upload is held on the person's word. */
export type PauseSwitch = StoreApi<boolean>

export function makePauseSwitch(): PauseSwitch {
  return createStore(() => false)
}

/** Long enough to smooth an unsteady connection, short enough to follow one that changes. */
const WINDOW_MS = 10_000
/** Before that, any number would be a guess. */
const MIN_SPAN_MS = 1_500

interface Sample {
  atMs: number
  sentBytes: number
}

/** Bytes per second over the last ten seconds. */
export class RateMeter {
  private samples: Sample[] = []

  /** A pause, or a part that begins again, is not a speed. */
  reset(): void {
    this.samples = []
  }

  /** @returns null while there are too few samples. */
  note(sentBytes: number, atMs: number): number | null {
    const last = this.samples.at(-1)
    if (last && sentBytes < last.sentBytes) this.reset()
    this.samples.push({ atMs, sentBytes })
    while (this.samples.length > 2 && atMs - (this.samples[1]?.atMs ?? atMs) >= WINDOW_MS) this.samples.shift()
    const first = this.samples[0]
    if (!first || atMs - first.atMs < MIN_SPAN_MS) return null
    return ((sentBytes - first.sentBytes) * 1000) / (atMs - first.atMs)
  }
}
