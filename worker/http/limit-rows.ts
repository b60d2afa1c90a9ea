import type { Context, Hono } from 'hono'
import { countWritten } from '#worker/db/count-written.ts'
import { reserveRows } from '#worker/domain/quota/reserve-rows.ts'
import type { AppEnv } from './app-env.ts'
import { quotaDepsOf } from './quota-deps.ts'
import { ROWS_MAX } from './row-limits.ts'

/** Notes for `requireUser` how many rows a call may write. */
export function mountRowLimits(app: Hono<AppEnv>): void {
  for (const [route, rows] of Object.entries(ROWS_MAX)) {
    const [method = '', path = ''] = route.split(' ')
    app.on(method, path, async (c, next) => {
      c.set('rowsMax', rows)
      await next()
    })
  }
}

/**
 * Reserves the rows that a call may write, and refunds what it has not written.
 * @throws {AppError} quota_reached; nothing has been written then
 */
export async function withinRows(c: Context<AppEnv>, userId: string, work: () => Promise<void>): Promise<void> {
  const { rowsMax } = c.var
  const deps = quotaDepsOf(c)
  if (rowsMax === undefined || deps.quotas.rows === null) return work()
  const reservation = await reserveRows(deps, userId, rowsMax)
  const { d1, rowsWritten } = countWritten(c.env.DB)
  c.env = { ...c.env, DB: d1 }
  const done = work()
  const settled = done.catch(() => undefined).then(() => reservation.settle(rowsWritten()))
  // Held from the beginning: the runtime ends what a caller who has gone leaves behind, and the rows would stay reserved.
  c.executionCtx.waitUntil(settled)
  await done
}
