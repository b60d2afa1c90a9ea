import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it, vi } from 'vitest'
import { MATRIX_PEOPLE, MatrixAnswer } from '#contract/records/matrix.ts'
import type { RecordBody } from '#contract/records/training-record.ts'
import { stateOf } from '#contract/records/training-state.ts'
import { MatrixKeyAnswer, NotificationsAnswer } from '#contract/team/notifications.ts'
import { about, body, hashOf } from '#contract/testing/records.ts'
import { DAY_MS } from '#contract/time/day.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { appendRecords } from '#worker/domain/record/append-records.ts'
import { readKnown } from '#worker/domain/record/record-store.ts'
import { seedPeople } from '#worker/domain/record/testing/seed-people.ts'
import { linesOf } from '#worker/log/testing/lines.ts'

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

it('finds the state of each time of a long timeline', async () => {
  const { orgId, moduleId, record, read } = await seedTeam(['Ann', 'Bob', 'Cem', 'Dia', 'Eve', 'Fay'])
  const timeline = ['done', 'due', 'expired', 'due', 'overdue', 'refused']
  const seed = async (name: string, daysUntil: number[]) => {
    await record(name, body.assigned())
    const entries = timeline
      .slice(0, daysUntil.length + 1)
      .map((state, at) => [at === 0 ? 0 : day(daysUntil[at - 1] ?? 0), state])
    const set = 'UPDATE person_trainings SET timeline = ? WHERE org_id = ? AND person_id = ? AND module_id = ?'
    await env.DB.prepare(set).bind(JSON.stringify(entries), orgId, name, moduleId).run()
  }
  await seed('Ann', [])
  await seed('Bob', [1, 2, 3])
  await seed('Cem', [-1, 1, 2])
  await seed('Dia', [-2, -1, 1, 2])
  await seed('Eve', [-4, -3, -2, -1, 1])
  await seed('Fay', [-5, -4, -3, -2, -1])
  const { trainings, people } = await read()
  expect(people.map(({ cells }) => cells[0]?.state)).toEqual(['done', 'done', 'due', 'expired', 'overdue', 'refused'])
  expect(trainings[0]?.counts).toEqual({ done: 2, due: 1, expired: 1, overdue: 1, refused: 1 })
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

describe('the key of an organization', () => {
  const PATH = '/api/notifications/matrix-key'
  const bossOf = (orgId: string) => ({ as: 'user_boss', orgId, orgRole: 'org:admin' })
  const make = async (orgId: string) => (await answerOf(MatrixKeyAnswer, PATH, { ...bossOf(orgId), method: 'PUT' })).key
  const withKey = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

  it('reads what the page reads, page after page, about this organization alone', async () => {
    const names = Array.from({ length: MATRIX_PEOPLE + 1 }, (_, index) => `Person ${String(index).padStart(2, '0')}`)
    const [{ orgId, record, read }, other] = [await seedTeam(names), await seedTeam(['Zoe'])]
    await record('Person 00', body.assigned())
    await record('Person 00', body.reached(2))
    const [key, otherKey] = [await make(orgId), await make(other.orgId)]
    const readByKey = (query = '', of = key) => answerOf(MatrixAnswer, `/api/matrix${query}`, withKey(of))
    const first = await readByKey()
    expect(first).toEqual(await read())
    expect(first.people[0]?.cells[0]?.state).toBe('done')
    const next = `?after=${encodeURIComponent(first.next ?? '')}`
    expect(await readByKey(next)).toEqual(await read(next))
    expect((await readByKey('', otherKey)).people.map(({ name }) => name)).toEqual(['Zoe'])
    expect((await problemOf('/api/matrix?after=x', withKey(key))).code).toBe('invalid_request')
  })

  it('is kept as its hash, and neither shown again nor logged', async () => {
    const { orgId } = await seedTeam(['Ann'])
    let key = ''
    const lines = await linesOf(async () => {
      key = await make(orgId)
      await answerOf(MatrixAnswer, '/api/matrix', withKey(key))
      await problemOf('/api/matrix?after=x', withKey(key))
      await problemOf('/api/matrix', withKey(`${key}x`))
    })
    // 256 bits behind what it is known by.
    expect(key).toMatch(/^adapt_[\w-]{43}$/)
    expect(lines.filter(({ event }) => event === 'request')).toHaveLength(4)
    const settings = await env.DB.prepare('SELECT * FROM glossaries WHERE org_id = ?').bind(orgId).first()
    expect(settings?.['matrix_key_hash']).toMatch(/^[0-9a-f]{64}$/)
    const answer = await answerOf(NotificationsAnswer, '/api/notifications', bossOf(orgId))
    expect(answer.hasMatrixKey).toBe(true)
    expect(JSON.stringify([lines, settings, answer])).not.toContain(key.slice('adapt_'.length))
  })

  it('opens nothing once it was replaced or removed, and nothing but the matrix', async () => {
    const { orgId } = await seedTeam(['Ann'])
    const replaced = await make(orgId)
    const key = await make(orgId)
    const codeOf = async (path: string, of: string) => (await problemOf(path, withKey(of))).code
    expect(await codeOf('/api/matrix', replaced)).toBe('key_invalid')
    for (const path of ['/api/people', '/api/records', '/api/notifications', '/api/account/export'])
      expect([path, await codeOf(path, key)]).toEqual([path, 'unauthenticated'])
    expect((await call('/api/matrix', withKey(key))).status).toBe(200)
    expect((await call('/api/matrix', { method: 'POST', ...withKey(key) })).status).not.toBe(200)
    const removed = await answerOf(NotificationsAnswer, PATH, { ...bossOf(orgId), method: 'DELETE' })
    expect(removed.hasMatrixKey).toBe(false)
    expect(await problemOf('/api/matrix', withKey(key))).toMatchObject({ status: 401, code: 'key_invalid' })
  })

  it('is made by those who manage the organization, not by those who only sign off', async () => {
    const { orgId } = await seedTeam(['Ann'])
    const signs = { as: 'user_member', orgId, orgRole: 'org:member', orgPermissions: ['org:training:sign'] }
    for (const method of ['PUT', 'DELETE']) expect((await problemOf(PATH, { ...signs, method })).code).toBe('not_found')
  })

  it('is counted by the organization, wherever it is called from', async () => {
    const { orgId } = await seedTeam(['Ann'])
    const key = await make(orgId)
    const keys: string[] = []
    const limit = vi.spyOn(env.READ_LIMIT, 'limit').mockImplementation(async ({ key: counted }) => {
      keys.push(counted ?? '')
      return { success: false }
    })
    const { code } = await problemOf('/api/matrix', withKey(key)).finally(() => limit.mockRestore())
    expect([code, keys]).toEqual(['rate_limited', [`matrix:key:${orgId}`]])
  })
})
