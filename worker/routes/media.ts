import { Hono } from 'hono'
import { openDb } from '#worker/db/db.ts'
import { readTicket } from '#worker/domain/live/ticket.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { serveSource } from '#worker/domain/module/serve-source.ts'
import type { AppEnv } from '#worker/http/app-env.ts'

/** `GET|HEAD /media/{id}/video?ticket=…`: the video itself, with ranges. Hono answers HEAD through GET. */
export const mediaRoutes = new Hono<AppEnv>().get('/:moduleId/video', async (c) => {
  const moduleId = c.req.param('moduleId')
  const expected = { kind: 'video', moduleId, nowMs: Date.now() } as const
  const ticket = await readTicket(c.env.TICKET_SECRET, c.req.query('ticket') ?? '', expected)
  const module = ticket === null ? null : await findModule(openDb(c.env.DB), moduleId)
  // The ticket outlives the switch "Anyone with the link can view".
  if (module === null || !(module.shared || ticket?.role === 'owner')) throw moduleNotFound()
  return serveSource(c.env.MEDIA, module, c.req.raw)
})
