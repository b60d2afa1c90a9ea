import { type Context, Hono } from 'hono'
import { IMAGE_MAX_BYTES, ImageName } from '#contract/image.ts'
import { MODULES_PAGE_DEFAULT, MODULES_PAGE_MAX } from '#contract/limits.ts'
import type { LiveTicketAnswer } from '#contract/live.ts'
import {
  type Done,
  type Module,
  type ModuleAnswer,
  type ModuleListAnswer,
  ModuleListRequest,
  type ModulePageAnswer,
  ModulePatch,
  type ModuleRole,
} from '#contract/module.ts'
import { openDb } from '#worker/db/db.ts'
import { saveImage } from '#worker/domain/image/save-image.ts'
import { deleteModule } from '#worker/domain/lifecycle/delete-module.ts'
import { takeOver } from '#worker/domain/lifecycle/take-over.ts'
import { issueLiveTicket, issuePosterUrl } from '#worker/domain/live/issue-ticket.ts'
import { getModule, getOwnModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import { listPage } from '#worker/domain/module/list-page.ts'
import { mayDelete } from '#worker/domain/module/module-access.ts'
import { type ModuleCardRow, selectAtWork } from '#worker/domain/module/module-list-store.ts'
import { listModules, updateModule } from '#worker/domain/module/module-store.ts'
import { presentModule } from '#worker/domain/module/present-module.ts'
import { openRunDeps } from '#worker/domain/run/run-deps.ts'
import { forgetShareNow, forgetShareSoon } from '#worker/domain/share/forget-share.ts'
import { presentStep } from '#worker/domain/step/present-step.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { forgetDepsOf } from '#worker/http/forget-deps.ts'
import { readBytes, readJson } from '#worker/http/read-body.ts'
import { readParam } from '#worker/http/read-param.ts'
import { readQuery } from '#worker/http/read-query.ts'
import { requireUser } from '#worker/http/require-user.ts'

export const moduleRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/', async (c) => {
    const db = openDb(c.env.DB)
    const request = readQuery(c, ModuleListRequest)
    if (Object.keys(request).length === 0) {
      const modules = await presentAll(c, await listModules(db, c.var.caller))
      return c.json({ success: true, modules } satisfies ModuleListAnswer)
    }
    const page = await listPage(db, c.var.caller, { limit: MODULES_PAGE_DEFAULT, search: '', ...request })
    const modules = await presentAll(c, page.rows)
    return c.json({ success: true, modules, nextCursor: page.nextCursor } satisfies ModulePageAnswer)
  })
  // No module has an id as short as this.
  .get('/processing', async (c) => {
    const rows = await selectAtWork(openDb(c.env.DB), c.var.caller, MODULES_PAGE_MAX)
    return c.json({ success: true, modules: await presentAll(c, rows) } satisfies ModuleListAnswer)
  })
  .get('/:moduleId', async (c) => {
    const db = openDb(c.env.DB)
    const { module, role } = await getModule(db, c.var.caller, c.req.param('moduleId'))
    const steps = (await listSteps(db, module.id)).map((row) => presentStep(row, role))
    const settings = role === 'owner' ? module : { language: null, glossary: null }
    return c.json({
      success: true,
      module: {
        ...(await present(c, module, role)),
        steps,
        language: settings.language,
        glossary: settings.glossary,
      },
    } satisfies ModuleAnswer)
  })
  .patch('/:moduleId', async (c) => {
    const db = openDb(c.env.DB)
    const patch = await readJson(c, ModulePatch)
    const module = await getOwnModule(db, c.var.caller, c.req.param('moduleId'))
    const change = patch.glossary === '' ? { ...patch, glossary: null } : patch
    if (Object.keys(change).length > 0) await updateModule(db, module.id, change)
    if (patch.shared === false) {
      await forgetShareNow(forgetDepsOf(c), module.id)
      await endWatching(c.env, module.id)
    } else if (patch.title !== undefined) await forgetShareSoon(forgetDepsOf(c), module.id)
    return c.json({ success: true } satisfies Done)
  })
  .delete('/:moduleId', async (c) => {
    const deleted = await deleteModule(openRunDeps(c.env), c.var.caller, c.req.param('moduleId'))
    if (!deleted) throw moduleNotFound()
    await forgetShareNow(forgetDepsOf(c), c.req.param('moduleId'))
    await endWatching(c.env, c.req.param('moduleId'))
    return c.json({ success: true } satisfies Done)
  })
  .post('/:moduleId/take-over', async (c) => {
    await takeOver(openRunDeps(c.env), c.var.caller, c.req.param('moduleId'))
    await endWatching(c.env, c.req.param('moduleId'))
    return c.json({ success: true } satisfies Done)
  })
  .put('/:moduleId/images/:name', async (c) => {
    const db = openDb(c.env.DB)
    const name = readParam(c, 'name', ImageName)
    const module = await getOwnModule(db, c.var.caller, c.req.param('moduleId'))
    const bytes = await readBytes(c, IMAGE_MAX_BYTES)
    const answer = await saveImage({ db, bucket: c.env.MEDIA }, module, { name, bytes })
    if (name === 'poster') await forgetShareSoon(forgetDepsOf(c), module.id)
    return c.json(answer)
  })
  .post('/:moduleId/live-ticket', async (c) => {
    const { module, role } = await getModule(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))
    const asked = { moduleId: module.id, role, caller: c.var.caller, nowMs: Date.now() }
    const answer = await issueLiveTicket(c.env.TICKET_SECRET, asked)
    return c.json(answer satisfies LiveTicketAnswer)
  })

function presentAll(c: Context<AppEnv>, rows: ModuleCardRow[]): Promise<Module[]> {
  return Promise.all(rows.map((row) => present(c, row, 'owner')))
}

async function present({ env, var: { caller } }: Context<AppEnv>, module: ModuleCardRow, role: ModuleRole) {
  const posterUrl = await issuePosterUrl(env.TICKET_SECRET, { module, role, caller, nowMs: Date.now() })
  return presentModule(module, role, { posterUrl, mayDelete: mayDelete(caller, module) })
}

async function endWatching(env: Env, moduleId: string): Promise<void> {
  await env.MODULE_ROOM.get(env.MODULE_ROOM.idFromName(moduleId)).endWatching()
}
