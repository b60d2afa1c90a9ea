import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { AppError } from '#worker/core/errors.ts'
import type { AppEnv } from './app-env.ts'
import { answerProblem } from './problem.ts'
import { askEdge, withoutEdgeHeaders } from './share-edge.ts'
import { builtPage, chooseInterface, VARIES } from './visitor-language.ts'

/** Whether a request reads an address and would be shown a page: it takes HTML, and does not ask for JSON. */
function acceptsPage({ req }: Context<AppEnv>): boolean {
  const accepted = req.header('accept') ?? ''
  return isRead(req.method) && /\btext\/html\b|^\*\/\*$/.test(accepted) && !/\bapplication\/json\b/.test(accepted)
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Fixed addresses that end with a slash, which no visitor has typed after an id. */
const FOLDERS: ReadonlySet<string> = new Set(['', '/share', '/embed'])

/** Sends a pasted address with a slash at its end to the one without. The API has no such addresses. */
export const redirectSlash = createMiddleware<AppEnv>(async (c, next) => {
  const url = new URL(c.req.url)
  let end = url.pathname.length
  while (url.pathname[end - 1] === '/') end -= 1
  const path = url.pathname.slice(0, end)
  const isOwn = path.length < url.pathname.length && !FOLDERS.has(path) && !path.startsWith('/api')
  if (!isRead(c.req.method) || !isOwn) return next()
  url.pathname = path
  // The address is absolute, because browsers read a path that begins with two slashes as another site.
  return c.redirect(url.href, 301)
})

/** Shows people what is missing below `/share` and `/embed` as a page in their language; programs get JSON. */
export function showMissing(look: 'share' | 'embed') {
  return createMiddleware<AppEnv>(async (c, next) => {
    await next()
    if (c.res.status !== 404 || !acceptsPage(c)) return
    await c.res.body?.cancel()
    // The page of an id that no module has, which is read from no database.
    const page = await askEdge(c.executionCtx, `/${look}/-/${chooseInterface(c)}`)
    const headers = withoutEdgeHeaders(page.headers)
    headers.append('vary', `accept, ${VARIES}`)
    // Without this, Hono copies the headers of the answer before it.
    c.res = undefined
    c.res = new Response(page.body, { status: 404, headers })
  })
}

/** Answers an address that no route has: with a file of the site, or else the landing page to people, JSON to programs. */
export async function answerUnknown(c: Context<AppEnv>): Promise<Response> {
  const { pathname } = new URL(c.req.url)
  const isOfSite = isRead(c.req.method) && !/^\/(?:api|share|embed)(?:\/|$)/.test(pathname)
  if (isOfSite) {
    const file = await c.env.ASSETS.fetch(c.req.raw)
    const isPage = (file.headers.get('content-type') ?? '').startsWith('text/html')
    if (!isPage && (file.ok || file.status === 304)) return file
    await file.body?.cancel()
    if (acceptsPage(c)) return showPage(c, '/')
  }
  return answerProblem(new AppError('not_found', 'There is nothing at this address.'), c)
}

/** Shows a page of the build in its visitor's language. @param path that English has it under */
export async function showPage(c: Context<AppEnv>, path: string): Promise<Response> {
  const url = new URL(c.req.url)
  url.pathname = builtPage(path, chooseInterface(c))
  const page = await c.env.ASSETS.fetch(new Request(url, c.req.raw))
  const headers = new Headers(page.headers)
  headers.append('vary', VARIES)
  return new Response(page.body, { status: page.status, headers })
}
