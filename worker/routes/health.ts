import { type Context, Hono } from 'hono'
import { type DebugListAnswer, DebugListRequest, type DebugTimelineAnswer, type Health } from '#contract/debug.ts'
import { findForDebug, listForDebug, listRuns, sightOf } from '#worker/domain/debug/debug-store.ts'
import { presentDebugModule, presentRun, readAiUse } from '#worker/domain/debug/present-debug.ts'
import {
  openAskedQueues,
  type PartsHealth,
  PROBE_DEADLINE_MS,
  probeContext,
} from '#worker/domain/health/probe-parts.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { readQuery, requireUser } from '#worker/http/request.ts'

/** For users who want to know the state of their modules, and for operators. */
export const debugRoutes = new Hono<AppEnv>()
  .use(requireUser)
  // No module has an id as short as this.
  .get('/modules/debug', async (c) => {
    const { db, nowMs } = c.var.context
    const sight = readSight(c)
    const rows = await listForDebug(db, sight, { ...readQuery(c, DebugListRequest), nowMs: nowMs() })
    const modules = rows.map((row) => presentDebugModule(row, sight.scope))
    return c.json({ success: true, scope: sight.scope, modules } satisfies DebugListAnswer)
  })
  .get('/modules/:moduleId', async (c) => {
    const { db, nowMs } = c.var.context
    const moduleId = c.req.param('moduleId')
    const sight = readSight(c)
    const row = await findForDebug(db, sight, moduleId, nowMs())
    if (row === null) throw moduleNotFound()
    const runs = (await listRuns(db, moduleId)).map(presentRun)
    return c.json({ success: true, module: presentDebugModule(row, sight.scope), runs } satisfies DebugTimelineAnswer)
  })
  .get('/usage', async (c) => {
    return c.json(await readAiUse(c.var.context, readSight(c)))
  })

function readSight(c: Context<AppEnv>) {
  return sightOf(c.var.caller, c.env.OPERATOR_IDS)
}

/**
 * Browsers time their connection by this response, so it returns the results of a recent probe instead of waiting for a
 * new one.
 */
const FRESH_MS = 10_000
/** Results up to this old are still returned, once, while the parts are probed, so that no visitor waits for that. */
const STALE_MS = 60_000

/** `GET /api/health`: how every part is, for operators, and for browsers that time their connection by it. */
export function createHealthRoutes(): Hono<AppEnv> {
  const readParts = openProbes()
  let startedMs: number | null = null
  return new Hono<AppEnv>().get('/', async (c) => {
    const nowMs = c.var.context.nowMs()
    // Not at module level: the clock stands still there.
    startedMs ??= nowMs
    const parts = await readParts(c, nowMs)
    const isUp = parts.d1 === 'ok'
    const { speech } = c.var.context.services
    const health: Health = {
      success: isUp,
      postgres: parts.d1,
      s3: parts.r2,
      qstash: parts.queues,
      ...parts,
      speechPreparation: (await speech.findPreparation?.(AbortSignal.timeout(PROBE_DEADLINE_MS))) ?? null,
      environment: c.env.ENVIRONMENT,
      uptime: Math.round((nowMs - startedMs) / 1000),
      version: c.env.RELEASE.tag || c.env.RELEASE.id,
      release: c.env.RELEASE.id,
    }
    return c.json(health, isUp ? 200 : 503, { 'cache-control': 'no-store' })
  })
}

/** Reads the results of the latest probe; parts that were fine a moment ago are probed again after the response. */
function openProbes(): (c: Context<AppEnv>, nowMs: number) => Promise<PartsHealth> {
  let last: { atMs: number; parts: PartsHealth } | null = null
  async function ask({ env, var: { context } }: Context<AppEnv>, nowMs: number): Promise<PartsHealth> {
    const parts = await probeContext(context, openAskedQueues(env), nowMs)
    last = { atMs: nowMs, parts }
    return parts
  }
  return async (c, nowMs) => {
    const ageMs = last === null ? Number.POSITIVE_INFINITY : nowMs - last.atMs
    if (last !== null && ageMs <= FRESH_MS) return last.parts
    if (last === null || ageMs > STALE_MS || last.parts.d1 !== 'ok') return ask(c, nowMs)
    // The old results count as fresh while the probe runs, so that other calls do not start another one.
    last = { atMs: nowMs, parts: last.parts }
    c.executionCtx.waitUntil(ask(c, nowMs))
    return last.parts
  }
}
