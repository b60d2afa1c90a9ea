import type { Context } from 'hono'
import { Hono } from 'hono'
import { openDb } from '#worker/db/db.ts'
import { readTicket, stillOpens } from '#worker/domain/live/ticket.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { serveSource } from '#worker/domain/module/serve-source.ts'
import { servePicture } from '#worker/domain/picture/serve-picture.ts'
import type { AppEnv } from '#worker/http/app-env.ts'

/** What a page shows by address, with a ticket for it. Hono answers HEAD through GET. */
export const mediaRoutes = new Hono<AppEnv>()
  /** The video itself, with ranges. */
  .get('/:moduleId/video', async (c) => {
    const module = await findTicketed(c, 'video', c.req.param('moduleId'))
    return serveSource(c.env.MEDIA, module, c.req.raw)
  })
  .get('/:moduleId/pictures/:name', async (c) => {
    const { moduleId, name } = c.req.param()
    await findTicketed(c, 'picture', moduleId)
    return servePicture(c.env.MEDIA, { moduleId, name }, c.req.raw)
  })

async function findTicketed(c: Context<AppEnv>, kind: 'video' | 'picture', moduleId: string): Promise<ModuleRow> {
  const expected = { kind, moduleId, nowMs: Date.now() }
  const ticket = await readTicket(c.env.TICKET_SECRET, c.req.query('ticket') ?? '', expected)
  const module = ticket === null ? null : await findModule(openDb(c.env.DB), moduleId)
  if (ticket === null || module === null || !stillOpens(ticket, module)) throw moduleNotFound()
  return module
}
