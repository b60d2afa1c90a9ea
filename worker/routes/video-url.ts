import type { Context } from 'hono'
import { Hono } from 'hono'
import type { ModuleRole, VideoUrlAnswer } from '#contract/module.ts'
import { openDb } from '#worker/db/db.ts'
import { issueVideoUrl } from '#worker/domain/live/issue-ticket.ts'
import { getModule, getSharedModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { requireUser } from '#worker/http/require-user.ts'

/** Three addresses of one answer: two for signed-in people, and the bare one for anyone with the link. */
export const videoUrlRoutes = new Hono<AppEnv>()
  .get('/module/:moduleId', requireUser, (c) => answerSignedIn(c, c.req.param('moduleId')))
  .get('/url/:moduleId', requireUser, (c) => answerSignedIn(c, c.req.param('moduleId')))
  .get('/:moduleId', async (c) =>
    answerUrl(c, await getSharedModule(openDb(c.env.DB), c.req.param('moduleId')), 'viewer'),
  )

async function answerSignedIn(c: Context<AppEnv>, moduleId: string): Promise<Response> {
  const { module, role } = await getModule(openDb(c.env.DB), c.var.caller, moduleId)
  return answerUrl(c, module, role)
}

async function answerUrl(c: Context<AppEnv>, module: ModuleRow, role: ModuleRole): Promise<Response> {
  if (module.sourceEtag === null) throw moduleNotFound()
  const url = await issueVideoUrl(c.env.TICKET_SECRET, { moduleId: module.id, role, nowMs: Date.now() })
  return c.json({ success: true, url } satisfies VideoUrlAnswer)
}
