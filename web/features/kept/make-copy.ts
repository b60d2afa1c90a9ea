import { KEPT_PATH, sharedVideoPath, smallVideoPath } from '#contract/share-page.ts'
import { subtract } from '#contract/time/time-ranges.ts'
import type { Cuts } from '#contract/time/visible-time.ts'
import {
  findCopy,
  type KeptCopy,
  type KeptQuality,
  type KeptVideo,
  nameCache,
  putCopy,
  sweepCaches,
  withCopy,
} from './kept-copy.ts'
import {
  askServer,
  type CopyPlan,
  KeepError,
  type LoadedPage,
  loadPage,
  type MeasuredVideo,
  planCopy,
  readShareData,
} from './plan-copy.ts'
import { findFile, PART_BYTES, partPath } from './serve-copy.ts'

export interface CopyOptions {
  /** The original where there is no small one. */
  video: KeptQuality | 'none'
  /** Does nothing where the copy was removed meanwhile. */
  isRefresh?: boolean
  signal?: AbortSignal
  /** Called with the bytes that are kept so far. */
  onProgress?: (bytes: number) => void
}

/**
 * Keeps a page with all that it needs. Where that fails or is called off, the copy from before stays, and nothing else.
 * @throws {KeepError} or the reason of the signal
 */
export async function makeCopy(plan: CopyPlan, options: CopyOptions): Promise<void> {
  const work = async () => {
    await sweepCaches(plan.path)
    const before = await findCopy(plan.path)
    if (options.isRefresh === true && before === null) return
    try {
      await putCopy(await new CopyWriter(plan, options, before).write())
    } catch (error) {
      await sweepCaches(plan.path)
      options.signal?.throwIfAborted()
      const isFull = error instanceof DOMException && error.name === 'QuotaExceededError'
      throw isFull ? new KeepError('full', { cause: error }) : error
    }
  }
  await withCopy(plan.path, work, options.signal === undefined ? {} : { signal: options.signal })
}

/** Requests of a copy at once. */
const AT_ONCE = 6
/** How often a video is resumed after its connection broke, without anything having come meanwhile. */
const RESUMES_MAX = 3

/** Writes one copy into caches of its own, with what the copy before it has already. */
class CopyWriter {
  readonly #plan: CopyPlan
  readonly #options: CopyOptions
  readonly #before: KeptCopy | null
  #sizeBytes = 0

  constructor(plan: CopyPlan, options: CopyOptions, before: KeptCopy | null) {
    this.#plan = plan
    this.#options = options
    this.#before = before
  }

  async write(): Promise<KeptCopy> {
    const { path, moduleId, title, page } = this.#plan
    const nowMs = Date.now()
    const files = nameCache(path)
    await this.#writeFiles(await caches.open(files))
    const { video: wanted } = this.#options
    const video = wanted === 'none' ? null : await this.#writeVideo(wanted)
    const etag = page.headers.get('etag') ?? ''
    const keptAtMs = this.#before?.keptAtMs ?? nowMs
    return { path, moduleId, title, files, video, etag, sizeBytes: this.#sizeBytes, keptAtMs, checkedAtMs: nowMs }
  }

  async #writeFiles(cache: Cache): Promise<void> {
    const { path, page, build, others } = this.#plan
    await this.#keep(cache, path, new Response(page.html, { headers: page.headers }))
    const old = this.#before === null ? null : await caches.open(this.#before.files)
    const isBuilt = new Set(build)
    const waiting = [...build, ...others]
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        // The name of a file of a build changes with its content.
        const cached = next.startsWith('/assets/') ? await old?.match(next) : undefined
        const answer = cached ?? (await this.#ask(next, isBuilt.has(next)))
        if (answer !== null) await this.#keep(cache, next, answer)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  /** Null for an image or a text that is not there. */
  async #ask(path: string, isNeeded: boolean): Promise<Response | null> {
    try {
      return await askServer(path, this.#signal)
    } catch (error) {
      if (error instanceof KeepError && error.reason === 'gone' && !isNeeded) return null
      // A file of the build that is missing says that a newer version was deployed meanwhile, not that the link is off.
      throw error instanceof KeepError ? new KeepError('failed', { cause: error }) : error
    }
  }

  get #signal() {
    const { signal } = this.#options
    return signal === undefined ? {} : { signal }
  }

  async #keep(cache: Cache, path: string, answer: Response): Promise<void> {
    const bytes = await answer.arrayBuffer()
    this.#options.signal?.throwIfAborted()
    const headers = new Headers(answer.headers)
    // They are of the bytes as they travelled.
    for (const name of ['content-encoding', 'content-length', 'vary']) headers.delete(name)
    await cache.put(path, new Response(bytes, { headers }))
    this.#count(bytes.byteLength)
  }

  #count(bytes: number): void {
    this.#sizeBytes += bytes
    this.#options.onProgress?.(this.#sizeBytes)
  }

  async #writeVideo(wanted: KeptQuality): Promise<KeptVideo | null> {
    const { videos, moduleId, path } = this.#plan
    const quality = videos.small === null ? 'original' : wanted
    const video = videos[quality]
    if (video === null) return null
    const original = sharedVideoPath(moduleId)
    const address = quality === 'small' ? smallVideoPath(original) : original
    const oldVideo = this.#before?.video
    // Both are of one video, and nobody has asked for the original, which may be far larger.
    const isLeft = this.#options.isRefresh === true && oldVideo?.quality === 'small' && quality === 'original'
    const isSame = oldVideo?.etag === video.etag && oldVideo.sizeBytes === video.sizeBytes
    if (oldVideo && (isLeft || isSame)) {
      this.#count(oldVideo.sizeBytes)
      return oldVideo
    }
    const cache = nameCache(path)
    const parts = new PartsWriter(await caches.open(cache), (bytes) => this.#count(bytes))
    for (let resumes = 0; parts.sizeBytes < video.sizeBytes; ) {
      const had = parts.sizeBytes
      const error = await this.#readVideo(address, video, parts).catch((reason: unknown) => reason)
      this.#options.signal?.throwIfAborted()
      if (error instanceof DOMException) throw error
      resumes = parts.sizeBytes > had ? 0 : resumes + 1
      if (resumes > RESUMES_MAX) throw new KeepError('failed', { cause: error })
    }
    return { cache, quality, ...video }
  }

  /** Reads on from what is there, until the end or until the connection breaks. */
  async #readVideo(address: string, { etag, sizeBytes }: MeasuredVideo, parts: PartsWriter) {
    parts.restart()
    const headers = { range: `bytes=${parts.sizeBytes}-` }
    const answer = await askServer(address, { ...this.#signal, headers })
    if (answer.headers.get('etag') !== etag || answer.status !== 206 || answer.body === null) {
      await answer.body?.cancel()
      throw new KeepError('failed', { cause: 'the video was replaced' })
    }
    const reader = answer.body.getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) await parts.add(read.value)
    if (parts.receivedBytes === sizeBytes) await parts.end()
  }
}

/** Cuts a stream into parts of one size. */
class PartsWriter {
  readonly #cache: Cache
  readonly #onPart: (bytes: number) => void
  #part = new Uint8Array(PART_BYTES)
  #filled = 0
  #count = 0
  /** What lies in the cache. */
  sizeBytes = 0

  constructor(cache: Cache, onPart: (bytes: number) => void) {
    this.#cache = cache
    this.#onPart = onPart
  }

  get receivedBytes(): number {
    return this.sizeBytes + this.#filled
  }

  /** What is not a whole part yet comes again with another connection. */
  restart(): void {
    this.#filled = 0
  }

  async add(bytes: Uint8Array): Promise<void> {
    for (let offset = 0; offset < bytes.length; ) {
      const piece = bytes.subarray(offset, offset + PART_BYTES - this.#filled)
      this.#part.set(piece, this.#filled)
      this.#filled += piece.length
      offset += piece.length
      if (this.#filled === PART_BYTES) await this.end()
    }
  }

  /** Writes the part that is there, the last one shorter than others. */
  async end(): Promise<void> {
    const bytes = this.#part.slice(0, this.#filled)
    this.#filled = 0
    if (bytes.length === 0) return
    await this.#cache.put(partPath(this.#count), new Response(bytes))
    this.#count += 1
    this.sizeBytes += bytes.length
    this.#onPart(bytes.length)
  }
}

/**
 * The result of comparing a copy with the server. `same` also where a deployment has changed only its files, because a
 * learner sees no difference; `unreachable` also where a small copy may lack what is shown now, and stays with its page.
 */
export type RefreshOutcome = 'same' | 'changed' | 'gone' | 'unreachable'

/**
 * Compares a copy with what the server has, and makes it again where it differs.
 * @param page as the server has just sent it; it is asked for otherwise
 */
export async function refreshCopy(copy: KeptCopy, page?: LoadedPage): Promise<RefreshOutcome> {
  try {
    const now = page ?? (await loadPage(copy.path))
    if (isSameTag(now.headers.get('etag'), copy.etag)) {
      await withCopy(copy.path, async () => {
        const stored = await findCopy(copy.path)
        if (stored?.files === copy.files) await putCopy({ ...stored, checkedAtMs: Date.now() })
      })
      return 'same'
    }
    const before = await readPageOf(copy)
    const plan = await planCopy(copy.path, now)
    const showsMore = subtract(cutsOf(before), cutsOf(now.html)).length > 0
    // Once there is a copy of all, the page comes with it.
    if (copy.video?.quality === 'small' && plan.videos.small === null && showsMore) return 'unreachable'
    await makeCopy(plan, { video: qualityOf(copy), isRefresh: true })
    return describeShown(before) === describeShown(now.html) ? 'same' : 'changed'
  } catch (error) {
    return error instanceof KeepError && error.reason === 'gone' ? 'gone' : 'unreachable'
  }
}

function qualityOf({ video }: KeptCopy): CopyOptions['video'] {
  return video === null ? 'none' : (video.quality ?? 'original')
}

/** Compression on the way makes a tag weak. */
function isSameTag(some: string | null, other: string): boolean {
  const bare = (tag: string) => tag.replace(/^W\//, '')
  return some !== null && some !== '' && bare(some) === bare(other)
}

/** Keeps the page that lists the copies, or brings it up to date. Copies open without it as well, so it may fail. */
export async function keepList(): Promise<void> {
  try {
    const copy = await findCopy(KEPT_PATH)
    if (copy !== null) await refreshCopy(copy)
    else await makeCopy(await planCopy(KEPT_PATH, await loadPage(KEPT_PATH)), { video: 'none' })
  } catch (error) {
    console.warn('The list of what is kept was not kept', error)
  }
}

/** What a person sees of a training, to be compared with another version of its page. */
function describeShown(html: string): string {
  const { title, steps, captionsUrl, posterUrl } = readShareData(html)?.module ?? {}
  return JSON.stringify([title, steps, captionsUrl, posterUrl])
}

/** What its page leaves out of the video, which is all that its small copy may lack. */
function cutsOf(html: string): Cuts {
  return readShareData(html)?.module?.cuts ?? []
}

async function readPageOf(copy: KeptCopy): Promise<string> {
  return (await (await findFile(copy, copy.path))?.text()) ?? ''
}
