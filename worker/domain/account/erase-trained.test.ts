import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { listRows } from '#worker/db/db.ts'
import { changeKeeping } from '#worker/domain/record/record-keeping.ts'
import { seedPerson } from '#worker/domain/record/testing/seed-people.ts'
import { BOSS } from '#worker/domain/record/testing/seed-records.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { erasePeopleOf, eraseTrained } from './erase-trained.ts'

const context = openContext(env)
const listNames = (org: string) => listRows<{ names: string }>(env.DB, 'SELECT names FROM people WHERE org_id = ?', org)

/** What a person watched, reported with a photo, and asked, in a round of their own. */
async function seedTraces(learnerId: string) {
  const run = (sql: string, ...values: unknown[]) =>
    env.DB.prepare(sql)
      .bind(...values)
      .run()
  await run("INSERT INTO learners (module_id, learner_id, first_at, last_at) VALUES ('m1', ?, 1, 1)", learnerId)
  await run(
    `INSERT INTO learning_sessions (module_id, learner_id, session_id, seq, played, position_s, started_at, last_at)
     VALUES ('m1', ?, 's1', 1, '', 0, 1, 1)`,
    learnerId,
  )
  await run(
    `INSERT INTO step_reports (id, module_id, learner_id, kind, text, photo_type, created_at)
     VALUES (?, 'm1', ?, 'unclear', 'Which one?', 'image/webp', 1)`,
    `r-${learnerId}`,
    learnerId,
  )
  await env.MEDIA.put(`reports/m1/r-${learnerId}`, 'photo')
  await run(
    `INSERT INTO questions (id, module_id, user_id, turn_id, video_time_ms, question, created_at)
     VALUES (?, 'm1', ?, 't1', 0, 'Why?', 1)`,
    `q-${learnerId}`,
    learnerId,
  )
}

it('erases what a person watched, reported and asked, in all rounds and entries, and nothing of others', async () => {
  const org = 'org_traces'
  await seedPerson(org, { id: 'p1', name: 'Anna Berg' })
  await seedPerson(org, { id: 'p2', name: 'A. Berg' })
  await env.DB.prepare("UPDATE people SET joined_to = 'p1' WHERE org_id = ? AND id = 'p2'").bind(org).run()
  const theirs = ['p1:1', 'p1:v2', 'p2:1'].map((round) => `person:${org}:${round}`)
  const other = `person:${org}:p11:1`
  for (const learnerId of [...theirs, other]) await seedTraces(learnerId)
  for (const id of ['p1', 'p2', 'p11']) await env.MEDIA.put(`records/${org}/photos/${id}/${'a'.repeat(64)}`, 'photo')
  await eraseTrained(context, org, { personId: 'p1', by: null })
  for (const [table, column] of [
    ['learners', 'learner_id'],
    ['learning_sessions', 'learner_id'],
    ['step_reports', 'learner_id'],
    ['questions', 'user_id'],
  ]) {
    const left = env.DB.prepare(`SELECT ${column} AS id FROM ${table} WHERE ${column} LIKE ?`).bind(`person:${org}:%`)
    expect((await left.all()).results).toEqual([{ id: other }])
  }
  expect((await env.MEDIA.list({ prefix: 'reports/m1/' })).objects.map(({ key }) => key)).toEqual([
    `reports/m1/r-${other}`,
  ])
  expect((await env.MEDIA.list({ prefix: `records/${org}/photos/` })).objects.map(({ key }) => key)).toEqual([
    `records/${org}/photos/p11/${'a'.repeat(64)}`,
  ])
  const nameless = env.DB.prepare("SELECT 1 FROM learners WHERE learner_id LIKE 'anyone:erased_%'")
  expect((await nameless.all()).results).toHaveLength(3)
})

it('erases an account in each organization, where a legal hold keeps its name once that has ended', async () => {
  const account = { userId: 'user_erased', beforeMs: Date.now() }
  await seedPerson('org_account_free', { id: 'p1', name: 'Anna Berg', userId: account.userId })
  await seedPerson('org_account_held', { id: 'p1', name: 'Anna Berg', userId: account.userId })
  await changeKeeping(context, 'org_account_held', { months: null, hold: 'Claim 17', showsEffort: false, by: BOSS })
  expect(await erasePeopleOf(context, account)).toBe(false)
  expect([await listNames('org_account_free'), await listNames('org_account_held')]).toMatchObject([[], [{}]])
  await changeKeeping(context, 'org_account_held', { months: null, hold: null, showsEffort: false, by: BOSS })
  expect(await erasePeopleOf(context, account)).toBe(true)
  expect(await listNames('org_account_held')).toEqual([])
})
