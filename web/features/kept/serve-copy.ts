import type { KeptCopy, KeptVideo } from './kept-copy.ts'

/** A range is put together of parts of this size, of which one at a time is in memory. */
export const PART_BYTES = 512 * 1024

/** Where a part of the video lies in its cache. */
export function partPath(index: number): string {
  return `/part/${index}`
}

/** From a byte to a byte, both included. */
export interface KeptRange {
  from: number
  to: number
}

/**
 * Reads a range of bytes (RFC 9110 §14.1.2). Null where there is none, or several, or one of another unit: then the
 * whole is answered.
 */
export function readRange(header: string | null, sizeBytes: number): KeptRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return null
  const from = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const to = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  return from > to ? 'unsatisfiable' : { from, to }
}

/** Answers a request for a video, or for a range of it, out of its parts. */
export async function answerVideo(video: KeptVideo, request: Request): Promise<Response> {
  const { sizeBytes, type, etag } = video
  const range = readRange(request.headers.get('range'), sizeBytes)
  const headers = new Headers({ 'content-type': type, etag, 'accept-ranges': 'bytes', 'cache-control': 'no-store' })
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${sizeBytes}`)
    return new Response(null, { status: 416, headers })
  }
  const { from, to } = range ?? { from: 0, to: sizeBytes - 1 }
  headers.set('content-length', String(to - from + 1))
  if (range !== null) headers.set('content-range', `bytes ${from}-${to}/${sizeBytes}`)
  const body = request.method === 'HEAD' ? null : streamParts(await caches.open(video.cache), { from, to })
  return new Response(body, { status: range === null ? 200 : 206, headers })
}

function streamParts(cache: Cache, { from, to }: KeptRange): ReadableStream<Uint8Array> {
  let offset = from
  return new ReadableStream(
    {
      async pull(controller) {
        const index = Math.floor(offset / PART_BYTES)
        const part = await cache.match(partPath(index))
        // not-shown: for developers.
        if (part === undefined) return controller.error(new Error('The copy was removed while it played.'))
        const bytes = new Uint8Array(await part.arrayBuffer())
        const begin = offset - index * PART_BYTES
        const piece = bytes.subarray(begin, begin + to - offset + 1)
        offset += piece.length
        controller.enqueue(piece)
        if (offset > to) controller.close()
      },
    },
    // A player that waits reads nothing ahead.
    { highWaterMark: 0 },
  )
}

/** What a copy has for a path, also where the address has other parameters than the stored one; undefined for nothing. */
export async function findFile(copy: KeptCopy, path: string): Promise<Response | undefined> {
  const cache = await caches.open(copy.files)
  return (await cache.match(path)) ?? cache.match(path, { ignoreSearch: true })
}

/** What a page says of its copy. */
export interface CopyState {
  /** `kept`: the page came from the network; `copy`: from the device; `gone`: the copy went with the link. */
  kind: 'kept' | 'copy' | 'gone'
  /** Of its notice. */
  text?: string
}

/** The script of a page's build that watches over its copy (web/app/share/keep-training.tsx). */
const WATCHER = /^\/assets\/keep-training-[\w-]+\.js$/

/** Adds to a page what it says of its copy. A page without the places for it stays as it is. */
export function dressPage(html: string, { kind, text = '' }: CopyState): string {
  return html.replace('<html ', `<html data-kept="${kind}" `).replace('<!--kept-text-->', () => text)
}

/** A text that a page brings along for its notice, in its own language; empty where it brings none. */
export function textOfPage(html: string, name: 'copy' | 'without' | 'gone' | 'now'): string {
  return findBetween(html, ` data-text-${name}="`)
}

/** The language that a page says it is in. */
export function languageOfPage(html: string): string {
  return findBetween(html.slice(html.indexOf('<html')), ' lang="') || 'en'
}

/** The value of the first attribute that begins so. */
function findBetween(html: string, begin: string): string {
  const start = html.indexOf(begin)
  return start === -1 ? '' : html.slice(start + begin.length, html.indexOf('"', start + begin.length))
}

/**
 * The copy's page, with the script that looks after it once the network is back.
 * @param describe makes the text of its notice, as HTML, from the page
 */
export async function openCopy(copy: KeptCopy, describe: (html: string) => string): Promise<Response | undefined> {
  const page = await findFile(copy, copy.path)
  if (page === undefined) return undefined
  // The list of copies looks after itself, also where it stands in for a page that is not kept.
  const files = copy.moduleId === '' ? [] : await (await caches.open(copy.files)).keys()
  const watcher = files.map(({ url }) => new URL(url).pathname).find((path) => WATCHER.test(path))
  const tag = watcher === undefined ? '' : `<script type="module" src="${watcher}"></script>`
  const written = await page.text()
  const html = dressPage(written, { kind: 'copy', text: describe(written) }).replace('</body>', () => `${tag}</body>`)
  return new Response(html, { headers: page.headers })
}
