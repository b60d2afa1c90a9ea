import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { seedModule } from '#local/testing/modules.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { putObjects, versionsOf } from '#worker/domain/version/version-objects.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { appendRecords } from './append-records.ts'
import { removeUnrecordedVersions } from './recorded-versions.ts'
import { ASSIGNED } from './testing/seed-records.ts'

const context = openContext(env)

it('outlives its training as long as a record is about it', async () => {
  const orgId = 'org_versions'
  const { id, sourceKey } = await seedModule({ orgId, deletedAt: 1_000 })
  await putObjects(env.MEDIA, id, new Map([['f'.repeat(64), '{}']]))
  const count = async () => (await env.MEDIA.list({ prefix: versionsOf(id) })).objects.length
  await appendRecords(context, orgId, { bodies: [{ ...ASSIGNED, trainings: [id] }] })
  expect(await eraseModule(context, { id, sourceKey, uploadId: null })).toBe(true)
  expect(await env.DB.prepare('SELECT 1 FROM deleted_modules WHERE id = ?').bind(id).all()).toMatchObject({
    results: [],
  })
  await removeUnrecordedVersions(context, { orgId, moduleId: id })
  expect(await count()).toBe(1)

  await env.DB.prepare('DELETE FROM record_subjects WHERE org_id = ?').bind(orgId).run()
  await removeUnrecordedVersions(context, { orgId, moduleId: id })
  expect(await count()).toBe(0)
})
