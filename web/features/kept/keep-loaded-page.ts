import { KEPT_WORKER_PATH } from '#contract/share-page.ts'
import { canKeep, findCopy, KEPT_SCOPES } from './kept-copy.ts'
import { keepList, makeCopy } from './make-copy.ts'
import { askServer } from './plan-copy.ts'

/** The files of a page that it has loaded from here: its scripts, styles, fonts and icons. */
function listLoaded(): string[] {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name, window.location.origin))
  const own = loaded.filter(({ origin }) => origin === window.location.origin).map(({ pathname }) => pathname)
  return [...new Set(own.filter((path) => path.startsWith('/assets/') || path === '/theme.js'))]
}

/** The files of the build that a page names. */
const NAMED = /(?:src|href)="(\/assets\/[^"]+)"/g

/**
 * Keeps the page that is open as it was loaded, so that it opens without a network. What it shows of a person is not in
 * it: pages keep that themselves. Trainings that it leads to say then whether they are kept.
 */
export async function keepLoadedPage(path: string): Promise<void> {
  if (!canKeep()) return
  try {
    const answer = await askServer(path, { headers: { accept: 'text/html' } })
    const [html, build] = [await answer.text(), listLoaded()]
    // Of a version that was deployed since this page was opened; the next visit keeps it.
    if ([...html.matchAll(NAMED)].some(([, file = '']) => !build.includes(file))) return
    const etag = answer.headers.get('etag') ?? ''
    if (etag === '' || (await findCopy(path))?.etag !== etag) {
      const page = { html, headers: answer.headers, status: answer.status }
      const none = { moduleId: '', title: '', others: [], videos: { original: null, small: null }, videoCodec: null }
      await makeCopy({ ...none, page, path, build, sizeBytes: html.length }, { video: 'none' })
    }
    const scopes = [path, ...KEPT_SCOPES]
    await Promise.all(scopes.map((scope) => navigator.serviceWorker.register(KEPT_WORKER_PATH, { scope })))
    await keepList()
  } catch (error) {
    // The page works without; the next visit tries again.
    console.warn('The page was not kept', error)
  }
}
