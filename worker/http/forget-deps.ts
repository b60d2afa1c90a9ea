import type { Context } from 'hono'
import type { ForgetDeps } from '#worker/domain/share/forget-share.ts'
import type { AppEnv } from './app-env.ts'
import { shareEdgeOf } from './share-edge.ts'

/** What making the edge forget a module can reach. */
export function forgetDepsOf(c: Context<AppEnv>): ForgetDeps {
  return { edge: shareEdgeOf(c.executionCtx), purges: c.env.PURGE_QUEUE }
}
