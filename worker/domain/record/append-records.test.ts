import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { foldRecords } from '#contract/records/person-training.ts'
import { NO_RECORD, TrainingRecord } from '#contract/records/training-record.ts'
import { hashRecord } from '#records/hash-record.ts'
import { countD1, listRows } from '#worker/db/db.ts'
import { appendRecords } from './append-records.ts'
import { listRecordsOf, readKnown } from './record-store.ts'
import { seedPeople } from './testing/seed-people.ts'
import { ANNA, ASSIGNED, CONFIRMED, TRAINING } from './testing/seed-records.ts'

const context = { d1: env.DB, nowMs: () => Date.UTC(2026, 10, 30) }
const SUBJECT = { personId: ANNA.id, moduleId: TRAINING.id }

async function listRecords(orgId: string) {
  const rows = await listRows<{ text: string; hash: string }>(
    env.DB,
    'SELECT text, hash FROM training_records WHERE org_id = ? ORDER BY seq',
    orgId,
  )
  return rows.map(({ text, hash }) => ({ record: TrainingRecord.parse(JSON.parse(text)), hash }))
}

it('puts the hash of each record into the next one', async () => {
  await appendRecords(context, 'org_chain', { bodies: [ASSIGNED, CONFIRMED] })
  await appendRecords(context, 'org_chain', { bodies: [CONFIRMED] })
  const rows = await listRecords('org_chain')
  expect(rows.map(({ record }) => record.seq)).toEqual([1, 2, 3])
  expect(rows.map(({ record }) => record.previous)).toEqual([NO_RECORD, rows[0]?.hash, rows[1]?.hash])
  for (const { record, hash } of rows) expect((await hashRecord(record)).hash).toBe(hash)
})

it('keeps every record of many that come at once', async () => {
  await Promise.all([1, 2, 3, 4].map(() => appendRecords(context, 'org_busy', { bodies: [CONFIRMED] })))
  expect((await listRecords('org_busy')).map(({ record }) => record.seq)).toEqual([1, 2, 3, 4])
})

it('knows what the records say', async () => {
  await seedPeople('org_known', [{ id: ANNA.id, name: 'Anna' }])
  await appendRecords(context, 'org_known', { bodies: [ASSIGNED] })
  const [record] = await appendRecords(context, 'org_known', { bodies: [CONFIRMED] })
  const [known] = await readKnown(env.DB, 'org_known', [SUBJECT])
  expect(known?.done).toMatchObject({ seq: record?.seq, version: { number: 1 } })
  expect(known).toEqual(foldRecords(SUBJECT, await listRecordsOf(env.DB, 'org_known', SUBJECT)))
})

it('forgets what a corrected record said', async () => {
  await seedPeople('org_corrected', [{ id: ANNA.id, name: 'Anna' }])
  await appendRecords(context, 'org_corrected', { bodies: [ASSIGNED, CONFIRMED] })
  const hash = (await listRecords('org_corrected'))[1]?.hash ?? ''
  const correction = { of: { seq: 2, hash }, reason: 'It was somebody else.', by: ANNA }
  await appendRecords(context, 'org_corrected', { bodies: [{ kind: 'corrected', ...correction }] })
  const [known] = await readKnown(env.DB, 'org_corrected', [SUBJECT])
  expect(known).toMatchObject({ done: null, confirmed: null, requests: [{ assignment: 'a1' }] })
  expect(known).toEqual(foldRecords(SUBJECT, await listRecordsOf(env.DB, 'org_corrected', SUBJECT)))
})

it('corrects an assignment of many people in a few queries', async () => {
  const orgId = 'org_large'
  const people = Array.from({ length: 60 }, (_, index) => ({ id: `p${index}`, commitment: 'a'.repeat(64) }))
  await seedPeople(
    orgId,
    people.map(({ id }) => ({ id, name: id })),
  )
  const bodies = ['a1', 'a2'].map((assignment) => ({ ...ASSIGNED, people, assignment }))
  await appendRecords(context, orgId, { bodies })
  const counted = countD1(env.DB)
  const of = { seq: 1, hash: (await listRecords(orgId))[0]?.hash ?? '' }
  const correction = { kind: 'corrected', of, reason: 'Another line.', by: ANNA } as const
  await appendRecords({ ...context, d1: counted.d1 }, orgId, { bodies: [correction] })
  expect(counted.queries()).toBeLessThan(15)
  const known = await readKnown(
    env.DB,
    orgId,
    people.map(({ id }) => ({ personId: id, moduleId: TRAINING.id })),
  )
  expect(known.map(({ requests }) => requests.map(({ assignment }) => assignment))).toEqual(people.map(() => ['a2']))
})

it('refuses a body that could not be read again', async () => {
  const unnamed = { ...ASSIGNED, people: [{ id: 'anna', commitment: '' }] }
  await expect(appendRecords(context, 'org_unread', { bodies: [unnamed] })).rejects.toThrow('commitment')
  expect(await listRecords('org_unread')).toEqual([])
})

it('writes nothing where a statement of the batch fails', async () => {
  const statements = [env.DB.prepare('INSERT INTO people (org_id) VALUES (NULL)')]
  await expect(appendRecords(context, 'org_failed', { bodies: [ASSIGNED], statements })).rejects.toThrow('NOT NULL')
  expect(await listRecords('org_failed')).toEqual([])
  expect(await readKnown(env.DB, 'org_failed', [SUBJECT])).toEqual([])
})

it.each([
  ['UPDATE', "UPDATE training_records SET kind = 'x' WHERE org_id = 'org_fixed'"],
  ['DELETE', "DELETE FROM training_records WHERE org_id = 'org_fixed'"],
  [
    'REPLACE',
    `INSERT OR REPLACE INTO training_records SELECT org_id, 1, hash, '{}', kind, created_at FROM training_records
     WHERE org_id = 'org_fixed' LIMIT 1`,
  ],
])('refuses %s of a record', async (_, sql) => {
  await appendRecords(context, 'org_fixed', { bodies: [ASSIGNED] })
  await expect(env.DB.prepare(sql).run()).rejects.toThrow('append-only')
})
