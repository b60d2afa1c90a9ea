import { Hono } from 'hono'
import { openDb } from '#worker/db/db.ts'
import { WATCHER_HEADER, type Watcher } from '#worker/domain/live/room-places.ts'
import { readTicket, stillOpens, type Ticket } from '#worker/domain/live/ticket.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { listOrigins } from '#worker/http/origins.ts'
import { REQUEST_ID_HEADER } from '#worker/http/trace-request.ts'

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
