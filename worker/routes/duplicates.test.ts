import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { ModuleAnswer, VideoUrlAnswer } from '#contract/module.ts'
import { StepsAnswer } from '#contract/step.ts'
import { DuplicateAnswer } from '#contract/training/duplicate.ts'
import { TranscriptAnswer } from '#contract/transcript.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedCaptions, seedModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { duplicateModule } from '#worker/domain/duplicate/duplicate-module.ts'
import { makeModuleId } from '#worker/domain/module/module-id.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { makeQuotas } from '#worker/domain/quota/take-quota.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { makeTeam } from './testing/team.ts'

const STEPS = [
  { id: 'a', title: 'Open the lid', description: 'Turn the screw.', start: 0, end: 10, notes: 'Left thread.' },
  { id: 'b', title: 'Check the cable', description: 'Look for cracks.', start: 10, end: 20, aliases: ['wire'] },
]

async function seedTraining(fields = {}, person: { as: string; orgId?: string } = { as: `user_${nanoid(8)}` }) {
  const { as } = person
  const id = makeModuleId()
  const sourceKey = `src/${id}/${nanoid(22)}`
  const { etag, size } = (await env.MEDIA.put(sourceKey, 'the video')) as R2Object
  const source = { sourceKey, sourceEtag: etag, sourceSizeBytes: size, durationMs: 60_000 }
  await seedModule({ id, userId: as, status: 'READY', runStatus: 'READY', ...source, ...fields })
  await answerOf(StepsAnswer, `/api/steps/${id}`, { ...person, json: { steps: STEPS } })
  await seedCaptions(id, [{ startMs: 0, endMs: 8_000, text: 'Open the lid.', confidence: null }])
  return { as, id, path: `/api/modules/${id}/duplicate` }
}

const json = { title: 'Copy of Change the filter' }

describe('a training that is duplicated', () => {
  it('has the video, the steps and the transcript of the other, and a link of its own', async () => {
    const { as, id, path } = await seedTraining({ language: 'de', glossary: 'Filter' })
    const { moduleId } = await answerOf(DuplicateAnswer, path, { as, json })
    const { module } = await answerOf(ModuleAnswer, `/api/modules/${moduleId}`, { as })
    expect(module).toMatchObject({ ...json, status: 'READY', totalDuration: 60, language: 'de', glossary: 'Filter' })
    expect(module.shareUrl).toContain(moduleId)
    expect(moduleId).not.toBe(id)
    const steps = async (of: string) => (await answerOf(StepsAnswer, `/api/steps/${of}`, { as })).steps
    expect(await steps(moduleId)).toEqual(await steps(id))
    const { segments } = await answerOf(TranscriptAnswer, `/api/transcript/${moduleId}`, { as })
    expect(segments.map(({ text }) => text)).toEqual(['Open the lid.'])
    const { url } = await answerOf(VideoUrlAnswer, `/api/video-url/${moduleId}`)
    expect(await (await call(url)).text()).toBe('the video')
  })

  it('changes by itself', async () => {
    const { as, id, path } = await seedTraining()
    const { moduleId } = await answerOf(DuplicateAnswer, path, { as, json })
    await answerOf(StepsAnswer, `/api/steps/${moduleId}`, { as, json: { steps: [] } })
    expect((await answerOf(StepsAnswer, `/api/steps/${id}`, { as })).steps).toHaveLength(2)
  })

  it('leaves nothing where its video cannot be copied', async () => {
    const { as, path } = await seedTraining({ sourceKey: `src/${nanoid(22)}/gone` })
    expect((await problemOf(path, { as, json })).code).toBe('source_changed')
    const { results } = await env.DB.prepare('SELECT id FROM modules WHERE user_id = ?1').bind(as).all()
    expect(results).toHaveLength(1)
  })

  it('counts what it copied until that is gone, and is no mix of two videos', async () => {
    const { as, id } = await seedTraining()
    const module = (await findModule(openDb(env.DB), id)) as ModuleRow
    const bucket = new Proxy(env.MEDIA, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown
        if (typeof value !== 'function') return value
        return async (...args: unknown[]) => {
          // The video of the original is exchanged while its transcript is copied.
          if (name === 'put' && String(args[0]).startsWith('transcripts/'))
            await env.DB.prepare(`UPDATE modules SET source_key = 'src/other/video' WHERE id = ?1`).bind(id).run()
          return (value as (...values: unknown[]) => Promise<unknown>).apply(target, args)
        }
      },
    })
    const quotas = makeQuotas({ ...env, USER_UPLOAD_BYTES_PER_DAY: '1000' })
    const caller = { userId: as, orgId: null, orgRole: null, orgPermissions: [] }
    const copying = duplicateModule({ ...openContext(env), bucket, quotas }, module, { ...json, caller })
    await expect(copying).rejects.toMatchObject({ code: 'source_changed' })
    const { results } = await env.DB.prepare('SELECT id FROM modules WHERE user_id = ?1').bind(as).all()
    expect(results).toEqual([{ id }])
    const uses = env.DB.prepare(
      `SELECT refund_at - ?2 AS laterMs FROM quota_uses WHERE user_id = ?1 AND kind = 'bytes'`,
    )
    expect(await uses.bind(as, Date.now()).first<number>('laterMs')).toBeGreaterThan(20 * 60_000)
  })

  it('copies no other bytes than those that were checked', async () => {
    const { as, id, path } = await seedTraining()
    const { sourceKey } = (await findModule(openDb(env.DB), id)) ?? {}
    await env.MEDIA.put(sourceKey ?? '', 'not video')
    expect((await problemOf(path, { as, json })).code).toBe('source_changed')
    const { objects } = await env.MEDIA.list({ prefix: 'src/' })
    const sizes = await Promise.all(objects.map(async ({ key }) => (await env.MEDIA.get(key))?.text()))
    expect(sizes.filter((text) => text === 'not video')).toHaveLength(1)
  })

  it('stays in its organization, and is open to as many as the other', async () => {
    const { uploader } = makeTeam()
    const make = async (fields = {}) => {
      const { id } = await seedTraining({ userId: uploader.as, orgId: uploader.orgId, ...fields }, uploader)
      return `/api/modules/${id}/duplicate`
    }
    const path = await make()
    const { moduleId: copyId } = await answerOf(DuplicateAnswer, path, { as: uploader.as, json })
    expect((await findModule(openDb(env.DB), copyId))?.orgId).toBe(uploader.orgId)
    const isShared = async (of: string) => {
      const { moduleId } = await answerOf(DuplicateAnswer, of, { ...uploader, json })
      return (await answerOf(ModuleAnswer, `/api/modules/${moduleId}`, uploader)).module.shared
    }
    expect(await isShared(path)).toBe(true)
    for (const fields of [
      { shared: false },
      { linkPassword: 'hash' },
      { linkEndsAt: Date.now() + 1e9 },
      { publishedVersion: 0 },
    ])
      expect(await isShared(await make(fields)), JSON.stringify(fields)).toBe(false)
  })

  it('is not made of one that is processed', async () => {
    const { as, path } = await seedTraining()
    await env.DB.prepare(`UPDATE modules SET status = 'PROCESSING' WHERE user_id = ?1`).bind(as).run()
    expect((await problemOf(path, { as, json })).code).toBe('steps_not_ready')
  })
})
