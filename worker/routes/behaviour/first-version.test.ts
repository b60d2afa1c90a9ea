// Behaviour: a new training of an organization that publishes versions, before and after its first one.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { beforeEach, describe, expect, it } from 'vitest'
import { CollectionAnswer } from '#contract/collection.ts'
import { Done, ModuleListAnswer, OpenedListAnswer, UNPUBLISHED } from '#contract/module.ts'
import { PublishersAnswer } from '#contract/review.ts'
import { ShareAnswer } from '#contract/share.ts'
import { PresignAnswer } from '#contract/upload.ts'
import { VersionsAnswer } from '#contract/version.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { getSharedCollection, readShared } from '#worker/domain/collection/collection.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { bodyOf, edit, makeTeam } from '../testing/team.ts'

const READY = { status: 'READY', runStatus: 'READY', durationMs: 60_000, receivedAt: 1_000 } as const

async function seedOrganization() {
  const team = makeTeam()
  const rules = { ...team.admin, method: 'PUT', json: { publishesVersions: true } }
  await answerOf(Done, '/api/account/publishers', rules)
  const { as: userId, orgId } = team.uploader
  const seed = async () => {
    const { id } = await seedModule({ ...READY, userId, orgId })
    await edit(id, team.uploader, 'Open the lid')
    return id
  }
  return { ...team, seed }
}

describe('a new training of an organization that publishes versions', () => {
  let team: Awaited<ReturnType<typeof seedOrganization>>
  beforeEach(async () => {
    team = await seedOrganization()
  })

  it('is as the others where it is a person’s, or was there before', async () => {
    const { uploader, member, admin, seed } = team
    const { as: userId } = uploader
    const personal = await seedModule({ ...READY, userId })
    await answerOf(Done, '/api/account/publishers', { ...admin, method: 'PUT', json: { publishesVersions: false } })
    const later = await seed()
    await answerOf(Done, '/api/account/publishers', { ...admin, method: 'PUT', json: { publishesVersions: true } })
    for (const id of [personal.id, later]) expect((await call(`/api/share/${id}`)).status).toBe(200)
    expect(await answerOf(PublishersAnswer, '/api/account/publishers', member)).toMatchObject({
      publishers: 'anyone',
      publishesVersions: true,
    })
  })

  it('waits for it from its upload on', async () => {
    const json = { filename: 'lid.mp4', contentType: 'video/mp4', sizeBytes: 1_000 }
    const path = '/api/presigned-upload/presigned-url'
    const { moduleId } = await answerOf(PresignAnswer, path, { ...team.uploader, json })
    const row = env.DB.prepare('SELECT published_version FROM modules WHERE id = ?').bind(moduleId)
    expect(await row.first('published_version')).toBe(UNPUBLISHED)
  })

  it('is listed for owners alone before its first version, and for learners as that afterwards', async () => {
    const { uploader, member, seed } = team
    const id = await seed()
    const { collection } = await answerOf(CollectionAnswer, '/api/collections', { ...uploader, json: { title: 'All' } })
    const change = { ...uploader, method: 'PATCH', json: { moduleIds: [id] } }
    await answerOf(CollectionAnswer, `/api/collections/${collection.id}`, change)
    const learner = { as: `user_${nanoid(8)}` }
    await env.DB.prepare('INSERT INTO opened_modules (user_id, module_id, opened_at) VALUES (?, ?, 1)')
      .bind(learner.as, id)
      .run()
    const listFor = async () => {
      const { db } = openContext(env)
      const shared = await readShared(openContext(env), await getSharedCollection(db, collection.id))
      const { modules } = await answerOf(OpenedListAnswer, '/api/opened-modules', learner)
      return [...shared, ...modules].map(({ title }) => title)
    }
    expect(await listFor()).toEqual([])
    const { modules } = await answerOf(ModuleListAnswer, '/api/modules', member)
    expect(modules).toMatchObject([{ id, publishedVersion: UNPUBLISHED }])
    expect((await problemOf(`/api/modules/${id}`, learner)).code).toBe('not_found')

    // Nobody is at the link, and an edge may have kept that.
    expect((await call(`/share/${id}/steps.md`)).status).toBe(404)
    await answerOf(VersionsAnswer, `/api/versions/${id}`, await bodyOf(id, member, {}))
    await edit(id, uploader, 'Open the hood')
    expect(await listFor()).toEqual(['Change the filter', 'Change the filter'])
    expect(await (await call(`/share/${id}/steps.md`)).text()).toContain('Open the lid')
    expect((await answerOf(ShareAnswer, `/api/share/${id}`)).module.steps).toMatchObject([{ title: 'Open the lid' }])
  })

  it('is asked for, or shown as a draft by those who may publish', async () => {
    const { uploader, approver, admin, seed } = team
    const id = await seed()
    const rule = { ...admin, method: 'PUT', json: { publishers: 'approvers' } }
    await answerOf(Done, '/api/account/publishers', rule)
    const { draft } = (await bodyOf(id, uploader)).json
    const request = { draft, note: '', retraining: 'none', name: 'Ana Cruz' }
    const asked = await answerOf(VersionsAnswer, `/api/versions/${id}/review`, { ...uploader, json: request })
    expect(asked).toMatchObject({ published: UNPUBLISHED, versions: [], review: { name: 'Ana Cruz' } })
    const off = { method: 'PUT', json: { isOn: false } }
    expect((await problemOf(`/api/versions/${id}`, { ...uploader, ...off })).code).toBe('approval_needed')
    expect((await answerOf(VersionsAnswer, `/api/versions/${id}`, { ...approver, ...off })).published).toBeNull()
    expect((await call(`/api/share/${id}`)).status).toBe(200)
  })
})
