import { Hono } from 'hono'
import { type EraseAnswer, EraseRequest } from '#contract/account.ts'
import { openDb } from '#worker/db/db.ts'
import { eraseAccount } from '#worker/domain/account/erase-account.ts'
import { exportAccount } from '#worker/domain/account/export-account.ts'
import { openRunDeps } from '#worker/domain/run/run-deps.ts'
import { forgetSharesNow } from '#worker/domain/share/forget-share.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { forgetDepsOf } from '#worker/http/forget-deps.ts'
import { readJson } from '#worker/http/read-body.ts'
import { requireUser } from '#worker/http/require-user.ts'

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
