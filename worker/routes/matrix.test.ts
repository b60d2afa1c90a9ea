import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { expect, it } from 'vitest'
import { MATRIX_PEOPLE, MatrixAnswer } from '#contract/records/matrix.ts'
import type { RecordBody } from '#contract/records/training-record.ts'
import { stateOf } from '#contract/records/training-state.ts'
import { about, body, hashOf } from '#contract/testing/records.ts'
import { DAY_MS } from '#contract/time/day.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { appendRecords } from '#worker/domain/record/append-records.ts'
import { readKnown } from '#worker/domain/record/record-store.ts'
import { seedPeople } from '#worker/domain/record/testing/seed-people.ts'

const TODAY_MS = Date.now()
const day = (days: number) => TODAY_MS + days * DAY_MS

/** An organization with the people of these names, who get the same id, and one training in version 2. */
async function seedTeam(names: readonly string[]) {
  const orgId = `org_${nanoid(8)}`
  const { id: moduleId } = await seedModule({ orgId, status: 'READY', title: 'Forklift' })
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO training_versions (module_id, number, hash, note, retraining, user_id, published_at, title, step_count, steps_version)
       VALUES (?, 2, ?, '', 'none', 'user_owner', 0, 'Forklift, safely', 2, 1)`,
    ).bind(moduleId, hashOf(2)),
    env.DB.prepare('UPDATE modules SET published_version = 2 WHERE id = ?').bind(moduleId),
  ])
  await seedPeople(
    orgId,
    names.map((name) => ({ id: name, name })),
  )
  const record = (personId: string, of: RecordBody, nowMs = TODAY_MS) =>
    appendRecords({ d1: env.DB, nowMs: () => nowMs }, orgId, { bodies: [about(of, { personId, moduleId })] })
  const as = { as: 'user_boss', orgId, orgRole: 'org:admin' }
  const read = (query = '') => answerOf(MatrixAnswer, `/api/matrix${query}`, as)
  return { orgId, moduleId, record, read }
}

it('shows each person with the state that their records say, and counts them', async () => {
  const { orgId, moduleId, record, read } = await seedTeam(['Ann', 'Bob', 'Cem', 'Dia', 'Eve', 'Fay', 'Gil'])
  const { assigned, reached, refused } = body
  await record('Ann', assigned({ dueAt: new Date(day(60)).toISOString() }))
  await record('Bob', assigned({ dueAt: new Date(day(5)).toISOString() }))
  await record('Cem', assigned({ dueAt: new Date(day(-1)).toISOString() }), day(-9))
  await record('Dia', assigned(), day(-9))
  await record('Dia', reached(2), day(-8))
  await record('Eve', assigned(), day(-9))
  await record('Eve', reached(1), day(-8))
  await record('Fay', assigned({ rule: { signedOff: true } }), day(-9))
  await record('Fay', refused(['s1'], 2), day(-8))
  await record('Gil', assigned({ everyMonths: 1 }), day(-90))
  await record('Gil', reached(2), day(-80))
  const { trainings, people, next } = await read()
  const states = ['assigned', 'due', 'overdue', 'done', 'done_older', 'refused', 'expired']
  expect(people.map(({ name, cells }) => [name, ...cells.map(({ state }) => state)])).toEqual(
    ['Ann', 'Bob', 'Cem', 'Dia', 'Eve', 'Fay', 'Gil'].map((name, index) => [name, states[index]]),
  )
  expect(trainings).toEqual([
    { id: moduleId, title: 'Forklift, safely', counts: Object.fromEntries(states.map((of) => [of, 1])) },
  ])
  expect(next).toBeNull()
  expect(people[1]?.cells[0]?.dueAt).toBe(new Date(day(5)).toISOString())
  expect(people[4]?.cells[0]).toMatchObject({ version: 1, doneAt: new Date(day(-8)).toISOString() })
  const known = await readKnown(
    env.DB,
    orgId,
    people.map(({ id: personId }) => ({ personId, moduleId })),
  )
  const stateNow = { nowMs: TODAY_MS, publishedHash: hashOf(2) }
  expect(new Map(known.map((of) => [of.personId, stateOf(of, stateNow)]))).toEqual(
    new Map(people.map(({ id, cells }) => [id, cells[0]?.state])),
  )
})

it('reads page after page, and nobody twice', async () => {
  const names = Array.from({ length: MATRIX_PEOPLE + 3 }, (_, index) => `Person ${String(index).padStart(2, '0')}`)
  const { read } = await seedTeam(names)
  const first = await read()
  const second = await read(`?after=${encodeURIComponent(first.next ?? '')}`)
  expect([...first.people, ...second.people].map(({ name }) => name)).toEqual(names)
  expect(second).toMatchObject({ next: null, trainings: [], groups: [] })
})

it('shows only the people of a group, or in a state, and the trainings of a collection', async () => {
  const { orgId, moduleId, record, read } = await seedTeam(['Ann', 'Bob'])
  await record('Ann', body.assigned())
  await record('Bob', body.assigned())
  await record('Bob', body.reached(2))
  await env.DB.batch([
    env.DB.prepare("INSERT INTO people_groups (org_id, id, name, created_at) VALUES (?, 'g', 'Line 3', 0)").bind(orgId),
    env.DB.prepare("INSERT INTO group_people (org_id, group_id, person_id) VALUES (?, 'g', 'Ann')").bind(orgId),
    ...[`full-${orgId}`, `other-${orgId}`].map((id, index) =>
      env.DB.prepare(
        'INSERT INTO collections (id, user_id, org_id, title, module_ids, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 0, 0)',
      ).bind(id, 'user_boss', orgId, 'A', JSON.stringify(index === 0 ? [moduleId] : [])),
    ),
  ])
  const ofGroup = await read('?group=g')
  expect(ofGroup.people.map(({ name }) => name)).toEqual(['Ann'])
  expect(ofGroup.trainings[0]?.counts).toEqual({ assigned: 1 })
  expect(ofGroup.groups).toEqual([{ id: 'g', name: 'Line 3' }])
  expect((await read('?state=done')).people.map(({ name }) => name)).toEqual(['Bob'])
  expect((await read(`?collection=full-${orgId}`)).trainings).toHaveLength(1)
  expect(await read(`?collection=other-${orgId}`)).toMatchObject({
    trainings: [],
    people: [{ cells: [] }, { cells: [] }],
  })
})

it('is for those who manage the organization or sign off, about this organization alone', async () => {
  const { orgId } = await seedTeam(['Ann'])
  const as = (who: object) => ({ as: 'user_member', ...who })
  const plain = as({ orgId, orgRole: 'org:member' })
  expect((await problemOf('/api/matrix', plain)).code).toBe('not_found')
  expect((await problemOf('/api/matrix', as({}))).code).toBe('not_found')
  const signs = as({ orgId, orgRole: 'org:member', orgPermissions: ['org:training:sign'] })
  expect((await answerOf(MatrixAnswer, '/api/matrix', signs)).people).toHaveLength(1)
  const other = as({ orgId: `org_${nanoid(8)}`, orgRole: 'org:admin' })
  expect((await answerOf(MatrixAnswer, '/api/matrix', other)).people).toEqual([])
  expect((await problemOf('/api/matrix?after=x', signs)).code).toBe('invalid_request')
})
