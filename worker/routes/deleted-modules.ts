import { Hono } from 'hono'
import type { DeletedListAnswer } from '#contract/deleted-module.ts'
import type { Done } from '#contract/module.ts'
import { openDb } from '#worker/db/db.ts'
import { restoreModule } from '#worker/domain/lifecycle/restore-module.ts'
import { listRestorable } from '#worker/domain/module/deleted-store.ts'
import { presentDeleted } from '#worker/domain/module/present-deleted.ts'
import { openRunDeps } from '#worker/domain/run/run-deps.ts'
import { forgetShareNow } from '#worker/domain/share/forget-share.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { forgetDepsOf } from '#worker/http/forget-deps.ts'
import { requireUser } from '#worker/http/require-user.ts'

export const deletedModuleRoutes = new Hono<AppEnv>()
  // No module has an id as short as this.
  .get('/deleted', requireUser, async (c) => {
    const rows = await listRestorable(openDb(c.env.DB), c.var.caller, Date.now())
    return c.json({ success: true, modules: rows.map(presentDeleted) } satisfies DeletedListAnswer)
  })
  .post('/:moduleId/restore', requireUser, async (c) => {
    const moduleId = c.req.param('moduleId')
    await restoreModule(openRunDeps(c.env), c.var.caller, moduleId)
    // The edge may have kept that there is nothing at its link.
    await forgetShareNow(forgetDepsOf(c), moduleId)
    return c.json({ success: true } satisfies Done)
  })
