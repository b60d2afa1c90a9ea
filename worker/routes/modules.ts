import { type Context, Hono } from 'hono'
import { IMAGE_MAX_BYTES, ImageName } from '#contract/image.ts'
import { MODULES_PAGE_DEFAULT, MODULES_PAGE_MAX } from '#contract/limits.ts'
import type { LiveTicketAnswer } from '#contract/live.ts'
import {
  type DeletedListAnswer,
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
import { saveImage } from '#worker/domain/image/image.ts'
import { deleteModule, restoreModule, takeOver } from '#worker/domain/lifecycle/module-lifecycle.ts'
import { WATCHER_HEADER, type Watcher } from '#worker/domain/live/publish.ts'
import { issueLiveTicket, issuePosterUrl, readTicket, stillOpens, type Ticket } from '#worker/domain/live/ticket.ts'
import { listRestorable, presentDeleted } from '#worker/domain/module/deleted-store.ts'
import { getModule, getOwnModule, mayDelete, moduleNotFound } from '#worker/domain/module/get-module.ts'
import { listPage, type ModuleCardRow, presentModule, selectAtWork } from '#worker/domain/module/module-list-store.ts'
import { findModule, listModules, updateModule } from '#worker/domain/module/module-store.ts'
import { openRunDeps } from '#worker/domain/run/run-deps.ts'
import { forgetShareNow, forgetShareSoon } from '#worker/domain/share/forget-share.ts'
import { presentStep } from '#worker/domain/step/read-steps.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { listOrigins } from '#worker/http/headers.ts'
import { readBytes, readJson, readParam, readQuery, requireUser } from '#worker/http/request.ts'
import { forgetDepsOf } from '#worker/http/share-edge.ts'
import { REQUEST_ID_HEADER } from '#worker/http/trace-request.ts'

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

/** `GET /api/modules/{id}/live?ticket=…&cursor=…`: the module's socket. The ticket is the permission. */
export const liveRoutes = new Hono<AppEnv>().get('/:moduleId/live', async (c) => {
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
    throw new AppError('upgrade_required', 'Open this address as a WebSocket.')
  }
  const origin = c.req.header('origin')
  const moduleId = c.req.param('moduleId')
  const expected = { kind: 'live', moduleId, nowMs: Date.now() } as const
  const ticket = await readTicket(c.env.TICKET_SECRET, c.req.query('ticket') ?? '', expected)
  const isOurs = origin === undefined || listOrigins(c.env).includes(origin)
  if (ticket === null || !isOurs) throw new AppError('unauthenticated', 'This live ticket is not valid any more.')
  const headers = new Headers(c.req.raw.headers)
  headers.set(REQUEST_ID_HEADER, c.var.requestId)
  headers.set(WATCHER_HEADER, watcherOf(ticket))
  const room = c.env.MODULE_ROOM.get(c.env.MODULE_ROOM.idFromName(moduleId))
  const answer = await room.fetch(new Request(c.req.raw, { headers }))
  try {
    // The ticket outlives the module and its sharing. Checked once the socket is open: a later end closes the socket.
    const module = await findModule(openDb(c.env.DB), moduleId)
    if (module === null || !stillOpens(ticket, module)) throw moduleNotFound()
    if (ticket.userId === null && module.status !== 'PROCESSING') throw moduleNotFound()
    return answer
  } catch (error) {
    hangUp(answer.webSocket)
    throw error
  }
})

function watcherOf({ role, userId }: Ticket): Watcher {
  if (userId === null) return 'anyone'
  return role
}

function hangUp(socket: WebSocket | null): void {
  socket?.accept()
  socket?.close()
}

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
