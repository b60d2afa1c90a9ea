import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Done } from '#contract/module.ts'
import { RecordsAnswer } from '#contract/records/record-list.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { readZip } from '#records/read-zip.ts'
import { verifyRecords } from '#records/verify-records.ts'
import { appendRecords } from '#worker/domain/record/append-records.ts'
import { takeCheckpoint } from '#worker/domain/record/checkpoint.ts'
import { seedPerson } from '#worker/domain/record/testing/seed-people.ts'
import { ASSIGNED, CONFIRMED } from '#worker/domain/record/testing/seed-records.ts'
import { addObject, putObjects } from '#worker/domain/version/version-objects.ts'
import { openContext } from '#worker/entry/open-context.ts'

const managerOf = (orgId: string) => ({ as: 'user_manager', orgId, orgRole: 'org:admin' })

/** An organization in which Anna was assigned a training that has a translation, and has confirmed it. */
async function seedTrained(orgId: string) {
  const anna = await seedPerson(orgId, { id: 'anna', name: '=Anna' })
  const boss = await seedPerson(orgId, { id: 'boss', name: 'Mara Holm', userId: `user_of_${orgId}` })
  const training = { id: `m_${orgId}`, number: 1, version: '' }
  const texts = new Map<string, string>()
  const page = await addObject(texts, { title: 'Stapler', steps: [] })
  training.version = await addObject(texts, { captions: null, translations: { de: { page, captions: null } } })
  await putObjects(env.MEDIA, training.id, texts)
  await env.DB.prepare(
    `INSERT INTO training_versions (module_id, number, hash, note, retraining, user_id, published_at, title, step_count, steps_version)
     VALUES (?, 1, ?, '', 'none', 'u', 0, 'Forklift', 1, 1)`,
  )
    .bind(training.id, training.version)
    .run()
  const context = openContext(env)
  await appendRecords(context, orgId, {
    bodies: [
      { ...ASSIGNED, trainings: [training.id], people: [anna], by: boss },
      { ...CONFIRMED, person: anna, training },
    ],
  })
  await takeCheckpoint(context, orgId)
  return { training, texts }
}

async function exportOf(orgId: string) {
  const answer = await call('/api/records/export', managerOf(orgId))
  expect(answer.headers.get('content-type')).toBe('application/zip')
  return readZip(await answer.blob())
}

describe('GET /api/records', () => {
  it('lists records with names and titles, and filters them', async () => {
    const org = 'org_listed'
    const { training } = await seedTrained(org)
    const list = await answerOf(RecordsAnswer, '/api/records', managerOf(org))
    const people = [{ id: 'anna', name: '=Anna' }]
    expect(list.records).toMatchObject([
      { seq: 2, kind: 'confirmed', people, trainings: [{ title: 'Forklift', number: 1 }], words: CONFIRMED.words },
      { seq: 1, kind: 'assigned', people, trainings: [{ title: 'Forklift' }], by: { name: 'Mara Holm' } },
    ])
    expect(list).toMatchObject({ next: null, fromSeq: 1, head: { seq: 2 }, checkpoint: { seq: 2 } })
    const seqsOf = async (query: string) =>
      (await answerOf(RecordsAnswer, `/api/records?${query}`, managerOf(org))).records.map(({ seq }) => seq)
    expect(await seqsOf('kind=assigned')).toEqual([1])
    expect(await seqsOf(`person=anna&training=${training.id}&before=2`)).toEqual([1])
    expect(await seqsOf('person=boss')).toEqual([])
  })

  it('lists and exports the others where a row cannot be read, and the check names it', async () => {
    const org = 'org_unreadable'
    await seedTrained(org)
    await env.DB.prepare(
      `INSERT INTO training_records (org_id, seq, hash, text, kind, created_at) VALUES (?, 3, ?, '{', 'started', 0)`,
    )
      .bind(org, '0'.repeat(64))
      .run()
    const { records } = await answerOf(RecordsAnswer, '/api/records', managerOf(org))
    expect(records).toMatchObject([{ seq: 3, kind: 'started', people: [] }, { seq: 2 }, { seq: 1 }])
    const { findings } = await verifyRecords([await exportOf(org)])
    expect(findings).toContainEqual({ code: 'record_changed', seq: 3 })
  })

  it('is nothing for members who manage nothing', async () => {
    const { code } = await problemOf('/api/records', { as: 'user_member', orgId: 'org_listed', orgRole: 'org:member' })
    expect(code).toBe('not_found')
  })
})

describe('GET /api/records/export', () => {
  it('gives what its check finds nothing wrong with, and a table that no spreadsheet runs', async () => {
    const org = 'org_exported'
    const { texts } = await seedTrained(org)
    const files = await exportOf(org)
    const names = [...texts.keys()].map((hash) => `versions/${hash}.json`)
    expect([...files.keys()].filter((name) => name.startsWith('versions/')).toSorted()).toEqual(names.toSorted())
    expect(await verifyRecords([files])).toMatchObject({
      findings: [],
      records: 2,
      about: { checkpoints: [{ seq: 2 }] },
    })
    const lines = (await files.get('records.csv')?.text())?.split('\r\n') ?? []
    expect(lines[2]).toMatch(
      /^2,.*,confirmed,'=Anna,,Forklift,1,personal_link,,,,I have understood it\.,,[0-9a-f]{64}$/,
    )
    expect(await files.get('verify.html')?.text()).toContain('<title>Check training records')
  })

  it('still fits after a person was erased', async () => {
    const org = 'org_exported_erased'
    await seedTrained(org)
    const json = { name: 'Max Roth' }
    await answerOf(Done, '/api/records/people/anna', { ...managerOf(org), method: 'DELETE', json })
    const { records } = await answerOf(RecordsAnswer, '/api/records?kind=erased', managerOf(org))
    expect(records).toMatchObject([{ people: [{ id: 'anna', name: null }], by: { name: 'Max Roth' } }])
    const files = await exportOf(org)
    expect(await verifyRecords([files])).toMatchObject({ findings: [], records: 3 })
    for (const file of files.values()) expect(await file.text()).not.toContain('=Anna')
  })

  it('has nothing of an organization without records', async () => {
    expect(await verifyRecords([await exportOf('org_exported_nothing')])).toMatchObject({ findings: [], records: 0 })
  })
})

describe('corrections and keeping', () => {
  it('are recorded with who made them', async () => {
    const org = 'org_corrected_by'
    await seedTrained(org)
    const by = managerOf(org)
    await answerOf(Done, '/api/records/2/correction', { ...by, json: { reason: 'Not Anna.', name: 'Max Roth' } })
    const keeping = { months: 36, hold: 'Claim 17', showsEffort: false }
    await answerOf(Done, '/api/records/keeping', { ...by, method: 'PUT', json: { ...keeping, name: 'Max Roth' } })
    const list = await answerOf(RecordsAnswer, '/api/records', by)
    expect(list).toMatchObject({
      keeping,
      records: [
        { kind: 'kept', by: { name: 'Max Roth' }, words: 'Claim 17' },
        { kind: 'corrected', by: { name: 'Max Roth' }, corrects: 2, words: 'Not Anna.' },
        { seq: 2, correctedBy: 3 },
        { seq: 1, correctedBy: null },
      ],
    })
  })
})

describe('seconds and attempts of a person', () => {
  it('are shown once the organization has said so, on record', async () => {
    const org = 'org_effort'
    const { training } = await seedTrained(org)
    const person = { id: 'anna', commitment: '0'.repeat(64) }
    const act = { person, knownBy: 'code', training, deviceTime: null, wasOffline: false } as const
    const seconds = [
      { step: 'a', seconds: 40 },
      { step: 'b', seconds: 2 },
    ]
    await appendRecords(openContext(env), org, { bodies: [{ kind: 'reached', ...act, seconds, attempts: 3 }] })
    const by = managerOf(org)
    const readEffort = async () => (await answerOf(RecordsAnswer, '/api/records?kind=reached', by)).records[0]?.effort
    const readTable = async () => (await exportOf(org)).get('records.csv')?.text()
    expect(await readEffort()).toBeNull()
    expect(await readTable()).not.toContain('attempts')
    const json = { months: null, hold: null, showsEffort: true, name: 'Max Roth' }
    await answerOf(Done, '/api/records/keeping', { ...by, method: 'PUT', json })
    expect(await readEffort()).toEqual({ seconds: 42, attempts: 3 })
    expect(await readTable()).toContain('42 seconds, 3 attempts')
    expect(await readTable()).toContain('for ever, seconds and attempts are shown')
    expect((await verifyRecords([await exportOf(org)])).findings.map(({ code }) => code)).not.toContain(
      'record_changed',
    )
  })
})
