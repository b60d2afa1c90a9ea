import { type Context, Hono } from 'hono'
import { type EraseAnswer, EraseRequest } from '#contract/account.ts'
import { type FeedbackAnswer, type FeedbackStatsAnswer, SubmitFeedback, SubmitImprovement } from '#contract/feedback.ts'
import type { Done, OpenedListAnswer } from '#contract/module.ts'
import { openDb } from '#worker/db/db.ts'
import { eraseAccount } from '#worker/domain/account/erase-account.ts'
import { exportAccount } from '#worker/domain/account/export-account.ts'
import { rate, readFeedbackStats, suggest } from '#worker/domain/feedback/feedback.ts'
import { issuePosterUrl } from '#worker/domain/live/ticket.ts'
import { getModule } from '#worker/domain/module/get-module.ts'
import { deleteOpened, listOpened, presentOpened, recordOpened } from '#worker/domain/opened/opened-store.ts'
import { openRunDeps } from '#worker/domain/run/run-deps.ts'
import { forgetSharesNow } from '#worker/domain/share/forget-share.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { quotaDepsOf } from '#worker/http/limits.ts'
import { readJson, requireUser } from '#worker/http/request.ts'
import { forgetDepsOf } from '#worker/http/share-edge.ts'

/** Trainings of others that the caller opened; `GET /api/modules` stays what a person owns. */
export const openedModuleRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/', async (c) => {
    const { caller } = c.var
    const rows = await listOpened(openDb(c.env.DB), caller)
    const asked = { caller, role: 'viewer', nowMs: Date.now() } as const
    const modules = await Promise.all(
      rows.map(async (row) => presentOpened(row, await issuePosterUrl(c.env.TICKET_SECRET, { ...asked, module: row }))),
    )
    return c.json({ success: true, modules } satisfies OpenedListAnswer)
  })
  .put('/:moduleId', async (c) => {
    const db = openDb(c.env.DB)
    const { caller } = c.var
    const { module, role } = await getModule(db, caller, c.req.param('moduleId'))
    // Owners find their modules in their own list.
    if (role === 'viewer') await recordOpened(db, { userId: caller.userId, moduleId: module.id, openedAt: Date.now() })
    return c.json({ success: true } satisfies Done)
  })
  .delete('/:moduleId', async (c) => {
    await deleteOpened(openDb(c.env.DB), c.var.caller.userId, c.req.param('moduleId'))
    return c.json({ success: true } satisfies Done)
  })

export const feedbackRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .post('/submit', async (c) => {
    const rating = await readJson(c, SubmitFeedback)
    await rate(openDeps(c), c.var.caller, rating)
    return c.json({ success: true, message: 'Thank you for your feedback!' } satisfies FeedbackAnswer)
  })
  .post('/improvement', async (c) => {
    const suggestion = await readJson(c, SubmitImprovement)
    await suggest(openDeps(c), c.var.caller, suggestion)
    const message = "Thank you for your feedback! We'll use it to improve this training."
    return c.json({ success: true, message } satisfies FeedbackAnswer)
  })
  .get('/stats', async (c) => {
    return c.json((await readFeedbackStats(c.env.DB, c.var.caller)) satisfies FeedbackStatsAnswer)
  })

function openDeps(c: Context<AppEnv>) {
  return { ...quotaDepsOf(c), db: openDb(c.env.DB) }
}

/** What is kept of the caller. Their sign-in belongs to Clerk, whose own page removes it. */
export const accountRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/export', (c) => {
    const { origin } = new URL(c.req.url)
    const deps = {
      db: openDb(c.env.DB),
      d1: c.env.DB,
      secret: c.env.TICKET_SECRET,
      origin,
      nowMs: Date.now(),
    }
    return c.body(exportAccount(deps, c.var.caller.userId), 200, {
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="adapt-data.json"',
    })
  })
  .delete('/', async (c) => {
    await readJson(c, EraseRequest)
    const { isDone, modulesLeft, removedByMs } = await eraseAccount(openRunDeps(c.env), c.var.caller.userId, (ids) =>
      forgetSharesNow(forgetDepsOf(c), ids),
    )
    const removedBy = new Date(removedByMs).toISOString()
    return c.json({ success: true, isDone, modulesLeft, removedBy } satisfies EraseAnswer)
  })
