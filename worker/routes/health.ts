import { Hono } from 'hono'
import type { Health } from '#contract/health.ts'
import type { AppEnv } from '#worker/http/app-env.ts'

/** The answer times the visitor's connection, so it comes from probes of the last few seconds. */
const PROBE_TTL_MS = 10_000
const VERSION = '1'

let lastProbe: { atMs: number; status: Record<'d1' | 'r2' | 'durableObjects', string> } | null = null
let startedMs: number | null = null

export const healthRoutes = new Hono<AppEnv>().get('/', async (c) => {
  const nowMs = Date.now()
  // Not at module level: the clock stands still there.
  startedMs ??= nowMs
  if (lastProbe === null || nowMs - lastProbe.atMs > PROBE_TTL_MS) {
    lastProbe = { atMs: nowMs, status: await probe(c.env) }
  }
  const { d1, r2, durableObjects } = lastProbe.status
  const queues = 'ok'
  const isUp = d1 === 'ok'
  const health: Health = {
    success: isUp,
    postgres: d1,
    s3: r2,
    qstash: queues,
    d1,
    r2,
    queues,
    durableObjects,
    ai: c.var.services.speech.name,
    environment: new URL(c.req.url).hostname,
    uptime: Math.round((nowMs - startedMs) / 1000),
    version: VERSION,
  }
  return c.json(health, isUp ? 200 : 503)
})

async function probe(env: Env): Promise<NonNullable<typeof lastProbe>['status']> {
  const [d1, r2, durableObjects] = await Promise.all([
    ask(() => env.DB.prepare('SELECT 1').first()),
    ask(() => env.MEDIA.head('health')),
    ask(() => env.MODULE_ROOM.get(env.MODULE_ROOM.idFromName('health')).isWell()),
  ])
  return { d1, r2, durableObjects }
}

async function ask(question: () => Promise<unknown>): Promise<string> {
  try {
    await question()
    return 'ok'
  } catch (error) {
    return `unreachable: ${error instanceof Error ? error.message : String(error)}`.slice(0, 200)
  }
}
