// Behaviour: the transcript in the bucket and its commit in the database.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { seedCaptions, seedDeletion } from '#local/testing/modules.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { restoreModule } from '#worker/domain/lifecycle/module-lifecycle.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import type { RunId } from '#worker/domain/run/fence.ts'
import { expireAudio } from '#worker/domain/run/kept-work-store.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import { startRun } from '#worker/domain/run/start-run.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { readTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { linesOf } from '#worker/log/testing/lines.ts'
import { finishRun } from '../advance-run.ts'
import { recover } from '../recover.ts'
import { type Driver, openDriver, seedRun } from '../testing/drive.ts'
import { moduleOf, outcomeOf, runThrough, segmentsOf } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'

holdTasks()

const MINUTE = 60_000
const CAPTIONS = Array.from({ length: 6 }, (_, n) => ({
  startMs: n * 10_000,
  endMs: n * 10_000 + 9_000,
  text: `Open lid number ${n} and take the old filter out of it.`,
  confidence: null,
}))

async function keysOf(moduleId: string): Promise<string[]> {
  return (await env.MEDIA.list({ prefix: `transcripts/${moduleId}/` })).objects.map(({ key }) => key)
}

async function rowOf(driver: Driver, id: RunId): Promise<ModuleRow> {
  const module = await moduleOf(driver, id)
  if (module === null) throw new Error('no module')
  return module
}

/** Does something once, right after the transcript of a run was stored and before the end of the run names it. */
function whenStored(driver: Driver, act: () => Promise<unknown>): void {
  let isOver = false
  driver.deps.bucket = new Proxy(env.MEDIA, {
    get(bucket, name) {
      const member: unknown = Reflect.get(bucket, name)
      if (typeof member !== 'function') return member
      if (name !== 'put') return member.bind(bucket)
      return async (key: string, ...rest: unknown[]) => {
        const stored: unknown = await member.call(bucket, key, ...rest)
        if (!isOver && key.startsWith('transcripts/')) {
          isOver = true
          await act()
        }
        return stored
      }
    },
  })
}

async function planted(driver = openDriver()) {
  const id = await seedRun(MINUTE, { userId: `user_${crypto.randomUUID()}` })
  await runThrough(driver, id)
  return { driver, id, module: await rowOf(driver, id) }
}

describe('the end of a run, between its transcript and its commit,', () => {
  it('gives way to captions that come, whose steps are written', { tags: 'guarantee-G3' }, async () => {
    const driver = openDriver()
    const id = await seedRun(MINUTE, { userId: `user_${crypto.randomUUID()}` })
    whenStored(driver, () => seedCaptions(id.moduleId, CAPTIONS))
    await runThrough(driver, id)
    expect(await rowOf(driver, id)).toMatchObject({ status: 'PROCESSING', transcriptRun: 0 })
    await recover(driver.deps, id.moduleId)
    await driver.drain()
    expect(await rowOf(driver, id)).toMatchObject({ status: 'READY', transcriptRun: 0, segmentCount: 6 })
    const steps = await listSteps(driver.deps.db, id.moduleId)
    for (const step of steps) expect(step.originalText).toMatch(/Open lid number/)
    expect((await segmentsOf(driver.deps, id.moduleId)).map(({ text }) => text)).toEqual(
      CAPTIONS.map(({ text }) => text),
    )
  })

  it('gives way to a newer run, whose transcript is the only one in the end', { tags: 'guarantee-G3' }, async () => {
    const driver = openDriver()
    const id = await seedRun(MINUTE, { userId: `user_${crypto.randomUUID()}` })
    whenStored(driver, async () => startRun(driver.deps, await rowOf(driver, id), { trigger: 'reprocess' }))
    await runThrough(driver, id)
    expect(await findRun(driver.deps.db, id)).toMatchObject({ outcome: 'superseded' })
    await driver.drain()
    expect(await rowOf(driver, id)).toMatchObject({ status: 'READY', run: 2, transcriptRun: 2 })
    expect(await keysOf(id.moduleId)).toEqual([`transcripts/${id.moduleId}/2`])
    expect((await segmentsOf(driver.deps, id.moduleId))[0]?.id).toBe('s2-00000')
  })

  it('is one end when another caller ends the run at the same moment', async () => {
    const driver = openDriver()
    const id = await seedRun(MINUTE, { userId: `user_${crypto.randomUUID()}` })
    whenStored(driver, () => finishRun({ ...driver.deps, bucket: env.MEDIA }, id))
    await runThrough(driver, id)
    const { driver: plain, id: whole } = await planted()
    expect(await rowOf(driver, id)).toMatchObject({ status: 'READY', transcriptKey: `transcripts/${id.moduleId}/1` })
    expect(await keysOf(id.moduleId)).toHaveLength(1)
    expect(await outcomeOf(driver, id)).toEqual(await outcomeOf(plain, whole))
  })
})

describe('a transcript', () => {
  it('is read as it is now by a caller whose row of the module is older', async () => {
    const { driver, id, module } = await planted()
    const speech = await segmentsOf(driver.deps, id.moduleId)
    const whileFormed = { ...module, transcriptKey: null }
    expect((await readTranscript(driver.deps, whileFormed)).segments).toEqual(speech)
    await seedCaptions(id.moduleId, CAPTIONS)
    expect((await readTranscript(driver.deps, module)).segments[0]?.id).toBe('c-00000')
    expect(await keysOf(id.moduleId)).toHaveLength(1)
  })

  it('a transcript that got lost leaves the steps, and says so in the log', async () => {
    const { driver, id, module } = await planted()
    await env.MEDIA.delete(module.transcriptKey ?? '')
    const lines = await linesOf(async () => expect(await segmentsOf(driver.deps, id.moduleId)).toEqual([]))
    expect(lines).toMatchObject([{ level: 'error', event: 'transcript_missing', moduleId: id.moduleId }])
  })

  it('a transcript of a deleted module can be restored, until it is erased with the module', async () => {
    const { driver, id, module } = await planted()
    const before = await segmentsOf(driver.deps, id.moduleId)
    await seedDeletion(id.moduleId, Date.now())
    const caller = { userId: module.userId, orgId: null, orgRole: null, orgPermissions: [] }
    await restoreModule(driver.deps, caller, id.moduleId)
    expect(await segmentsOf(driver.deps, id.moduleId)).toEqual(before)
    await seedDeletion(id.moduleId, Date.now())
    expect(await keysOf(id.moduleId)).toHaveLength(1)
    await eraseModule(driver.deps, module)
    expect(await keysOf(id.moduleId)).toEqual([])
  })

  it('a transcript of a failed run stays when its audio and words expire, and a new run begins from the start', async () => {
    const driver = openDriver()
    const id = await seedRun(3 * MINUTE, { userId: `user_${crypto.randomUUID()}` })
    await driver.deliver([{ kind: 'ingest', ...id }])
    for (let done = 0; done < 5; done++) await driver.deliver((await driver.listReady()).slice(0, 1))
    await env.DB.prepare(
      "UPDATE modules SET status = 'FAILED', run_status = 'FAILED', failure_code = 'gave_up' WHERE id = ?",
    )
      .bind(id.moduleId)
      .run()
    const before = await segmentsOf(driver.deps, id.moduleId)
    expect(before.length).toBeGreaterThan(0)
    await expireAudio(driver.deps, id)
    expect(await segmentsOf(driver.deps, id.moduleId)).toEqual(before)
    const left = env.DB.prepare('SELECT count(*) AS n FROM audio_chunks WHERE module_id = ?').bind(id.moduleId)
    expect(await left.first('n')).toBe(0)
    await startRun(driver.deps, await rowOf(driver, id), { trigger: 'reprocess' })
    await driver.drain()
    expect(await rowOf(driver, id)).toMatchObject({ status: 'READY', transcriptRun: 2 })
  })
})
