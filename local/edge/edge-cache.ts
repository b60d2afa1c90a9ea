import { createSharePage } from '#worker/create-worker.ts'

/** How long the edge may keep an answer; null for not at all. Only whole answers can be kept. */
function parseFreshness(answer: Response): { freshMs: number; staleMs: number } | null {
  const control = answer.headers.get('cloudflare-cdn-cache-control') ?? answer.headers.get('cache-control') ?? ''
  if (answer.status !== 200 || /\b(no-store|no-cache|private)\b/.test(control)) return null
  const [freshMs, staleMs] = [readMs(control, 'max-age'), readMs(control, 'stale-while-revalidate')]
  return freshMs === 0 ? null : { freshMs, staleMs }
}

function readMs(control: string, name: string): number {
  return Number(new RegExp(`\\b${name}=(\\d+)`).exec(control)?.[1] ?? 0) * 1000
}

/** Answers a request from an entry: the whole body, or the requested range. */
function sliceAnswer(
  request: Request,
  { headers: entryHeaders, body }: { headers: Headers; body: Uint8Array<ArrayBuffer> },
  status: 'HIT' | 'MISS' | 'STALE',
): Response {
  const headers = new Headers(entryHeaders)
  headers.set('cf-cache-status', status)
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '') ?? []
  if (first === undefined || last === undefined) return new Response(body, { headers })
  const part = body.subarray(Number(first), Number(last) + 1)
  headers.set('content-range', `bytes ${first}-${Number(first) + part.byteLength - 1}/${body.byteLength}`)
  headers.set('content-length', String(part.byteLength))
  return new Response(part, { status: 206, headers })
}

/** Everything together. The oldest goes first. */
const ALL_MAX_BYTES = 128 * 1024 * 1024

interface EdgeEntry {
  headers: Headers
  body: Uint8Array<ArrayBuffer>
  tags: readonly string[]
  freshUntilMs: number
  staleUntilMs: number
}

/** Larger responses are not cached, because a developer's machine has less memory than a data centre. */
const OBJECT_MAX_BYTES = 16 * 1024 * 1024
/** A request that waits for another's answer looks for itself after this long: the other may have been cut off. */
const WAIT_MAX_MS = 10_000

export interface EdgeRequest {
  request: Request
  /** Runs the worker behind the cache. It never sees a range. */
  origin: (request: Request) => Promise<Response>
  waitUntil: (work: Promise<unknown>) => void
}

/**
 * Stands in for Cloudflare's cache of an entrypoint, which does not run on one machine: keeps answers by path for as
 * long as they say, gives out stale ones while it asks again, lets one request run where many come at once, cuts ranges
 * out of what it has, and forgets by tag.
 */
export class EdgeCacheStandIn {
  readonly #nowMs: () => number
  readonly #entries = new Map<string, EdgeEntry>()
  readonly #runs = new Map<string, Promise<void>>()
  #purges = 0

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  async purge(tags: readonly string[]): Promise<void> {
    this.#purges += 1
    for (const [path, entry] of this.#entries)
      if (entry.tags.some((tag) => tags.includes(tag))) this.#entries.delete(path)
  }

  /** Finds an entry that may still be served. */
  #find(path: string): EdgeEntry | null {
    const entry = this.#entries.get(path)
    return entry === undefined || this.#nowMs() >= entry.staleUntilMs ? null : entry
  }

  #keep(path: string, entry: EdgeEntry): void {
    this.#entries.delete(path)
    this.#entries.set(path, entry)
    let bytes = [...this.#entries.values()].reduce((sum, { body }) => sum + body.byteLength, 0)
    for (const [oldest, { body }] of this.#entries) {
      if (bytes <= ALL_MAX_BYTES) return
      bytes -= body.byteLength
      this.#entries.delete(oldest)
    }
  }

  async answer(call: EdgeRequest): Promise<Response> {
    const { request, origin } = call
    const path = new URL(request.url).pathname
    const entry = this.#find(path)
    const running = this.#runs.get(path)
    if (entry !== null) {
      if (this.#nowMs() < entry.freshUntilMs) return sliceAnswer(request, entry, 'HIT')
      if (running === undefined) this.#begin(path, call).catch(noop)
      return sliceAnswer(request, entry, 'STALE')
    }
    if (running === undefined) {
      const made = await this.#begin(path, call)
      return made instanceof Response ? made : sliceAnswer(request, made, 'MISS')
    }
    await Promise.race([running, new Promise((resolve) => setTimeout(resolve, WAIT_MAX_MS))])
    const filled = this.#find(path)
    return filled === null
      ? withStatus(await origin(withoutRange(request)), 'DYNAMIC')
      : sliceAnswer(request, filled, 'HIT')
  }

  /** Starts a run of the origin that other callers can wait for; only this caller gets its failure. */
  #begin(path: string, call: EdgeRequest): Promise<EdgeEntry | Response> {
    const running = this.#run(path, call)
    const settled = running.then(noop, noop).then(() => {
      if (this.#runs.get(path) === settled) this.#runs.delete(path)
    })
    this.#runs.set(path, settled)
    call.waitUntil(settled)
    return running
  }

  /** Asks the origin. @returns what was kept of its answer, or the answer itself where it may not be kept */
  async #run(path: string, { request, origin }: EdgeRequest): Promise<EdgeEntry | Response> {
    const purgesBefore = this.#purges
    const answered = await origin(withoutRange(request))
    const life = parseFreshness(answered)
    const isLarge = Number(answered.headers.get('content-length') ?? 0) > OBJECT_MAX_BYTES
    if (life === null || isLarge) {
      this.#entries.delete(path)
      return withStatus(answered, life === null ? 'DYNAMIC' : 'BYPASS')
    }
    const body = new Uint8Array(await answered.arrayBuffer())
    // A response that was read before a purge may be outdated, so it is not stored.
    if (this.#purges !== purgesBefore) return withStatus(new Response(body, answered), 'DYNAMIC')
    const { headers } = answered
    const tags = (headers.get('cache-tag') ?? '').split(',').map((tag) => tag.trim())
    const freshUntilMs = this.#nowMs() + life.freshMs
    const entry = { headers, body, tags, freshUntilMs, staleUntilMs: freshUntilMs + life.staleMs }
    this.#keep(path, entry)
    return entry
  }
}

function noop(): void {}

function withStatus(answer: Response, status: string): Response {
  const headers = new Headers(answer.headers)
  headers.set('cf-cache-status', status)
  return new Response(answer.body, { status: answer.status, headers })
}

function withoutRange(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.delete('range')
  return new Request(request.url, { headers })
}

/**
 * The product's own entrypoint, behind the stand-in of the cache that Cloudflare puts before it.
 * @param noteRun called whenever the worker behind the cache runs
 */
export function createEdgedSharePage(edge: EdgeCacheStandIn, noteRun: () => void = () => {}) {
  return class SharePage extends createSharePage(() => edge) {
    override fetch(request: Request): Promise<Response> {
      const origin = (originRequest: Request) => {
        noteRun()
        return super.fetch(originRequest)
      }
      return edge.answer({ request, origin, waitUntil: (work) => this.ctx.waitUntil(work) })
    }
  }
}
