// Behaviour: who may publish a version by the rules of an organization, asking for a release, and sending a draft back.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { EraseAnswer } from '#contract/account.ts'
import { Done } from '#contract/module.ts'
import { PublishersAnswer, type PublishersEdit } from '#contract/review.ts'
import { StepsAnswer } from '#contract/step.ts'
import { makeReading } from '#contract/testing/examples.ts'
import { VersionsAnswer } from '#contract/version.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { removeUnusedSettings } from '#worker/domain/organization/settings-store.ts'
import { insertProposals } from '#worker/domain/step/step-store.ts'
import { written } from '#worker/domain/step/testing/seed-steps.ts'
import { publishVersion, switchVersions } from '#worker/domain/version/publish-version.ts'
import { answerReview, recordEditor } from '#worker/domain/version/review-store.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { APPROVAL, bodyOf, edit, editorOf, type Person, publish, seedTeam } from '#worker/routes/testing/team.ts'

async function codeOfPublishing(id: string, person: Person) {
  return (await problemOf(`/api/versions/${id}`, await bodyOf(id, person))).code
}

async function ask(id: string, person: Person, name = 'Ana Cruz') {
  const { json, ...rest } = await bodyOf(id, person)
  const { draft } = json
  const request = { draft, note: 'A new lid', retraining: 'changed', name }
  return answerOf(VersionsAnswer, `/api/versions/${id}/review`, { ...rest, json: request })
}

const sendBack = { method: 'PUT', json: { name: 'Kim Lee', reason: 'The lid is missing.' } }

describe('who may publish', () => {
  it('is everyone of an organization without rules, and nobody has to give a name', async () => {
    const { id, member } = await seedTeam('anyone')
    await edit(id, member, 'Open the lid')
    const answer = await answerOf(VersionsAnswer, `/api/versions/${id}`, await bodyOf(id, member, {}))
    expect(answer).toMatchObject({ published: 2, mayPublish: true, publishers: 'anyone' })
  })

  it('is the uploader and administrators, as an organization wishes', async () => {
    const { id, uploader, member, admin } = await seedTeam('owner')
    await edit(id, uploader, 'Open the lid')
    expect(await codeOfPublishing(id, member)).toBe('approval_needed')
    expect((await publish(id, uploader)).published).toBe(2)
    await edit(id, admin, 'Open the hood')
    expect((await publish(id, admin)).published).toBe(3)
    // The uploader, with another organization active, is outside of the rules.
    expect(await codeOfPublishing(id, { as: uploader.as, orgId: 'org_else', orgRole: 'org:admin' })).toBe(
      'approval_needed',
    )
  })

  it('is whoever has the role or the permission of an approver', async () => {
    const { id, uploader, member, approver, admin } = await seedTeam('approvers')
    await edit(id, uploader, 'Open the lid')
    for (const person of [uploader, member]) expect(await codeOfPublishing(id, person)).toBe('approval_needed')
    expect((await publish(id, approver)).published).toBe(2)
    await edit(id, uploader, 'Open the hood')
    expect((await publish(id, admin)).published).toBe(3)
  })

  it('is never the last editor where four eyes are asked for, whatever they may do otherwise', async () => {
    const { id, uploader, member, admin } = await seedTeam('four_eyes')
    await edit(id, admin, 'Open the lid')
    expect(await codeOfPublishing(id, admin)).toBe('approval_needed')
    // What is no part of a version does not make another one its last editor.
    await answerOf(Done, `/api/modules/${id}`, { ...member, method: 'PATCH', json: { shared: true } })
    expect(await codeOfPublishing(id, admin)).toBe('approval_needed')
    expect((await publish(id, member)).published).toBe(2)
    await answerOf(Done, `/api/modules/${id}`, { ...member, method: 'PATCH', json: { title: 'Another title' } })
    expect(await codeOfPublishing(id, member)).toBe('approval_needed')
    expect((await publish(id, uploader)).published).toBe(3)
  })

  it('applies to showing the draft, too, and to publishing again, under a name', async () => {
    const { id, uploader, admin } = await seedTeam('approvers')
    await edit(id, uploader, 'Open the lid')
    const path = `/api/versions/${id}`
    const turn = (person: Person, isOn: boolean, fields = {}) => ({
      ...person,
      method: 'PUT',
      json: { isOn, ...fields },
    })
    expect((await problemOf(path, turn(uploader, false))).code).toBe('approval_needed')
    expect((await answerOf(VersionsAnswer, path, turn(admin, false))).published).toBeNull()
    const named = { approval: APPROVAL }
    expect((await problemOf(path, turn(uploader, true, named))).code).toBe('approval_needed')
    for (const fields of [{}, { approval: { ...APPROVAL, name: ' ' } }])
      expect((await problemOf(path, turn(admin, true, fields))).code).toBe('invalid_request')
    const { versions } = await answerOf(VersionsAnswer, path, turn(admin, true, named))
    expect(versions[0]).toMatchObject({ number: 2, approval: APPROVAL })
    await answerOf(VersionsAnswer, path, turn(admin, false))
    // Nothing has changed, and yet it is released by somebody else.
    const again = await answerOf(VersionsAnswer, path, turn(admin, true, { approval: { ...APPROVAL, name: 'Ana' } }))
    expect(again.versions.map(({ approval }) => approval?.name)).toEqual(['Ana', 'Kim Lee', undefined])
  })

  it('is changed by those who manage the organization alone', async () => {
    const { member, admin } = await seedTeam('owner')
    const change = { method: 'PUT', json: { publishers: 'anyone' } }
    expect((await problemOf('/api/account/publishers', { ...member, ...change })).code).toBe('not_found')
    expect(await answerOf(PublishersAnswer, '/api/account/publishers', member)).toMatchObject({
      publishers: 'owner',
      mayChange: false,
    })
    // The glossary beside it stays as it is.
    await answerOf(Done, '/api/account/glossary', { ...admin, method: 'PUT', json: { words: 'Klaro' } })
    expect((await answerOf(PublishersAnswer, '/api/account/publishers', admin)).publishers).toBe('owner')
  })

  it('is kept where the organization has no training', async () => {
    const admin = { as: `user_${nanoid(8)}`, orgId: `org_${nanoid(8)}`, orgRole: 'org:admin' }
    const change = (json: PublishersEdit) =>
      answerOf(Done, '/api/account/publishers', { ...admin, method: 'PUT', json })
    const isKept = async () => {
      await removeUnusedSettings(env.DB, Date.now() + 1_000)
      const sql = 'SELECT publishers FROM glossaries WHERE org_id = ?'
      return (await env.DB.prepare(sql).bind(admin.orgId).first('publishers')) !== null
    }
    await change({ publishers: 'four_eyes', publishesVersions: true })
    expect(await isKept()).toBe(true)
    await change({ publishers: 'anyone' })
    expect(await isKept()).toBe(true)
    await change({ publishesVersions: false })
    expect(await isKept()).toBe(false)
  })
})

describe('the last editor', () => {
  it('is nobody who only looks, whatever the method of the call', async () => {
    const { id, member, uploader } = await seedTeam('four_eyes')
    await edit(id, member, 'Open the lid')
    for (const person of [uploader, { as: 'user_viewer' }])
      for (const path of [`/api/steps/${id}`, `/api/transcript/${id}`])
        expect((await call(path, { ...person, method: 'HEAD' })).status).toBe(200)
    expect(await editorOf(id)).toBe(member.as)
    expect(await codeOfPublishing(id, member)).toBe('approval_needed')
  })

  it('is nobody who rejects a proposal, or discards a correction that fits nowhere', async () => {
    const { id, member, uploader } = await seedTeam('four_eyes')
    await edit(id, member, 'Open the lid')
    const proposed = [written(1, 20), written(1, 40)]
    await env.DB.prepare(insertProposals()).bind(id, JSON.stringify(proposed)).run()
    const [rejected, accepted] = proposed.map((step) => `/api/steps/${id}/proposals/${step.id}`)
    await answerOf(StepsAnswer, rejected ?? '', { ...uploader, json: { decision: 'reject' } })
    await answerOf(Done, `/api/transcript/${id}/orphaned`, { ...uploader, method: 'DELETE' })
    expect(await editorOf(id)).toBe(member.as)
    await answerOf(StepsAnswer, accepted ?? '', { ...uploader, json: { decision: 'accept' } })
    expect(await editorOf(id)).toBe(uploader.as)
  })
})

/** Calls that change what a version is made of, besides steps, words and translations. */
const CHANGES: [what: string, path: string, options: object][] = [
  ['what the screen shows', '/api/modules/@/screen', { method: 'PUT', json: makeReading([]) }],
  [
    'captions',
    '/api/captions/@',
    {
      method: 'PUT',
      headers: { 'content-type': 'text/vtt' },
      body: 'WEBVTT\n\n00:01.000 --> 00:04.000\nOpen the lid.\n',
    },
  ],
  ['another run', '/api/reprocess/@', { json: {} }],
  ...[
    { language: 'de' },
    { languages: [] },
    { glossary: 'Klaro' },
    { audioTrack: null },
    { readsScreen: true },
    { ignoredArea: null },
  ].map((json): (typeof CHANGES)[number] => [Object.keys(json).join(), '/api/modules/@', { method: 'PATCH', json }]),
]

describe('the last editor of a training', () => {
  it.each(CHANGES)('is whoever changes %s', async (_what, path, options) => {
    const { id, member, uploader } = await seedTeam('four_eyes')
    await edit(id, member, 'Open the lid')
    expect((await call(path.replace('@', id), { ...uploader, ...options })).status).toBe(200)
    expect(await editorOf(id)).toBe(uploader.as)
  })

  it('is whoever replaces an image by another one, not the browser that fills in what is missing', async () => {
    const { id, member, uploader } = await seedTeam('four_eyes')
    await edit(id, member, 'Open the lid')
    const put = (content: string) => {
      const body = new TextEncoder().encode(`RIFF....WEBP${content}`)
      return answerOf(Done, `/api/modules/${id}/images/step-1000`, { ...uploader, method: 'PUT', body })
    }
    for (const same of ['lid', 'lid']) await put(same)
    expect(await editorOf(id)).toBe(member.as)
    await put('hood')
    expect(await editorOf(id)).toBe(uploader.as)
  })
})

it('does not count for a training that the approver has changed since it was looked up', async () => {
  const { id, uploader, member } = await seedTeam('four_eyes')
  await edit(id, uploader, 'Open the lid')
  const context = openContext(env)
  const { draft } = (await bodyOf(id, member)).json
  const caller = { userId: member.as, orgId: member.orgId, orgRole: member.orgRole, orgPermissions: [] }
  const before = await findModule(context.db, id)
  if (before === null) throw new Error('The module is missing.')
  await recordEditor(env.DB, id, member.as)
  const request = { draft, published: 1, note: '', retraining: 'none', approval: APPROVAL, caller } as const
  await expect(publishVersion(context, before, request)).rejects.toMatchObject({ code: 'version_conflict' })
  await expect(switchVersions(context, before, { caller, isOn: false })).rejects.toMatchObject({
    code: 'approval_needed',
  })
  expect((await answerOf(VersionsAnswer, `/api/versions/${id}`, member)).published).toBe(1)
})

describe('an approval', () => {
  it('stays with the version by name, meaning and words', async () => {
    const { id, uploader, approver } = await seedTeam('approvers')
    await edit(id, uploader, 'Open the lid')
    const nameless = await bodyOf(id, approver, { approval: { ...APPROVAL, name: ' ' } })
    expect((await problemOf(`/api/versions/${id}`, nameless)).code).toBe('invalid_request')
    const { versions } = await publish(id, approver)
    expect(versions[0]).toMatchObject({ number: 2, approval: APPROVAL, isMine: true })
    expect(versions[1]).toMatchObject({ number: 1, approval: null })
  })

  it('loses its name with the account, and keeps the rest', async () => {
    const { id, uploader, member, approver } = await seedTeam('approvers')
    await edit(id, member, 'Open the lid')
    await publish(id, approver)
    await edit(id, member, 'Open the hood')
    await ask(id, member)
    await answerOf(VersionsAnswer, `/api/versions/${id}/review`, { ...approver, ...sendBack })
    const deleted = { deletedAt: Date.now(), userId: uploader.as, orgId: uploader.orgId, editedBy: member.as }
    const gone = await seedModule({ ...deleted, status: 'READY' })
    const erase = async (person: Person) => {
      await answerOf(EraseAnswer, '/api/account', { ...person, method: 'DELETE', json: { confirm: 'erase' } })
      return answerOf(VersionsAnswer, `/api/versions/${id}`, uploader)
    }
    const { versions, review } = await erase(approver)
    expect(versions[0]?.approval).toEqual({ ...APPROVAL, name: '' })
    // The request is another person's.
    expect(review).toMatchObject({ name: 'Ana Cruz', sentBack: { name: '', reason: sendBack.json.reason } })
    const answered = env.DB.prepare('SELECT answered_by FROM version_reviews WHERE module_id = ?').bind(id)
    expect([approver.as, null]).not.toContain(await answered.first('answered_by'))
    expect((await erase(member)).review).toBeNull()
    const row = await env.DB.prepare('SELECT edited_by FROM modules WHERE id = ?').bind(id).first('edited_by')
    expect([member.as, null]).not.toContain(row)
    const left = await env.DB.prepare('SELECT edited_by FROM deleted_modules WHERE id = ?')
      .bind(gone.id)
      .first('edited_by')
    expect([member.as, null]).not.toContain(left)
  })
})

describe('asking for a release', () => {
  it('is answered by the version', async () => {
    const { id, uploader, approver } = await seedTeam('approvers')
    await edit(id, uploader, 'Open the lid')
    const { review, mayPublish } = await ask(id, uploader)
    expect(review).toMatchObject({
      name: 'Ana Cruz',
      note: 'A new lid',
      retraining: 'changed',
      isMine: true,
      sentBack: null,
    })
    expect(mayPublish).toBe(false)
    const seen = await answerOf(VersionsAnswer, `/api/versions/${id}`, approver)
    expect(seen).toMatchObject({ mayPublish: true, review: { isMine: false } })
    expect((await publish(id, approver)).review).toBeNull()
  })

  it('is sent back with a reason by those who may publish, and asked again', async () => {
    const { id, uploader, member, approver } = await seedTeam('approvers')
    const path = `/api/versions/${id}/review`
    expect((await problemOf(path, { ...approver, ...sendBack })).code).toBe('not_found')
    await edit(id, uploader, 'Open the lid')
    await ask(id, uploader)
    expect((await problemOf(path, { ...member, ...sendBack })).code).toBe('approval_needed')
    const { review } = await answerOf(VersionsAnswer, path, { ...approver, ...sendBack })
    expect(review?.sentBack).toMatchObject(sendBack.json)
    expect((await problemOf(path, { ...approver, ...sendBack })).code).toBe('not_found')
    const { json } = await bodyOf(id, uploader)
    const late = {
      moduleId: id,
      hash: json.draft,
      answeredBy: 'user_late',
      answerName: 'Late',
      reason: '',
      answeredAt: 1,
    }
    expect(await answerReview(openDb(env.DB), late)).toBe(false)
    expect((await ask(id, uploader)).review?.sentBack).toBeNull()
  })
})
