import type { Problem } from '#contract/problem.ts'
import { KEPT_PATH, OWN_PATH } from '#contract/share-page.ts'
import { findCopy, formatAge, type KeptCopy, removeCopy, withCopy } from './features/kept/kept-copy.ts'
import { refreshCopy } from './features/kept/make-copy.ts'
import { type LoadedPage, readPage } from './features/kept/plan-copy.ts'
import {
  answerVideo,
  type CopyState,
  dressPage,
  findFile,
  languageOfPage,
  openCopy,
  textOfPage,
} from './features/kept/serve-copy.ts'

/** As the Service Workers specification has it; the DOM's types know only pages. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface RequestEvent extends WorkerEvent {
  request: Request
  respondWith(answer: Promise<Response>): void
}
export interface WorkerScope {
  location: Location
  registration: ServiceWorkerRegistration
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void
}

const worker = self as unknown as WorkerScope

// It keeps nothing of its own: a newer version serves the copies that an older one has made.
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
// The page that has just been kept can lose its network as well.
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  // What a copy is made of comes from the server alone.
  if (url.origin !== worker.location.origin || request.cache === 'no-store') return
  if (request.method !== 'GET' && request.method !== 'HEAD') return
  const answer = findAnswer(event, url)
  if (answer !== null) event.respondWith(answer)
})

/** Null for what is none of its business: the app, sign-in, and most of the API. */
function findAnswer(event: RequestEvent, { pathname }: URL): Promise<Response> | null {
  const { request } = event
  if (pathname.startsWith('/assets/')) return answerBuilt(request)
  const [, place, id, file, rest] = pathname.split('/')
  if (place === 'share' && id !== undefined) return answerOfPage(event, { path: `/share/${id}`, file })
  if (pathname === KEPT_PATH) return answerOfPage(event, { path: pathname })
  if (pathname === OWN_PATH && request.mode === 'navigate') return openOwn(request)
  if (place === 'api') return id === 'share' && file !== undefined && rest === undefined ? askLink(event, file) : null
  return request.mode === 'navigate' ? null : answerBuilt(request)
}

/** What the server says of a link that opens nothing, at least not without its password. */
const CLOSED = [403, 404, 410]
const CLOSED_CODES = ['link_locked', 'not_found', 'link_ended', 'link_replaced']

/** A page that is open asks by itself whether its link is still there: where it is not, the copy goes with it. */
async function askLink(event: RequestEvent, id: string): Promise<Response> {
  const answer = await fetch(event.request)
  if (!CLOSED.includes(answer.status)) return answer
  // A network that blocks all requests answers 404 as well.
  const problem = (await answer
    .clone()
    .json()
    .catch(() => null)) as Partial<Problem> | null
  if (CLOSED_CODES.includes(problem?.code ?? '')) event.waitUntil(remove(`/share/${id}`))
  return answer
}

async function remove(path: string): Promise<void> {
  if ((await findCopy(path)) !== null) await withCopy(path, () => removeCopy(path))
}

/** A file of the build. Its name changes with its content, so that a copy's is as good as the server's. */
async function answerBuilt(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/assets/')) return (await caches.match(request.url, { ignoreVary: true })) ?? fetch(request)
  return fetch(request).catch(async (error: unknown) => {
    const cached = await caches.match(pathname)
    if (cached === undefined) throw error
    return cached
  })
}

async function answerOfPage(event: RequestEvent, { path, file }: { path: string; file?: string | undefined }) {
  const { request } = event
  const copy = await findCopy(path)
  const isPage = file === undefined && request.mode === 'navigate'
  if (copy === null) return isPage ? openOther(request) : fetch(request)
  if (file === 'video' && copy.video !== null) return answerVideo(copy.video, request)
  if (isPage) return openPage(event, copy)
  const { pathname, search } = new URL(request.url)
  const loading = fetch(request)
  const answer = await answerInTime(loading)
  return (isGood(answer) ? answer : await findFile(copy, pathname + search)) ?? answer ?? loading
}

/** Everybody's own page keeps itself up to date (web/features/kept/keep-loaded-page.ts), and says whose it is and of when. */
async function openOwn(request: Request): Promise<Response> {
  const loading = fetch(request)
  const answer = await answerInTime(loading)
  if (answer !== null && isGood(answer)) return answer
  const copy = await findCopy(OWN_PATH)
  const page = copy === null ? undefined : await openCopy(copy, () => '')
  return page ?? answer ?? loading
}

/** A page that is not kept: without a network the list says so, and has what is kept. */
async function openOther(request: Request): Promise<Response> {
  return fetch(request).catch(async (error: unknown) => {
    const list = await findCopy(KEPT_PATH)
    const page = list === null ? undefined : await openCopy(list, () => '')
    if (page === undefined) throw error
    return page
  })
}

/** How long a person waits for the network, once there is a copy. */
const WAIT_MS = 4_000

/** Null where the network fails, or does not answer in time. */
function answerInTime(answer: Promise<Response>): Promise<Response | null> {
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), WAIT_MS))
  return Promise.race([answer.catch(() => null), late])
}

/** What the server does not say itself, as while it is restarted, the copy knows better. */
const isGood = (answer: Response | null) => answer !== null && answer.status < 500

/** A page that is kept: the server's where it answers, or else the copy, which says so. */
async function openPage(event: RequestEvent, copy: KeptCopy): Promise<Response> {
  const loading = fetch(event.request)
  const answer = await answerInTime(loading)
  if (answer?.type === 'opaqueredirect') return answer
  const page = answer === null ? null : await readPage(answer.clone())
  if (page === null) return (await openCopy(copy, (html) => describeCopy(copy, html))) ?? answer ?? loading
  if (page.status === 403) {
    // Another password than the one that this device had, which it asks for.
    event.waitUntil(remove(copy.path))
    return dress(page, { kind: 'kept' })
  }
  if (page.status === 404 || page.status === 410) {
    event.waitUntil(remove(copy.path))
    return dress(page, { kind: 'gone', text: textOfPage(page.html, 'gone') })
  }
  // On the way from a collection or in another language, the page is not the one that was kept.
  const { searchParams } = new URL(event.request.url)
  const isOther = searchParams.has('collection') || searchParams.has('lang')
  event.waitUntil(isOther ? refreshCopy(copy) : refreshCopy(copy, page))
  return dress(page, { kind: 'kept' })
}

/** One script serves copies in all languages, so what it says is in them. */
function describeCopy({ moduleId, video, checkedAtMs }: KeptCopy, html: string): string {
  const tag = languageOfPage(html)
  const age = formatAge(checkedAtMs, Date.now(), { tag, now: textOfPage(html, 'now') })
  const since = `${age} (${new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }).format(checkedAtMs)})`
  const text = textOfPage(html, 'copy').replace('{since}', () => since)
  return video === null && moduleId !== '' ? `${text} ${textOfPage(html, 'without')}` : text
}

function dress({ html, status, headers }: LoadedPage, state: CopyState): Response {
  const bare = new Headers(headers)
  // They are of the bytes as they travelled.
  for (const name of ['content-encoding', 'content-length']) bare.delete(name)
  return new Response(dressPage(html, state), { status, headers: bare })
}
