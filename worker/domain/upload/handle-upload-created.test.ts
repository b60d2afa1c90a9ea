import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CompleteAnswer } from '#contract/upload.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'
import { seedDeletion, seedModule } from '#local/testing/modules.ts'
import { MP4_BEGINNING } from '#media/testing/mp4-beginning.ts'
import { openDb } from '#worker/db/db.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { sweepHere } from '#worker/jobs/testing/sweep-here.ts'
import { linesWhere } from '#worker/log/testing/lines.ts'
import { openDriver } from '#worker/pipeline/testing/drive.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import { handleUploadCreated } from './handle-upload-created.ts'

holdTasks()

const HOUR = 60 * 60_000
let owner = ''
// Videos of one owner wait for each other, also those of other tests.
beforeEach(() => {
  owner = `user_${crypto.randomUUID()}`
})

const DB = openDb(env.DB)
/** A presigned module whose file lies in the bucket without a notification. */
async function arrived(bytes: Uint8Array | null = MP4_BEGINNING, createdAt = Date.now()) {
  const module = await seedModule({
    userId: owner,
    run: 0,
    receivedAt: null,
    sourceEtag: null,
    progress: 0,
    createdAt,
  })
  if (bytes !== null) await env.MEDIA.put(module.sourceKey, bytes)
  return { moduleId: module.id, key: module.sourceKey }
}

function modulesOf(...uploads: { moduleId: string }[]) {
  return Promise.all(uploads.map(({ moduleId }) => findModule(DB, moduleId)))
}

describe('an upload whose complete was never called', { tags: 'fault-9' }, () => {
  it('starts when its event notification comes, and pins the module to the bytes', async () => {
    const upload = await arrived()
    const { deps, listReady } = openDriver()
    expect(await handleUploadCreated(deps, upload.key)).toBe('received')
    expect(await listReady()).toEqual([{ kind: 'ingest', moduleId: upload.moduleId, run: 1, index: 0 }])
    const object = await env.MEDIA.head(upload.key)
    const [module] = await modulesOf(upload)
    expect(module).toMatchObject({ run: 1, sourceEtag: object?.etag, sourceType: 'video/mp4' })
    expect(module?.receivedAt).not.toBeNull()
  })

  it('starts with the next sweep', async () => {
    const upload = await arrived()
    const { deps, listReady } = openDriver()
    await sweepHere(deps)
    expect((await listReady()).filter(({ moduleId }) => moduleId === upload.moduleId)).toHaveLength(1)
    await sweepHere(deps)
    expect(await modulesOf(upload)).toMatchObject([{ run: 1 }])
  })

  it('starts once when the event notification comes many times, and complete and a sweep at the same moment', async () => {
    const upload = await arrived()
    const { deps } = openDriver()
    const complete = answerOf(CompleteAnswer, '/api/upload/complete', { as: owner, json: upload })
    const notification = Array.from({ length: 5 }, () => handleUploadCreated(deps, upload.key))
    await Promise.all([complete, sweepHere(deps), ...notification])
    expect(await modulesOf(upload)).toMatchObject([{ run: 1 }])
    const runs = env.DB.prepare('SELECT count(*) AS n FROM runs WHERE module_id = ?').bind(upload.moduleId)
    expect(await runs.first('n')).toBe(1)
  })

  it('starts although the worker that received it broke off before the run', async () => {
    const upload = await arrived()
    const object = await env.MEDIA.head(upload.key)
    await env.DB.prepare('UPDATE modules SET source_etag = ?, received_at = 1 WHERE id = ?')
      .bind(object?.etag, upload.moduleId)
      .run()
    expect(await handleUploadCreated(openDriver().deps, upload.key)).toBe('received')
    expect(await modulesOf(upload)).toMatchObject([{ run: 1 }])
  })

  it('does not start again what has ended, when the event notification is late', async () => {
    const { deps, listReady } = openDriver()
    const module = await seedModule({ status: 'READY', userId: 'user_late' })
    expect(await handleUploadCreated(deps, module.sourceKey)).toBe('received')
    expect(await listReady()).toEqual([])
    expect(await findModule(DB, module.id)).toMatchObject({ status: 'READY', run: 1 })
  })

  it('is not erased as abandoned when the machine was off for a day', async () => {
    const upload = await arrived(MP4_BEGINNING, Date.now() - 30 * HOUR)
    await sweepHere(openDriver().deps)
    expect(await modulesOf(upload)).toMatchObject([{ run: 1 }])
  })
})

describe('the event notification of an upload', () => {
  it('is dropped while nothing has arrived', async () => {
    const upload = await arrived(null)
    expect(await handleUploadCreated(openDriver().deps, upload.key)).toBe('absent')
    expect(await modulesOf(upload)).toMatchObject([{ run: 0, receivedAt: null }])
  })

  it('leaves it to complete to say why a file is refused', async () => {
    const upload = await arrived(new TextEncoder().encode('<!doctype html><title>x</title>'))
    expect(await handleUploadCreated(openDriver().deps, upload.key)).toBe('refused')
    expect(await modulesOf(upload)).toMatchObject([{ run: 0, receivedAt: null }])
    const problem = await problemOf('/api/upload/complete', { as: owner, json: upload })
    expect(problem.code).toBe('not_a_video')
  })

  it('is logged and creates nothing for an unknown or a deleted module', { tags: 'fault-12' }, async () => {
    const { deps, listReady } = openDriver()
    const deleted = await arrived()
    await seedDeletion(deleted.moduleId, 5)
    const count = () => env.DB.prepare('SELECT count(*) AS n FROM modules').first('n')
    const before = await count()
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    for (const key of [deleted.key, 'src/unknown/source', ''])
      expect(await handleUploadCreated(deps, key)).toBe('unknown')
    expect(linesWhere(warned, ({ event }) => event.startsWith('upload_'))).toHaveLength(3)
    warned.mockRestore()
    expect(await listReady()).toEqual([])
    expect(await count()).toBe(before)
    const row = env.DB.prepare('SELECT run, source_etag FROM deleted_modules WHERE id = ?').bind(deleted.moduleId)
    expect(await row.first()).toEqual({ run: 0, source_etag: null })
  })
})
