import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Health } from '#contract/debug.ts'
import { localServices } from '#local/local-services.ts'
import { problemOf } from '#local/testing/api.ts'
import { createApp } from '#worker/create-worker.ts'
import { upsertOutcome } from '#worker/domain/health/outcome-store.ts'
import { openAskedQueues, probeParts } from '#worker/domain/health/probe-parts.ts'
import { linesOf } from '#worker/log/testing/lines.ts'

const SECRET = 'D1_ERROR: internal detail 4711'
const never = () => new Promise<never>(() => undefined)
const broken = () => Promise.reject(new Error(SECRET))
const brokenD1 = { prepare: () => ({ bind: () => ({ all: broken }) }) } as unknown as D1Database

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM outcomes').run()
  await upsertOutcome(env.DB, { part: 'sweep', code: null, nowMs: Date.now() })
})

/** An isolate of its own, with the given parts replaced. */
function openIsolate(parts: Partial<Env> = {}) {
  const app = createApp(localServices)
  return async (more: Partial<Env> = {}) => {
    const ctx = createExecutionContext()
    const response = await app.fetch(new Request('http://localhost/api/health'), { ...env, ...parts, ...more }, ctx)
    const health = Health.parse(await response.json())
    await waitOnExecutionContext(ctx)
    return { status: response.status, health, headers: response.headers }
  }
}

describe('GET /api/health', () => {
  it('shows the state of every part under its old and its new name', { tags: ['spec-3.6', 'spec-7.15'] }, async () => {
    await upsertOutcome(env.DB, { part: 'speech', code: null, nowMs: Date.now() })
    const { status, health, headers } = await openIsolate()()
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(health).toEqual({
      success: true,
      postgres: 'ok',
      s3: 'ok',
      qstash: 'ok',
      d1: 'ok',
      r2: 'ok',
      queues: 'ok',
      ai: 'ok',
      durableObjects: 'ok',
      speechPreparation: null,
      environment: 'local',
      uptime: 0,
      version: env.RELEASE.id,
      release: env.RELEASE.id,
    })
  })

  it('calls the environment by the name that it was deployed under', { tags: 'spec-3.6' }, async () => {
    expect((await openIsolate({ ENVIRONMENT: 'production' })()).health.environment).toBe('production')
  })

  it('answers 503 without a database, and only then', { tags: 'spec-7.15' }, async () => {
    let text = ''
    const lines = await linesOf(async () => {
      const without = await openIsolate({ DB: brokenD1 })()
      text = JSON.stringify(without.health)
      expect(without.status).toBe(503)
      expect(without.headers.get('cache-control')).toBe('no-store')
      expect(without.health).toMatchObject({
        success: false,
        postgres: 'unreachable: nothing can be opened or saved',
        d1: 'unreachable: nothing can be opened or saved',
        ai: 'unknown without the database',
        r2: 'ok',
      })
      const parts = {
        MEDIA: { head: broken } as unknown as R2Bucket,
        SPEECH_QUEUE: { metrics: broken } as unknown as Queue,
        MODULE_ROOM: { idFromName: () => '', get: () => ({ isWell: broken }) } as unknown as Env['MODULE_ROOM'],
      }
      const others = await openIsolate(parts)()
      text += JSON.stringify(others.health)
      expect(others.status).toBe(200)
      expect(others.health).toMatchObject({
        d1: 'ok',
        s3: 'unreachable: videos cannot be uploaded or played',
        qstash: 'unreachable: new videos wait to be processed',
        durableObjects: 'unreachable: pages learn of changes a few seconds later, and the tutor does not answer',
      })
    })
    expect(text).not.toContain('4711')
    const failed = lines.filter(({ event }) => event === 'probe_failed')
    expect(new Set(failed.map(({ probe }) => probe))).toEqual(new Set(['d1', 'durableObjects', 'queues', 'r2']))
    for (const line of failed) expect(line['cause']).toContain('4711')
  })

  it('does not wait for a part that hangs', async () => {
    const parts = { d1: env.DB, bucket: { head: never }, queues: openAskedQueues(env), askRoom: never, deadlineMs: 40 }
    expect(await probeParts(parts, Date.now())).toMatchObject({
      d1: 'ok',
      queues: 'ok',
      r2: 'no answer within 0.04 s: videos cannot be uploaded or played',
      durableObjects: expect.stringContaining('no answer within 0.04 s: '),
    })
  })

  it('reports a queue whose messages wait for too long, and a sweep that does not run', async () => {
    await env.DB.prepare('DELETE FROM outcomes').run()
    const metrics = async () => ({ backlogCount: 7, oldestMessageTimestamp: new Date(Date.now() - 20.5 * 60_000) })
    const { health } = await openIsolate({ SPEECH_QUEUE: { metrics } as unknown as Queue })()
    expect(health.queues).toBe('backed up: speech (7, 20 min); the sweep has not run yet: lost work is not found again')
    await upsertOutcome(env.DB, { part: 'sweep', code: null, nowMs: Date.UTC(2026, 0, 22, 3, 4, 5) })
    expect((await openIsolate()()).health.queues).toMatch(/^the sweep has not run since 2026-01-22T03:04:05Z: /)
  })

  it('reports a part of the sweep that has not come to its end for minutes, and no part of an earlier release', async () => {
    const nowMs = Date.now()
    const end = (part: 'sweep:erased' | 'sweep:accounts', code: string | null, agoMs: number) =>
      upsertOutcome(env.DB, { part, code, nowMs: nowMs - agoMs })
    await env.DB.prepare("INSERT INTO outcomes (part, ok_at) VALUES ('sweep:of_old', 1)").run()
    await end('sweep:erased', null, 4 * 60_000)
    await end('sweep:erased', 'left', 0)
    expect((await openIsolate()()).health.queues).toBe('ok')
    await end('sweep:erased', null, 6 * 60_000)
    await end('sweep:accounts', 'internal', 0)
    const since = `${new Date(nowMs - 6 * 60_000).toISOString().slice(0, 19)}Z`
    expect((await openIsolate()()).health.queues).toBe(
      `the sweep has not come to the end of accounts yet: accounts are not erased; the sweep has not come to the end of erased since ${since}: deleted modules are not erased`,
    )
  })

  it('reports the model that failed last, without calling any model', async () => {
    expect((await openIsolate()()).health.ai).toBe('not called yet')
    const atMs = Date.UTC(2026, 0, 22, 3, 4, 5)
    await upsertOutcome(env.DB, { part: 'tutor', code: null, nowMs: atMs })
    await upsertOutcome(env.DB, { part: 'speech', code: null, nowMs: atMs })
    await upsertOutcome(env.DB, { part: 'speech', code: 'ai_quota', nowMs: atMs + 1_000 })
    const failing = 'speech failed at 2026-01-22T03:04:06Z (ai_quota): videos are not transcribed'
    expect((await openIsolate()()).health.ai).toBe(failing)
    await upsertOutcome(env.DB, { part: 'speech', code: null, nowMs: atMs + 2_000 })
    expect((await openIsolate()()).health.ai).toBe('ok')
  })

  it('answers from the last probes, and probes again after the answer', { tags: 'spec-7.15' }, async () => {
    const ask = openIsolate()
    const head = vi.fn(async () => null)
    const MEDIA = { head } as unknown as R2Bucket
    const nowMs = Date.now()
    const clock = vi.spyOn(Date, 'now')
    const at = (ms: number) => clock.mockImplementation(() => nowMs + ms)
    try {
      await ask({ MEDIA })
      expect(head).toHaveBeenCalledTimes(1)
      at(9_000)
      await ask({ MEDIA })
      expect(head).toHaveBeenCalledTimes(1)
      at(30_000)
      expect((await ask({ DB: brokenD1, MEDIA })).health.d1).toBe('ok')
      expect(head).toHaveBeenCalledTimes(2)
      // A failed part is probed once more before the next answer.
      expect((await ask({ MEDIA })).status).toBe(503)
      at(41_000)
      expect((await ask({ MEDIA })).status).toBe(200)
      at(150_000)
      expect((await ask({ DB: brokenD1, MEDIA })).status).toBe(503)
    } finally {
      clock.mockRestore()
    }
  })
})

it('answers an unknown address with a problem', async () => {
  expect((await problemOf('/api/nothing')).code).toBe('not_found')
})
