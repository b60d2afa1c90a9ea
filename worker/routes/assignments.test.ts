import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { CollectionAnswer } from '#contract/collection.ts'
import { Done } from '#contract/module.ts'
import { TrainingRecord } from '#contract/records/training-record.ts'
import { AssignmentsAnswer, SettleAnswer } from '#contract/team/assignment.ts'
import { GroupsAnswer, ImportAnswer, PersonAnswer } from '#contract/team/people.ts'
import { VersionsAnswer } from '#contract/version.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'
import { seedTutored } from '#local/testing/tutored.ts'
import { settlePeople } from '#worker/domain/assignment/settle-assignments.ts'
import { readKnown } from '#worker/domain/record/record-store.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { sweepPart } from '#worker/jobs/sweep-parts.ts'
import { unbounded } from '#worker/jobs/testing/sweep-here.ts'

const context = openContext(env)

const RULE = { reached: true, confirmed: false, signedOff: true }

async function newTeam() {
  const orgId = `org_${nanoid(8)}`
  const { moduleId, as } = await seedTutored({ orgId })
  const team = { as, orgId, orgRole: 'org:admin' }
  const { groups } = await answerOf(GroupsAnswer, '/api/groups', { ...team, json: { name: 'Line 3' } })
  return { team, moduleId, groupId: groups[0]?.id ?? '' }
}
type Team = Awaited<ReturnType<typeof newTeam>>['team']

async function addPerson(team: Team, name: string, groupIds: string[]) {
  return (await answerOf(PersonAnswer, '/api/people', { ...team, json: { name, number: null, groupIds } })).person.id
}

const bodyOf = (id: string, more: object) => ({
  subject: { kind: 'training', id },
  groupIds: [],
  personIds: [],
  rule: RULE,
  due: null,
  everyMonths: null,
  byName: 'Bea Holm',
  timeZone: 'Europe/Berlin',
  ...more,
})
const assign = (team: Team, id: string, more: object) =>
  answerOf(SettleAnswer, '/api/assignments', { ...team, json: bodyOf(id, more) })

async function recordsOf(orgId: string) {
  const { results } = await env.DB.prepare('SELECT text FROM training_records WHERE org_id = ? ORDER BY seq')
    .bind(orgId)
    .all<{ text: string }>()
  return results.map(({ text }) => TrainingRecord.parse(JSON.parse(text)).body)
}

const requestsOf = async (orgId: string, personId: string, moduleId: string) =>
  (await readKnown(env.DB, orgId, [{ personId, moduleId }]))[0]?.requests ?? []

describe('an assignment', () => {
  it('of a training that is deleted and restored goes on, and ends only once the training is gone for good', async () => {
    const { team, moduleId } = await newTeam()
    const anna = await addPerson(team, 'Anna', [])
    await assign(team, moduleId, { personIds: [anna] })
    const settle = () => settlePeople(openContext(env), team.orgId, [anna])
    await answerOf(Done, `/api/modules/${moduleId}`, { ...team, method: 'DELETE' })
    expect(await settle()).toBe(0)
    expect(await requestsOf(team.orgId, anna, moduleId)).toHaveLength(1)
    await env.DB.prepare('UPDATE deleted_modules SET is_final = 1 WHERE id = ?').bind(moduleId).run()
    await settle()
    expect(await requestsOf(team.orgId, anna, moduleId)).toEqual([])
  })

  it('switches the versions of its training on, and is recorded with its rule and its last day', async () => {
    const { team, moduleId, groupId } = await newTeam()
    const anna = await addPerson(team, 'Anna', [groupId])
    const due = { kind: 'day', day: '2027-03-31' }
    const { id } = await assign(team, moduleId, { groupIds: [groupId], due, everyMonths: 12 })
    const published = env.DB.prepare('SELECT published_version FROM modules WHERE id = ?').bind(moduleId)
    expect(await published.first('published_version')).toBe(1)
    const dueAt = '2027-03-31T21:59:59.999Z'
    expect(await recordsOf(team.orgId)).toMatchObject([
      {
        kind: 'assigned',
        assignment: id,
        trainings: [moduleId],
        people: [{ id: anna }],
        rule: RULE,
        dueAt,
        everyMonths: 12,
      },
    ])
    expect(await requestsOf(team.orgId, anna, moduleId)).toMatchObject([{ assignment: id, dueAt }])
    const { assignments } = await answerOf(AssignmentsAnswer, '/api/assignments', team)
    expect(assignments).toMatchObject([
      { id, subject: { kind: 'training', id: moduleId }, title: 'Change the filter', people: 1, dueAt },
    ])
  })

  it('is about whoever comes into its group, and not about whoever leaves', async () => {
    const { team, moduleId, groupId } = await newTeam()
    const { id } = await assign(team, moduleId, { groupIds: [groupId], due: { kind: 'days', days: 14 } })
    const anna = await addPerson(team, 'Anna', [groupId])
    expect(await requestsOf(team.orgId, anna, moduleId)).toMatchObject([{ assignment: id }])
    await answerOf(PersonAnswer, `/api/people/${anna}`, { ...team, method: 'PATCH', json: { groupIds: [] } })
    expect(await requestsOf(team.orgId, anna, moduleId)).toEqual([])
    expect((await recordsOf(team.orgId)).map(({ kind }) => kind)).toEqual(['assigned', 'unassigned'])
  })

  it('stays with a person whom it names, whatever their groups', async () => {
    const { team, moduleId, groupId } = await newTeam()
    const anna = await addPerson(team, 'Anna', [groupId])
    await assign(team, moduleId, { groupIds: [groupId], personIds: [anna] })
    await answerOf(GroupsAnswer, `/api/groups/${groupId}`, { ...team, method: 'DELETE' })
    expect((await recordsOf(team.orgId)).map(({ kind }) => kind)).toEqual(['assigned'])
  })

  it('goes with a person whose entry was joined to another one', async () => {
    const { team, moduleId } = await newTeam()
    const twice = await addPerson(team, 'A. Berg', [])
    const anna = await addPerson(team, 'Anna Berg', [])
    await assign(team, moduleId, { personIds: [twice, anna] })
    const second = await seedTutored({ orgId: team.orgId })
    await assign(team, second.moduleId, { personIds: [twice] })
    await answerOf(PersonAnswer, `/api/people/${twice}/join`, { ...team, json: { into: anna } })
    for (const id of [moduleId, second.moduleId])
      expect([await requestsOf(team.orgId, anna, id), await requestsOf(team.orgId, twice, id)]).toMatchObject([
        [{}],
        [],
      ])
    const { assignments } = await answerOf(AssignmentsAnswer, '/api/assignments', team)
    expect(assignments.map(({ personIds }) => personIds)).toEqual([[anna], [anna]])
  })

  it('of a group of hundreds is recorded in several calls, of which a repeated one changes nothing', async () => {
    const { team, moduleId } = await newTeam()
    const name = (index: number) => ({ name: `P${index}`, number: String(index), groups: ['Line 3'] })
    for (const from of [0, 500, 1_000]) {
      const rows = Array.from({ length: from === 1_000 ? 200 : 500 }, (_, index) => name(from + index))
      await answerOf(ImportAnswer, '/api/people/import', { ...team, json: { rows } })
    }
    const { groups } = await answerOf(GroupsAnswer, '/api/groups', team)
    const first = await assign(team, moduleId, { groupIds: [groups[0]?.id] })
    expect(first.left).toBe(200)
    const settle = () => answerOf(SettleAnswer, `/api/assignments/${first.id}/settle`, { ...team, method: 'POST' })
    expect([(await settle()).left, (await settle()).left]).toEqual([0, 0])
    const people = (await recordsOf(team.orgId)).flatMap((body) => (body.kind === 'assigned' ? body.people : []))
    expect([people.length, new Set(people.map(({ id }) => id)).size]).toEqual([1_200, 1_200])
  })

  it('of a collection is about all of its trainings, also about those that come later', async () => {
    const { team, moduleId, groupId } = await newTeam()
    const second = await seedTutored({ orgId: team.orgId })
    const { collection } = await answerOf(CollectionAnswer, '/api/collections', { ...team, json: { title: 'Line' } })
    const change = (moduleIds: string[]) =>
      answerOf(CollectionAnswer, `/api/collections/${collection.id}`, { ...team, method: 'PATCH', json: { moduleIds } })
    const anna = await addPerson(team, 'Anna', [groupId])
    const countRequests = async () =>
      Promise.all([moduleId, second.moduleId].map(async (id) => (await requestsOf(team.orgId, anna, id)).length))
    await change([moduleId])
    await assign(team, '', { subject: { kind: 'collection', id: collection.id }, personIds: [anna] })
    expect(await countRequests()).toEqual([1, 0])
    await change([moduleId, second.moduleId])
    expect(await countRequests()).toEqual([1, 1])
    await change([second.moduleId])
    expect(await countRequests()).toEqual([0, 1])
  })

  it('ends for all of its people', async () => {
    const { team, moduleId, groupId } = await newTeam()
    const anna = await addPerson(team, 'Anna', [groupId])
    const { id } = await assign(team, moduleId, { groupIds: [groupId] })
    await answerOf(SettleAnswer, `/api/assignments/${id}`, { ...team, method: 'DELETE' })
    expect(await requestsOf(team.orgId, anna, moduleId)).toEqual([])
    expect((await answerOf(AssignmentsAnswer, '/api/assignments', team)).assignments).toEqual([])
  })

  it('ends with its collection or its last group, and nobody stays assigned', async () => {
    const { team, moduleId, groupId } = await newTeam()
    const { collection } = await answerOf(CollectionAnswer, '/api/collections', { ...team, json: { title: 'Line' } })
    const path = `/api/collections/${collection.id}`
    await answerOf(CollectionAnswer, path, { ...team, method: 'PATCH', json: { moduleIds: [moduleId] } })
    const [anna, bea] = [await addPerson(team, 'Anna', []), await addPerson(team, 'Bea', [groupId])]
    await assign(team, '', { subject: { kind: 'collection', id: collection.id }, personIds: [anna] })
    await assign(team, moduleId, { groupIds: [groupId] })
    await answerOf(Done, path, { ...team, method: 'DELETE' })
    await answerOf(GroupsAnswer, `/api/groups/${groupId}`, { ...team, method: 'DELETE' })
    expect((await answerOf(AssignmentsAnswer, '/api/assignments', team)).assignments).toEqual([])
    await sweepPart('records', { ...unbounded(context), canMail: true })
    expect(await Promise.all([anna, bea].map((id) => requestsOf(team.orgId, id, moduleId)))).toEqual([[], []])
  })

  it('is recorded by the sweep where the page was closed after an import', async () => {
    const { team, moduleId, groupId } = await newTeam()
    await assign(team, moduleId, { groupIds: [groupId] })
    const rows = [{ name: 'Anna', number: null, groups: ['Line 3'] }]
    const { personIds } = await answerOf(ImportAnswer, '/api/people/import', { ...team, json: { rows } })
    await sweepPart('records', { ...unbounded(context), canMail: true })
    expect(await requestsOf(team.orgId, personIds[0] ?? '', moduleId)).toHaveLength(1)
    const marked = env.DB.prepare('SELECT count(*) AS n FROM assignments WHERE org_id = ? AND settle_at IS NOT NULL')
    expect(await marked.bind(team.orgId).first('n')).toBe(0)
  })

  it('is about a training that was not ready once it is, and about one that is processed anew all the time', async () => {
    const { team, moduleId } = await newTeam()
    const second = await seedTutored({ orgId: team.orgId })
    const setStatus = (status: string) =>
      env.DB.prepare('UPDATE modules SET status = ? WHERE id = ?').bind(status, second.moduleId).run()
    await setStatus('PROCESSING')
    const { collection } = await answerOf(CollectionAnswer, '/api/collections', { ...team, json: { title: 'Line' } })
    const json = { moduleIds: [moduleId, second.moduleId] }
    await answerOf(CollectionAnswer, `/api/collections/${collection.id}`, { ...team, method: 'PATCH', json })
    const anna = await addPerson(team, 'Anna', [])
    await assign(team, '', { subject: { kind: 'collection', id: collection.id }, personIds: [anna] })
    expect(await requestsOf(team.orgId, anna, second.moduleId)).toEqual([])
    await setStatus('READY')
    await sweepPart('records', unbounded({ ...context, canMail: true, nowMs: () => Date.now() + 3_600_000 }))
    expect(await requestsOf(team.orgId, anna, second.moduleId)).toHaveLength(1)
    await setStatus('PROCESSING')
    await answerOf(PersonAnswer, `/api/people/${anna}`, { ...team, method: 'PATCH', json: { name: 'Anna Berg' } })
    expect(await requestsOf(team.orgId, anna, second.moduleId)).toHaveLength(1)
  })

  it('of a collection is not changed by who may not switch the versions of its new training on', async () => {
    const { team, moduleId } = await newTeam()
    const second = await seedTutored({ orgId: team.orgId })
    const { collection } = await answerOf(CollectionAnswer, '/api/collections', { ...team, json: { title: 'Line' } })
    const path = `/api/collections/${collection.id}`
    const patch = (moduleIds: string[]) => ({ ...team, method: 'PATCH', json: { moduleIds } })
    await answerOf(CollectionAnswer, path, patch([moduleId]))
    const anna = await addPerson(team, 'Anna', [])
    await assign(team, '', { subject: { kind: 'collection', id: collection.id }, personIds: [anna] })
    await answerOf(Done, '/api/account/publishers', { ...team, method: 'PUT', json: { publishers: 'approvers' } })
    expect((await problemOf(path, { ...patch([moduleId, second.moduleId]), orgRole: 'org:member' })).code).toBe(
      'approval_needed',
    )
    expect((await answerOf(CollectionAnswer, path, team)).collection.modules.map(({ id }) => id)).toEqual([moduleId])
  })

  it('keeps the versions of its training on, and says so by name', async () => {
    const { team, moduleId } = await newTeam()
    const { collection } = await answerOf(CollectionAnswer, '/api/collections', { ...team, json: { title: 'Line' } })
    const json = { moduleIds: [moduleId] }
    await answerOf(CollectionAnswer, `/api/collections/${collection.id}`, { ...team, method: 'PATCH', json })
    const personIds = [await addPerson(team, 'Anna', [])]
    const byItself = await assign(team, moduleId, { personIds })
    const inLine = await assign(team, '', { subject: { kind: 'collection', id: collection.id }, personIds })
    const off = { ...team, method: 'PUT', json: { isOn: false } }
    const end = (id: string | null) => answerOf(SettleAnswer, `/api/assignments/${id}`, { ...team, method: 'DELETE' })
    await end(byItself.id)
    const refused = await problemOf(`/api/versions/${moduleId}`, off)
    expect([refused.code, refused.detail]).toEqual(['assigned', expect.stringContaining('“Line”')])
    await end(inLine.id)
    expect((await answerOf(VersionsAnswer, `/api/versions/${moduleId}`, off)).published).toBeNull()
  })

  it('names no training, person or group of anybody else', async () => {
    const { team, moduleId, groupId } = await newTeam()
    const other = await newTeam()
    const person = await addPerson(other.team, 'Olga', [])
    for (const json of [
      bodyOf(other.moduleId, { groupIds: [groupId] }),
      bodyOf(moduleId, { groupIds: [other.groupId] }),
      bodyOf(moduleId, { personIds: [person] }),
    ])
      expect((await problemOf('/api/assignments', { ...team, json })).code).toBe('not_found')
    expect((await problemOf('/api/assignments', { ...team, json: bodyOf(moduleId, {}) })).code).toBe('invalid_request')
  })
})
