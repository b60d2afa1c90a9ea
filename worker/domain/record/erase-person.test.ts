import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { listRows } from '#worker/db/db.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { appendRecords } from './append-records.ts'
import { correctRecord } from './correct-record.ts'
import { erasePerson } from './erase-person.ts'
import { changeKeeping } from './record-keeping.ts'
import { readKnown } from './record-store.ts'
import { seedPerson } from './testing/seed-people.ts'
import { ASSIGNED, BOSS, CONFIRMED, TRAINING } from './testing/seed-records.ts'

const context = openContext(env)

async function seedTrained(org: string, { id }: { id: string }) {
  const person = await seedPerson(org, { id, name: 'Anna Berg' })
  await env.DB.batch([
    env.DB.prepare('INSERT INTO group_people (org_id, group_id, person_id) VALUES (?, ?, ?)').bind(org, 'g1', id),
    env.DB.prepare(
      `INSERT INTO assignments (org_id, id, module_id, group_ids, person_ids, rule, by_person_id, created_at)
       VALUES (?, 'a1', ?, '[]', ?, '{}', 'boss', 0)`,
    ).bind(org, TRAINING.id, JSON.stringify([id, 'other'])),
  ])
  await appendRecords(context, org, {
    bodies: [
      { ...ASSIGNED, people: [person] },
      { ...CONFIRMED, person },
    ],
  })
  return person
}

const listKinds = async (org: string) =>
  (
    await listRows<{ kind: string }>(env.DB, 'SELECT kind FROM training_records WHERE org_id = ? ORDER BY seq', org)
  ).map(({ kind }) => kind)
const listErasers = async (org: string) =>
  (
    await listRows<{ text: string }>(
      env.DB,
      "SELECT text FROM training_records WHERE org_id = ? AND kind = 'erased' ORDER BY seq",
      org,
    )
  ).map(({ text }) => JSON.parse(text).body.by)
const listNames = (org: string) => listRows<{ names: string }>(env.DB, 'SELECT names FROM people WHERE org_id = ?', org)

it('deletes name and salt under all entries of a person, and records that', async () => {
  const org = 'org_erase'
  await seedTrained(org, { id: 'p1' })
  await seedPerson(org, { id: 'p2', name: 'A. Berg' })
  await env.DB.prepare("UPDATE people SET joined_to = 'p1' WHERE org_id = ? AND id = 'p2'").bind(org).run()
  await erasePerson(context, org, { personId: 'p1', by: BOSS })
  expect(await listNames(org)).toEqual([])
  expect(await listKinds(org)).toEqual(['assigned', 'confirmed', 'erased', 'erased'])
  expect(await listErasers(org)).toEqual([BOSS, BOSS])
  expect(await readKnown(env.DB, org, [{ personId: 'p1', moduleId: TRAINING.id }])).toEqual([])
  expect(await listRows(env.DB, 'SELECT 1 FROM group_people WHERE org_id = ?', org)).toEqual([])
  expect(await listRows(env.DB, 'SELECT person_ids FROM assignments WHERE org_id = ?', org)).toEqual([
    { person_ids: '["other"]' },
  ])
})

it('knows nothing of an erased person after one of their records was corrected', async () => {
  const org = 'org_erase_corrected'
  await seedTrained(org, { id: 'p1' })
  await erasePerson(context, org, { personId: 'p1', by: BOSS })
  await correctRecord(context, org, { seq: 2, reason: 'Not Anna.', by: BOSS })
  expect(await listKinds(org)).toEqual(['assigned', 'confirmed', 'erased', 'corrected'])
  expect(await readKnown(env.DB, org, [{ personId: 'p1', moduleId: TRAINING.id }])).toEqual([])
})

it('refuses people of other organizations, and erases nobody during a legal hold', async () => {
  const org = 'org_erase_held'
  await seedTrained(org, { id: 'p1' })
  await expect(erasePerson(context, 'org_erase_other', { personId: 'p1', by: BOSS })).rejects.toMatchObject({
    code: 'not_found',
  })
  await changeKeeping(context, org, { months: null, hold: 'Claim 17', showsEffort: false, by: BOSS })
  await expect(erasePerson(context, org, { personId: 'p1', by: BOSS })).rejects.toMatchObject({ code: 'on_hold' })
  expect(await listNames(org)).toHaveLength(1)
})

it('erases nobody where a legal hold begins at the same time', async () => {
  const org = 'org_erase_meanwhile'
  await seedTrained(org, { id: 'p1' })
  let isHeld = false
  const d1 = {
    prepare: (query: string) => env.DB.prepare(query),
    async batch(statements: D1PreparedStatement[]) {
      if (!isHeld) await changeKeeping(context, org, { months: null, hold: 'Claim 17', showsEffort: false, by: BOSS })
      isHeld = true
      return env.DB.batch(statements)
    },
  } as D1Database
  const erasing = erasePerson({ ...context, d1 }, org, { personId: 'p1', by: BOSS })
  await expect(erasing).rejects.toMatchObject({ code: 'on_hold' })
  expect(await listNames(org)).toHaveLength(1)
})
