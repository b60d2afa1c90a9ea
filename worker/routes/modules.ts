import { Hono } from 'hono'
import type { LiveTicketAnswer } from '#contract/live.ts'
import { type Done, type ModuleAnswer, type ModuleListAnswer, ModulePatch } from '#contract/module.ts'
import { openDb } from '#worker/db/db.ts'
import { issueLiveTicket } from '#worker/domain/live/issue-ticket.ts'
import { deleteModule } from '#worker/domain/module/delete-module.ts'
import { getModule, getOwnModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import { listModules, updateModule } from '#worker/domain/module/module-store.ts'
import { presentModule } from '#worker/domain/module/present-module.ts'
import { openRunDeps } from '#worker/domain/run/run-deps.ts'
import { presentStep } from '#worker/domain/step/present-step.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { readJson } from '#worker/http/read-body.ts'
import { requireUser } from '#worker/http/require-user.ts'

export const moduleRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/', async (c) => {
    const rows = await listModules(openDb(c.env.DB), c.var.caller)
    const modules = rows.map((row) => presentModule(row, 'owner'))
    return c.json({ success: true, modules } satisfies ModuleListAnswer)
  })
  .get('/:moduleId', async (c) => {
    const db = openDb(c.env.DB)
    const { module, role } = await getModule(db, c.var.caller, c.req.param('moduleId'))
    const steps = (await listSteps(db, module.id)).map((row) => presentStep(row, role))
    return c.json({ success: true, module: { ...presentModule(module, role), steps } } satisfies ModuleAnswer)
  })
  .patch('/:moduleId', async (c) => {
    const db = openDb(c.env.DB)
    const patch = await readJson(c, ModulePatch)
    const module = await getOwnModule(db, c.var.caller, c.req.param('moduleId'))
    await updateModule(db, module.id, patch)
    if (patch.shared === false) await endWatching(c.env, module.id)
    return c.json({ success: true } satisfies Done)
  })
  .delete('/:moduleId', async (c) => {
    const deleted = await deleteModule(openRunDeps(c.env), c.var.caller, c.req.param('moduleId'))
    if (!deleted) throw moduleNotFound()
    await endWatching(c.env, c.req.param('moduleId'))
    return c.json({ success: true } satisfies Done)
  })
  .post('/:moduleId/live-ticket', async (c) => {
    const { module } = await getModule(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))
    const answer = await issueLiveTicket(c.env.TICKET_SECRET, module.id, Date.now())
    return c.json(answer satisfies LiveTicketAnswer)
  })

async function endWatching(env: Env, moduleId: string): Promise<void> {
  await env.MODULE_ROOM.get(env.MODULE_ROOM.idFromName(moduleId)).endWatching()
}
