import type { Context } from 'hono'
import { Hono } from 'hono'
import type { LiveTicketAnswer } from '#contract/live.ts'
import type { ShareAnswer } from '#contract/share.ts'
import { openDb } from '#worker/db/db.ts'
import { issueLiveTicket } from '#worker/domain/live/issue-ticket.ts'
import { getSharedModule } from '#worker/domain/module/get-module.ts'
import { readShare } from '#worker/domain/share/read-share.ts'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { NO_FRAMES } from '#worker/http/page-headers.ts'

/** What anyone with the link may call. */
export const shareRoutes = new Hono<AppEnv>()
  .get('/:moduleId', (c) => answerShare(c, c.req.param('moduleId')))
  .post('/:moduleId/live-ticket', async (c) => {
    const module = await getSharedModule(openDb(c.env.DB), c.req.param('moduleId'))
    // Later changes are not worth a socket to the page, which would keep a place in the room for nothing.
    if (module.status !== 'PROCESSING') throw notInProgress()
    const asked = { moduleId: module.id, role: 'viewer', caller: null, nowMs: Date.now() } as const
    const answer = await issueLiveTicket(c.env.TICKET_SECRET, asked)
    return c.json(answer satisfies LiveTicketAnswer)
  })

function notInProgress(): AppError {
  return new AppError('not_in_progress', 'This training is finished, so there is nothing to wait for.')
}

/** A module as anyone with the link sees it, as it is right now. */
export async function answerShare(c: Context<AppEnv>, moduleId: string): Promise<Response> {
  return c.json((await readShare(openDb(c.env.DB), moduleId)) satisfies ShareAnswer, 200, NO_FRAMES)
}
