import type { Context, MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import { isModuleId } from '#worker/domain/module/module-id.ts'
import { currentTrace, logLine, SAMPLED_ONE_IN, type Trace, withTrace } from '#worker/log/log.ts'
import type { AppEnv } from './app-env.ts'

/** In answers, and on the way to this worker's other parts; what a visitor sends under this name is not read. */
export const REQUEST_ID_HEADER = 'x-request-id'

/** What Cloudflare calls a request; anything longer or stranger was not made there. */
const RAY = /^[\w-]{1,40}$/

/**
 * The most frequent calls, which are all alike: a player requests dozens of ranges of one video, and a page reports
 * progress all the time.
 */
const SAMPLED: ReadonlySet<string> = new Set([
  'GET /share/:moduleId/video',
  'GET /media/:moduleId/video',
  'POST /api/learning-metrics',
])
/** A sampled call that took this long always gets its own line. */
const SLOW_MS = 1_000

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

/**
 * Returns how many calls the line of this one stands for: many if it is sampled, otherwise one.
 * @returns null where another call of the sample has the line
 */
function weightOf(requestId: string, call: { name: string; status: number; durationMs: number }): number | null {
  if (!SAMPLED.has(call.name) || call.status >= 400 || call.durationMs >= SLOW_MS) return 1
  // The id is random, so its first digits are as good as dice, and each line of a request is kept or left out alike.
  return Number.parseInt(requestId.slice(0, 8), 16) % SAMPLED_ONE_IN === 0 ? SAMPLED_ONE_IN : null
}

function writeLine(event: Tracing['event'], c: Context<AppEnv>, durationMs: number): void {
  const { status } = c.res
  const route = routeOf(c)
  const requestId = currentTrace().requestId ?? ''
  const weight = event === 'origin' ? 1 : weightOf(requestId, { name: `${c.req.method} ${route}`, status, durationMs })
  if (weight === null) return
  const ray = c.req.header('cf-ray') ?? ''
  const colo = c.req.raw.cf?.['colo']
  const { moduleId = c.req.param('moduleId') ?? '' } = currentTrace()
  logLine(levelOf(status, c.var.fault?.code), event, {
    outcome: status < 400 ? 'done' : status < 500 ? 'refused' : 'failed',
    ...c.var.fault,
    method: c.req.method,
    route,
    status,
    durationMs,
    ...(weight > 1 && { oneIn: weight }),
    // Other parts of an address may be private, so they are not logged.
    ...(isModuleId(moduleId) ? { moduleId } : {}),
    ...(RAY.test(ray) ? { ray } : {}),
    ...(typeof colo === 'string' && { colo }),
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
