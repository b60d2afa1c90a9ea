import { type Context, Hono } from 'hono'
import { type AiUseAnswer, type DebugListAnswer, DebugListRequest, type DebugTimelineAnswer } from '#contract/debug.ts'
import { sightOf } from '#worker/domain/debug/debug-scope.ts'
import { findForDebug, listForDebug, listRuns } from '#worker/domain/debug/debug-store.ts'
import { presentDebugModule, presentRun } from '#worker/domain/debug/present-debug.ts'
import { readAiUse } from '#worker/domain/debug/read-ai-use.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { readQuery } from '#worker/http/read-query.ts'
import { requireUser } from '#worker/http/require-user.ts'

/** For users who want to know the state of their modules, and for operators. */
export const debugRoutes = new Hono<AppEnv>()
  .use(requireUser)
  // No module has an id as short as this.
  .get('/modules/debug', async (c) => {
    const request = readQuery(c, DebugListRequest)
    const sight = readSight(c)
    const rows = await listForDebug(c.env.DB, sight, { ...request, nowMs: Date.now() })
    return c.json({
      success: true,
      scope: sight.scope,
      modules: rows.map(presentDebugModule),
    } satisfies DebugListAnswer)
  })
  .get('/modules/:moduleId', async (c) => {
    const moduleId = c.req.param('moduleId')
    const row = await findForDebug(c.env.DB, readSight(c), moduleId, Date.now())
    if (row === null) throw moduleNotFound()
    const runs = (await listRuns(c.env.DB, moduleId)).map(presentRun)
    return c.json({ success: true, module: presentDebugModule(row), runs } satisfies DebugTimelineAnswer)
  })
  .get('/usage', async (c) => c.json((await readAiUse(c.env.DB, readSight(c), Date.now())) satisfies AiUseAnswer))

function readSight(c: Context<AppEnv>) {
  return sightOf(c.var.caller, c.env.OPERATOR_IDS)
}
