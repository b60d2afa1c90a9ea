import type { Context } from 'hono'
import { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { openDb } from '#worker/db/db.ts'
import { serveImage } from '#worker/domain/image/serve-image.ts'
import { readTicket, stillOpens, type Ticket } from '#worker/domain/live/ticket.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { serveSource } from '#worker/domain/module/serve-source.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { MEDIA_COOKIE } from '#worker/http/media-cookie.ts'

/** What a page shows by address, with a ticket for it. Hono answers HEAD through GET. */
export const mediaRoutes = new Hono<AppEnv>()
  /** The video itself, with ranges. */
  .get('/:moduleId/video', async (c) => {
    const module = await findTicketed(c, 'video', c.req.param('moduleId'))
    return serveSource(c.env.MEDIA, module, c.req.raw)
  })
  .get('/:moduleId/images/:name', async (c) => {
    const { moduleId, name } = c.req.param()
    await findTicketed(c, 'image', moduleId)
    return serveImage(c.env.MEDIA, { moduleId, name }, c.req.raw)
  })

async function findTicketed(c: Context<AppEnv>, kind: 'video' | 'image', moduleId: string): Promise<ModuleRow> {
  const ticket = await findTicket(c, kind, moduleId)
  const module = ticket === null ? null : await findModule(openDb(c.env.DB), moduleId)
  if (ticket === null || module === null || !stillOpens(ticket, module)) throw moduleNotFound()
  return module
}

/** The ticket of the address or, once that has expired, the one that the page has renewed meanwhile. */
async function findTicket(c: Context<AppEnv>, kind: 'video' | 'image', moduleId: string): Promise<Ticket | null> {
  const expected = { moduleId, nowMs: Date.now() }
  const { TICKET_SECRET } = c.env
  const ofAddress = await readTicket(TICKET_SECRET, c.req.query('ticket') ?? '', { ...expected, kind })
  return ofAddress ?? readTicket(TICKET_SECRET, getCookie(c, MEDIA_COOKIE) ?? '', { ...expected, kind: 'video' })
}
