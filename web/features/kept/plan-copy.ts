import {
  inLanguage,
  SHARE_DATA_ID,
  SHARED_FILES,
  type SharePageData,
  sharedFilePath,
  sharedVideoPath,
  smallVideoPath,
} from '#contract/share-page.ts'
import type { KeptQuality, KeptVideo } from './kept-copy.ts'

/** Why a page could not be kept: the storage is full, the link leads nowhere any more, or the network failed. */
export class KeepError extends Error {
  readonly reason: 'full' | 'gone' | 'failed'

  constructor(reason: KeepError['reason'], options?: ErrorOptions) {
    // not-shown: for developers.
    super(`The page was not kept: ${reason}`, options)
    this.reason = reason
  }
}

/** A page of Adapt as the server has just sent it. */
export interface LoadedPage {
  html: string
  headers: Headers
  /** 200; 403 where the link needs a password, 404 or 410 where it leads nowhere any more. */
  status: number
}

/** A file of the build, and its size. */
type BuiltFile = readonly [path: string, sizeBytes: number]

export type MeasuredVideo = Omit<KeptVideo, 'cache' | 'quality'>

/** What there is to keep of a page, and how much it is. */
export interface CopyPlan {
  page: LoadedPage
  path: string
  moduleId: string
  title: string
  /** Paths of the files of the build that wrote the page: without one of them it may not work. */
  build: string[]
  /** Paths of everything else but the video. */
  others: string[]
  /** By their quality; null where there is none. */
  videos: Readonly<Record<KeptQuality, MeasuredVideo | null>>
  /** Of the original; null where it is not known. */
  videoCodec: string | null
  /** Without the video; of many images some are measured. */
  sizeBytes: number
}

/** Whether an answer says that a link opens nothing, at least not without its password. */
const isClosed = (status: number) => [403, 404, 410].includes(status)

/**
 * Asks the server, never a copy: the service worker leaves such requests alone.
 * @throws {KeepError} failed
 */
async function fetchFresh(path: string, init: RequestInit): Promise<Response> {
  return fetch(path, { ...init, cache: 'no-store', credentials: 'same-origin' }).catch((cause: unknown) => {
    init.signal?.throwIfAborted()
    throw new KeepError('failed', { cause })
  })
}

/**
 * Asks the server for a file of a page.
 * @throws {KeepError} gone, failed
 */
export async function askServer(path: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetchFresh(path, init)
  if (answer.ok) return answer
  throw new KeepError(isClosed(answer.status) ? 'gone' : 'failed', { cause: `${path} answered ${answer.status}` })
}

/**
 * Asks for what belongs to a page that is there: a part that is not was replaced meanwhile, as by a deployment.
 * @throws {KeepError} failed
 */
export async function askPart(path: string, init: RequestInit = {}): Promise<Response> {
  return askServer(path, init).catch((error: unknown) => {
    throw error instanceof KeepError ? new KeepError('failed', { cause: error }) : error
  })
}

/**
 * Asks the server for a page.
 * @throws {KeepError} gone, failed
 */
export async function loadPage(path: string): Promise<LoadedPage> {
  const page = await readPage(await fetchFresh(path, { headers: { accept: 'text/html' } }))
  if (page === null) throw new KeepError('failed', { cause: `${path} is no page of Adapt` })
  if (isClosed(page.status)) throw new KeepError('gone')
  return page
}

/**
 * Null for a failure, and for what is not of Adapt, such as the sign-in page of a network: neither says anything of the
 * link.
 */
export async function readPage(answer: Response): Promise<LoadedPage | null> {
  const { status, headers } = answer
  const html = await answer.text()
  const isPage = isClosed(status) ? readShareData(html)?.status === status : answer.ok && readListPath(html) !== null
  return isPage ? { html, headers, status } : null
}

/**
 * Finds out what is to be kept of a page.
 * @throws {KeepError} gone, failed
 */
export async function planCopy(path: string, page: LoadedPage): Promise<CopyPlan> {
  const { html } = page
  const listPath = readListPath(html)
  if (listPath === null) throw new KeepError('failed', { cause: `${path} names no files` })
  const listed = (await (await askPart(listPath)).json()) as BuiltFile[]
  const data = readShareData(html)
  const module = data?.module ?? null
  const others = data === null ? [] : listSharedPaths(data)
  const videoPath = module?.hasVideo ? sharedVideoPath(module.id) : null
  const original = videoPath === null ? null : await measureVideo(videoPath)
  const small = videoPath !== null && module?.smallCopy ? await measureSmall(smallVideoPath(videoPath)) : null
  const buildBytes = listed.reduce((sum, [, sizeBytes]) => sum + sizeBytes, html.length)
  return {
    page,
    path,
    others,
    videos: { original, small },
    videoCodec: module?.videoCodec ?? null,
    moduleId: module?.id ?? '',
    title: module?.title ?? '',
    build: listed.map(([file]) => file),
    sizeBytes: buildBytes + (await estimateImages(others)),
  }
}

/** What a share page brings along; null for a page that is none. */
export function readShareData(html: string): SharePageData | null {
  const begin = `<script type="application/json" id="${SHARE_DATA_ID}">`
  const [, after = ''] = html.split(begin, 2)
  const end = after.indexOf('</script>')
  return end === -1 ? null : (JSON.parse(after.slice(0, end)) as SharePageData)
}

const LIST = /<html[^<>]* data-files="([^"<>]+)"/

/** Path of the list of all files of the build that wrote a page; null for a page of another site. */
export function readListPath(html: string): string | null {
  return LIST.exec(html)?.[1] ?? null
}

/** Paths of everything else that a share page shows or links to, but its video. */
export function listSharedPaths({ module }: SharePageData): string[] {
  if (module === null) return []
  const base = `/share/${encodeURIComponent(module.id)}/`
  const files = SHARED_FILES.filter((name) => module.captionsUrl !== null || !name.startsWith('captions'))
  const language = module.translation?.language ?? null
  const linked = files.map((name) => sharedFilePath(module.id, name, language))
  return [...new Set([...findPaths(module, base), ...linked, `${base}print${inLanguage(language)}`])]
}

/** The paths in a value that begin like this, whatever fields they stand in; several where a text lists images by width. */
function findPaths(value: unknown, beginning: string): string[] {
  if (typeof value === 'string') return value.split(/,?\s+/).filter((text) => text.startsWith(beginning))
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap((each) => findPaths(each, beginning))
}

/** Null where it has gone since the page was written: a failure says nothing of it. */
async function measureSmall(path: string): Promise<MeasuredVideo | null> {
  try {
    return await measureVideo(path, askServer)
  } catch (error) {
    if (error instanceof KeepError && error.reason === 'gone') return null
    throw error
  }
}

async function measureVideo(path: string, ask = askPart): Promise<MeasuredVideo> {
  const { headers } = await ask(path, { method: 'HEAD' })
  const sizeBytes = Number(headers.get('content-length'))
  if (!(sizeBytes > 0)) throw new KeepError('failed', { cause: 'the video has no length' })
  return { sizeBytes, etag: headers.get('etag') ?? '', type: headers.get('content-type') ?? 'video/mp4' }
}

/** Some images say what all of them have: hundreds are not asked for one by one. */
const MEASURED_IMAGES = 6

async function estimateImages(paths: readonly string[]): Promise<number> {
  const images = paths.filter((path) => path.includes('/images/'))
  const sizes = await Promise.all(images.slice(0, MEASURED_IMAGES).map(measureImage))
  const sum = sizes.reduce((bytes, each) => bytes + each, 0)
  return sizes.length === 0 ? 0 : Math.round((sum / sizes.length) * images.length)
}

async function measureImage(path: string): Promise<number> {
  // One that is not made yet has no size.
  const answer = await askServer(path, { method: 'HEAD' }).catch(() => null)
  return Number(answer?.headers.get('content-length') ?? 0)
}
