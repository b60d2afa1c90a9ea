import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { plantModule } from '#local/testing/modules.ts'
import { listOutcomes } from '#worker/domain/health/outcome-store.ts'
import { openAskedQueues } from '#worker/domain/health/queue-backlog.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { linesOf } from '#worker/log/testing/lines.ts'
import { runSweep } from './run-sweep.ts'
import { sweep } from './sweep.ts'
import { openDriver, plantRun } from './testing/drive.ts'

const HOUR = 60 * 60_000
const TABLES = ['modules', 'runs', 'audio_parts', 'transcript_segments', 'steps']

async function rowsOf(moduleId: string): Promise<number> {
  const counts = await Promise.all(
    TABLES.map((table) => {
      const column = table === 'modules' ? 'id' : 'module_id'
      return env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`).bind(moduleId).first<number>('n')
    }),
  )
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
}

async function storedFor(moduleId: string): Promise<number> {
  const lists = await Promise.all(['src', 'parts'].map((room) => env.MEDIA.list({ prefix: `${room}/${moduleId}/` })))
  return lists.reduce((sum, { objects }) => sum + objects.length, 0)
}

async function deletedRun(): Promise<string> {
  const driver = openDriver()
  const id = await plantRun(60_000)
  await driver.deliver([{ kind: 'ingest', ...id }])
  await driver.drain()
  await env.DB.prepare('UPDATE modules SET deleted_at = 1000 WHERE id = ?').bind(id.moduleId).run()
  return id.moduleId
}

it('erases a deleted module with everything that was made of it, once no job can be at work on it', async () => {
  const moduleId = await deletedRun()
  const other = await plantRun(60_000)
  const { deps } = openDriver()
  await sweep({ ...deps, nowMs: () => 1000 + 60_000 })
  expect(await rowsOf(moduleId)).toBeGreaterThan(3)
  await sweep({ ...deps, nowMs: () => 1000 + HOUR })
  expect([await rowsOf(moduleId), await storedFor(moduleId)]).toEqual([0, 0])
  expect(await storedFor(other.moduleId)).toBeGreaterThan(0)
})

it('removes an upload that was never finished, with the captions that came before it', async () => {
  const { id } = await plantModule({ receivedAt: null, sourceEtag: null, run: 0, createdAt: 1000 })
  await env.DB.prepare(
    "INSERT INTO transcript_segments (module_id, id, position, start_ms, end_ms, text) VALUES (?, 's', 0, 0, 1, 'x')",
  )
    .bind(id)
    .run()
  const { deps } = openDriver()
  await sweep({ ...deps, nowMs: () => 1000 + 25 * HOUR })
  expect(await rowsOf(id)).toBe(0)
})

describe('a scheduled run', () => {
  const NOW = 500 * HOUR
  const sweptAt = async () => (await listOutcomes(env.DB)).find(({ part }) => part === 'sweep')?.okAt

  it('writes down what it found and what waits in the queues, and leaves a sign for the health check', async () => {
    await plantModule({ updatedAt: NOW, deletedAt: NOW - HOUR })
    const { deps } = openDriver()
    const lines = await linesOf(() => runSweep({ ...deps, nowMs: () => NOW }, openAskedQueues(env)))
    const requestId = expect.stringMatching(/^[\da-f-]{36}$/)
    const counts = expect.objectContaining({ deleted: expect.any(Number), quiet: expect.any(Number) })
    const swept = lines.find(({ event }) => event === 'sweep')
    expect(swept).toEqual({ level: 'info', event: 'sweep', requestId, durationMs: 0, counts })
    expect(JSON.stringify(swept)).toMatch(/"deleted":[1-9]/)
    const backlog = lines.find(({ event }) => event === 'backlog')
    expect(backlog).toMatchObject({ counts: { ingest: 0, speech: 0, steps: 0, purges: 0 } })
    expect(backlog?.['requestId']).toBe(swept?.['requestId'])
    expect(await sweptAt()).toBe(NOW)
  })

  it('says why it broke off, and leaves no sign', async () => {
    const { deps } = openDriver()
    await runSweep({ ...deps, nowMs: () => NOW }, openAskedQueues(env))
    const broken = { ...deps, nowMs: () => NOW + HOUR, db: undefined as unknown as typeof deps.db }
    const lines = await linesOf(() => expect(runSweep(broken, openAskedQueues(env))).rejects.toThrow())
    expect(lines).toMatchObject([{ level: 'error', event: 'sweep', outcome: 'failed', code: 'internal' }])
    expect(await sweptAt()).toBe(NOW)
  })
})

describe('a run that has gone silent', () => {
  const MINUTES = 60_000
  const START = 10 * HOUR

  it('goes on where it stood, however long the machine was off', async () => {
    const driver = openDriver()
    const id = await plantRun(60_000)
    await driver.deliver([{ kind: 'ingest', ...id }])
    driver.sent.length = 0
    await sweep({ ...driver.deps, nowMs: () => Date.now() + 24 * HOUR })
    const sent = driver.sent.filter((job) => job.moduleId === id.moduleId)
    expect(sent.map((job) => job.kind)).toEqual(['speech', 'speech', 'speech'])
    await driver.drain()
    expect(await findModule(driver.deps.db, id.moduleId)).toMatchObject({ status: 'READY' })
  })

  it('is asked for again a few times and then ends as FAILED, within 20 minutes', async () => {
    const { deps, sent } = openDriver()
    const id = await plantRun(60_000, { updatedAt: START })
    for (let minute = 1; minute <= 20; minute++) await sweep({ ...deps, nowMs: () => START + minute * MINUTES })
    expect(sent.filter((job) => job.moduleId === id.moduleId)).toHaveLength(4)
    expect(await findModule(deps.db, id.moduleId)).toMatchObject({ status: 'FAILED', failureCode: 'gave_up' })
  })

  it('asks once and then waits for its turn while other modules are being heard', async () => {
    const driver = openDriver()
    const other = await plantRun(60_000)
    await driver.deliver([{ kind: 'ingest', ...other }])
    await driver.drain()
    const id = await plantRun(60_000)
    await driver.deliver([{ kind: 'ingest', ...id }])
    driver.sent.length = 0
    await env.DB.prepare('UPDATE modules SET updated_at = 0 WHERE id = ?').bind(id.moduleId).run()
    await sweep(driver.deps)
    expect(driver.sent.splice(0).map((job) => job.kind)).toEqual(['speech', 'speech', 'speech'])
    await env.DB.prepare('UPDATE modules SET updated_at = 0 WHERE id = ?').bind(id.moduleId).run()
    await sweep(driver.deps)
    expect(driver.sent).toEqual([])
    const module = await findModule(driver.deps.db, id.moduleId)
    expect(module?.updatedAt).toBeGreaterThan(0)
  })
})
