import type { Context } from 'hono'
import { Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import type { VideoUrlAnswer } from '#contract/module.ts'
import { openDb } from '#worker/db/db.ts'
import { issueVideoTicket, mediaPath, videoPath } from '#worker/domain/live/issue-ticket.ts'
import { VIDEO_TICKET_TTL_MS } from '#worker/domain/live/ticket.ts'
import { getModule, getSharedModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { MEDIA_COOKIE } from '#worker/http/media-cookie.ts'
import { requireUser } from '#worker/http/require-user.ts'

/** Three addresses of one answer: two for signed-in people, and the bare one for anyone with the link. */
export const videoUrlRoutes = new Hono<AppEnv>()
  .get('/module/:moduleId', requireUser, (c) => answerSignedIn(c, c.req.param('moduleId')))
  .get('/url/:moduleId', requireUser, (c) => answerSignedIn(c, c.req.param('moduleId')))
  .get('/:moduleId', async (c) => {
    const module = await getSharedModule(openDb(c.env.DB), c.req.param('moduleId'))
    return answerUrl(c, module, { role: 'viewer', caller: null })
  })

async function answerSignedIn(c: Context<AppEnv>, moduleId: string): Promise<Response> {
  const { module, role } = await getModule(openDb(c.env.DB), c.var.caller, moduleId)
  return answerUrl(c, module, { role, caller: c.var.caller })
}

type Whose = Pick<Parameters<typeof issueVideoTicket>[1], 'role' | 'caller'>

async function answerUrl(c: Context<AppEnv>, { id, sourceEtag }: ModuleRow, whose: Whose): Promise<Response> {
  if (sourceEtag === null) throw moduleNotFound()
  const ticket = await issueVideoTicket(c.env.TICKET_SECRET, { moduleId: id, ...whose, nowMs: Date.now() })
  if (whose.caller !== null) keepTicket(c, id, ticket)
  return c.json({ success: true, url: videoPath(id, ticket) } satisfies VideoUrlAnswer)
}

/** A player keeps its address, since another one would interrupt it; the ticket beside the address is the one that is renewed. */
function keepTicket(c: Context<AppEnv>, moduleId: string, ticket: string): void {
  setCookie(c, MEDIA_COOKIE, ticket, {
    path: mediaPath(moduleId),
    maxAge: VIDEO_TICKET_TTL_MS / 1000,
    httpOnly: true,
    sameSite: 'Strict',
    secure: new URL(c.req.url).protocol === 'https:',
  })
}
