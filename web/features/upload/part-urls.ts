import { PRESIGNED_URL_TTL_S } from '#contract/limits.ts'
import { type PartUrlsRequest, UrlsAnswer } from '#contract/upload.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import { callWithRetry } from './call-with-retry.ts'
import type { Timing } from './wait.ts'

/** Few calls, and few enough addresses that most are used before they expire on a slow connection. */
const BATCH = 20
/** Room for a clock that is a little off and for the request's own way. */
const MARGIN_S = 60

interface KeptUrl {
  url: string
  freshUntilMs: number
}

interface PartUrlsOptions {
  moduleId: string
  partCount: number
  callApi: CallApi
  timing: Timing
  /** Ends with the upload, not with one part: parts that begin together share a call. */
  signal: AbortSignal
  /** Parts that no longer need an address. */
  hasArrived: (part: number) => boolean
  nowMs?: () => number
}

/** Addresses of the parts of one upload: fetched several at once, kept until they expire. */
export class PartUrls {
  private readonly kept = new Map<number, KeptUrl>()
  private pending: Promise<void> | null = null
  private readonly options: Required<PartUrlsOptions>

  constructor(options: PartUrlsOptions) {
    this.options = { nowMs: Date.now, ...options }
  }

  async get(part: number): Promise<string> {
    for (;;) {
      const kept = this.kept.get(part)
      if (kept && kept.freshUntilMs > this.options.nowMs()) return kept.url
      this.pending ??= this.load(part).finally(() => {
        this.pending = null
      })
      await this.pending
    }
  }

  /** The storage no longer takes this one. */
  forget(part: number): void {
    this.kept.delete(part)
  }

  private async load(first: number): Promise<void> {
    const { moduleId, callApi, nowMs, timing, signal } = this.options
    const body: PartUrlsRequest = { parts: this.listNext(first) }
    const freshUntilMs = nowMs() + (PRESIGNED_URL_TTL_S - MARGIN_S) * 1000
    const path = `/api/upload/${encodeURIComponent(moduleId)}/part-urls`
    const call = () => callApi({ path, method: 'POST', body, schema: UrlsAnswer, signal })
    const { urls } = await callWithRetry(call, timing, signal)
    for (const { number: part, url } of urls) this.kept.set(part, { url, freshUntilMs })
  }

  private listNext(first: number): number[] {
    const { partCount, hasArrived, nowMs } = this.options
    const parts: number[] = []
    for (let part = first; part <= partCount && parts.length < BATCH; part += 1) {
      const isKept = (this.kept.get(part)?.freshUntilMs ?? 0) > nowMs()
      if (part === first || (!isKept && !hasArrived(part))) parts.push(part)
    }
    return parts
  }
}
