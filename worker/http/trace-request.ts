import type { Context, MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import { isModuleId } from '#worker/domain/module/module-id.ts'
import { currentTrace, logLine, type Trace, withTrace } from '#worker/log/log.ts'
import type { AppEnv } from './app-env.ts'

/** In answers, and on the way to this worker's other parts; what a visitor sends under this name is not read. */
export const REQUEST_ID_HEADER = 'x-request-id'

/** What Cloudflare calls a request; anything longer or stranger was not made there. */
const RAY = /^[\w-]{1,40}$/

interface Tracing {
  /** `request`: of a visitor. `origin`: of the edge's cache, which has asked because it had nothing. */
  event: 'request' | 'origin'
  /** Gives a request its id: made by this worker's own entry, or by the caller that made one before it. */
  idOf: (request: Request) => string
}

/** Gives a request its id and, when its answer is ready, writes its one line. First of all middleware. */
export function traceRequest({ event, idOf }: Tracing): MiddlewareHandler<AppEnv> {
  return createMiddleware<AppEnv>(async (c, next) => {
    const startedMs = Date.now()
    const requestId = idOf(c.req.raw)
    const trace: Trace = { requestId }
    c.set('requestId', requestId)
    await withTrace(trace, next)
    // A socket's answer has no headers of its own, and what the edge keeps is for other requests, too.
    if (event === 'request' && c.res.status !== 101) c.header(REQUEST_ID_HEADER, requestId)
    withTrace(trace, () => writeLine(event, c, Date.now() - startedMs))
  })
}

function writeLine(event: Tracing['event'], c: Context<AppEnv>, durationMs: number): void {
  const { status } = c.res
  const ray = c.req.header('cf-ray') ?? ''
  const { moduleId = c.req.param('moduleId') ?? '' } = currentTrace()
  logLine(levelOf(status, c.var.fault?.code), event, {
    outcome: status < 400 ? 'done' : status < 500 ? 'refused' : 'failed',
    ...c.var.fault,
    method: c.req.method,
    route: routeOf(c),
    status,
    durationMs,
    // Whatever else stands in an address is not ours to keep.
    ...(isModuleId(moduleId) ? { moduleId } : {}),
    ...(RAY.test(ray) ? { ray } : {}),
  })
}

function levelOf(status: number, code: string | undefined) {
  if (code === 'internal') return 'error'
  return status >= 500 ? 'warn' : 'info'
}

/** The handler that answered, or was kept from it by a middleware; never the address itself, which may hold a ticket. */
function routeOf(c: Context<AppEnv>): string {
  const rest = matchedRoutes(c).slice(c.req.routeIndex)
  return rest.find(({ method }) => method !== 'ALL')?.path ?? 'none'
}
