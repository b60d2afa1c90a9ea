import { type Context, Hono } from 'hono'
import { type ReprocessAnswer, ReprocessRequest } from '#contract/module.ts'
import { findForDebug, sightOf } from '#worker/domain/debug/debug-store.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { reprocessModule } from '#worker/domain/run/reprocess-module.ts'
import { recordEditor } from '#worker/domain/version/review-store.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { getOwn, readJson, requireUser } from '#worker/http/request.ts'
import { logLine } from '#worker/log/log.ts'

/** Makes a module again, or from where it failed. */
export const reprocessRoutes = new Hono<AppEnv>().use(requireUser).post('/:moduleId', async (c) => {
  const stuck = await findStuckOfOther(c)
  const module = stuck ?? (await getOwn(c))
  // A plain client sends nothing at all, though it may say of what type.
  const hasBody = c.req.raw.body !== null && c.req.header('content-length') !== '0'
  const request = hasBody ? await readJson(c, ReprocessRequest) : {}
  const { moduleId, run } = await reprocessModule(c.var.context, module, request)
  // An operator gets the owners' own work going again.
  if (stuck === null) await recordEditor(c.var.context.d1, module.id, c.var.caller.userId)
  return c.json({ success: true, moduleId, run } satisfies ReprocessAnswer)
})

/** The module of the path for an operator, where it is another person's and stuck: operators may get it going again. */
async function findStuckOfOther(c: Context<AppEnv>): Promise<ModuleRow | null> {
  const { db, nowMs } = c.var.context
  const sight = sightOf(c.var.caller, c.env.OPERATOR_IDS)
  if (sight.scope !== 'all') return null
  const row = await findForDebug(db, sight, c.req.param('moduleId') ?? '', nowMs())
  if (row === null || row.isMine || !row.isStuck) return null
  // The line also has the operator's own id, as all lines of this call.
  logLine('warn', 'module_reprocessed_by_operator', { moduleId: row.id, ownerId: row.userId })
  return findModule(db, row.id)
}
