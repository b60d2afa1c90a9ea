import { Hono } from 'hono'
import type { Done } from '#contract/module.ts'
import type { OpenedListAnswer } from '#contract/opened-module.ts'
import { openDb } from '#worker/db/db.ts'
import { issuePosterUrl } from '#worker/domain/live/issue-ticket.ts'
import { getModule } from '#worker/domain/module/get-module.ts'
import { deleteOpened, listOpened, recordOpened } from '#worker/domain/opened/opened-store.ts'
import { presentOpened } from '#worker/domain/opened/present-opened.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { requireUser } from '#worker/http/require-user.ts'

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
