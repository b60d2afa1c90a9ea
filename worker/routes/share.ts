import type { Context } from 'hono'
import { Hono } from 'hono'
import type { LiveTicketAnswer } from '#contract/live.ts'
import type { ShareAnswer } from '#contract/share.ts'
import { openDb } from '#worker/db/db.ts'
import { issueLiveTicket } from '#worker/domain/live/issue-ticket.ts'
import { getSharedModule } from '#worker/domain/module/get-module.ts'
import { readShare } from '#worker/domain/share/read-share.ts'
import type { AppEnv } from '#worker/http/app-env.ts'

/** What anyone with the link may call. */
export const shareRoutes = new Hono<AppEnv>()
  .get('/:moduleId', (c) => answerShare(c, c.req.param('moduleId')))
  .post('/:moduleId/live-ticket', async (c) => {
    const module = await getSharedModule(openDb(c.env.DB), c.req.param('moduleId'))
    const answer = await issueLiveTicket(c.env.TICKET_SECRET, module.id, Date.now())
    return c.json(answer satisfies LiveTicketAnswer)
  })

/** `/share/{id}` is a page for a browser and a call for whoever asks for JSON. */
export const sharePageRoutes = new Hono<AppEnv>().get('/:moduleId', async (c) => {
  const wantsJson = /\bapplication\/json\b/.test(c.req.header('accept') ?? '')
  const answer = wantsJson ? await answerShare(c, c.req.param('moduleId')) : await servePage(c)
  answer.headers.append('vary', 'accept')
  return answer
})

async function answerShare(c: Context<AppEnv>, moduleId: string): Promise<Response> {
  const deps = { db: openDb(c.env.DB), secret: c.env.TICKET_SECRET, nowMs: Date.now() }
  return c.json((await readShare(deps, moduleId)) satisfies ShareAnswer)
}

async function servePage(c: Context<AppEnv>): Promise<Response> {
  const page = await c.env.ASSETS.fetch(new Request(new URL('/', c.req.url)))
  const headers = new Headers(page.headers)
  // A link that is its own permission should not leak through the Referer header or a search engine.
  headers.set('referrer-policy', 'no-referrer')
  headers.set('x-robots-tag', 'noindex')
  return new Response(page.body, { status: page.status, headers })
}
