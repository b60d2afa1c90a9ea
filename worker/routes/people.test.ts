import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import {
  CodeAnswer,
  GroupsAnswer,
  ImportAnswer,
  PeopleAnswer,
  PersonAnswer,
  SecretLinkAnswer,
} from '#contract/team/people.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'
import { commitPerson } from '#records/commit-person.ts'
import { importPeople } from '#worker/domain/person/import-people.ts'

function newTeam() {
  const orgId = `org_${nanoid(8)}`
  return { as: `user_${nanoid(8)}`, orgId, orgRole: 'org:admin' }
}
type Team = ReturnType<typeof newTeam>

async function add(team: Team, name: string, more: object = {}) {
  const json = { name, number: null, groupIds: [], ...more }
  return (await answerOf(PersonAnswer, '/api/people', { ...team, json })).person
}

const change = async (team: Team, id: string, json: object) =>
  (await answerOf(PersonAnswer, `/api/people/${id}`, { ...team, method: 'PATCH', json })).person

const list = async (team: Team, query = '') => (await answerOf(PeopleAnswer, `/api/people${query}`, team)).people
const addGroup = async (team: Team, name: string) =>
  (await answerOf(GroupsAnswer, '/api/groups', { ...team, json: { name } })).groups
const rowOf = (id: string) => env.DB.prepare('SELECT * FROM people WHERE id = ?').bind(id).first()

/** A database in which something happens between what is read and what is written. */
function beforeBatch(d1: D1Database, act: () => Promise<void>): D1Database {
  const batch: D1Database['batch'] = async (statements) => {
    await act()
    return d1.batch(statements)
  }
  return { prepare: (query: string) => d1.prepare(query), batch } as D1Database
}

describe('people of an organization', () => {
  it('are added, listed by name, found, and kept when they leave', async () => {
    const team = newTeam()
    const groups = await addGroup(team, 'Line 3')
    const cem = await add(team, ' Cem   Aydın ', { number: '17', groupIds: [groups[0]?.id] })
    const anna = await add(team, 'Anna Berg')
    expect((await list(team)).map(({ name, number }) => [name, number])).toEqual([
      ['Anna Berg', null],
      ['Cem Aydın', '17'],
    ])
    expect((await list(team, '?query=17')).map(({ id }) => id)).toEqual([cem.id])
    expect((await list(team, `?group=${groups[0]?.id}`)).map(({ id }) => id)).toEqual([cem.id])
    await change(team, anna.id, { isActive: false })
    expect((await list(team)).map(({ id }) => id)).toEqual([cem.id])
    expect((await list(team, '?left=yes')).map(({ id }) => id)).toEqual([anna.id])
  })

  it('are shown a page at a time', async () => {
    const team = newTeam()
    const rows = Array.from({ length: 120 }, (_, index) => ({ name: `P${1000 + index}`, number: null, groups: [] }))
    await answerOf(ImportAnswer, '/api/people/import', { ...team, json: { rows } })
    const names: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const page: PeopleAnswer = await answerOf(
        PeopleAnswer,
        `/api/people?after=${encodeURIComponent(next || '[]')}`,
        team,
      )
      names.push(...page.people.map(({ name }) => name))
      next = page.next
    }
    expect(names).toEqual(rows.map(({ name }) => name))
  })

  it('keep the salts of the names that records mean, and have each number once', async () => {
    const team = newTeam()
    const anna = await add(team, 'Anna Berg', { number: '1' })
    await change(team, anna.id, { name: 'Anna Holm' })
    const row = await rowOf(anna.id)
    const names = JSON.parse(String(row?.['names'])) as { name: string; number: string; salt: string }[]
    expect(names.map(({ name }) => name)).toEqual(['Anna Berg', 'Anna Holm'])
    expect(row?.['commitment']).toBe(await commitPerson({ name: 'Anna Holm', number: '1' }, names[1]?.salt ?? ''))
    const json = { name: 'Bo', number: '1', groupIds: [] }
    expect((await problemOf('/api/people', { ...team, json })).detail).toBe('Another person has this number.')
  })

  it('are joined where two entries are one person', async () => {
    const team = newTeam()
    const groups = await addGroup(team, 'Line 3')
    const twice = await add(team, 'A. Berg', { number: '9', groupIds: [groups[0]?.id] })
    const anna = await add(team, 'Anna Berg')
    const joined = await answerOf(PersonAnswer, `/api/people/${twice.id}/join`, { ...team, json: { into: anna.id } })
    expect(joined.person).toMatchObject({ id: anna.id, groupIds: [groups[0]?.id] })
    expect((await list(team)).map(({ id }) => id)).toEqual([anna.id])
    expect((await problemOf(`/api/people/${twice.id}`, { ...team, method: 'PATCH', json: {} })).code).toBe('not_found')
    const rows = [{ name: 'A. Berg', number: '9', groups: [] }]
    const again = await answerOf(ImportAnswer, '/api/people/import', { ...team, json: { rows } })
    expect(again).toMatchObject({ added: 0, changed: 0, unchanged: 1 })
  })
})

describe('a list of people', () => {
  it('does not bring back who is erased while it is taken over', async () => {
    const team = newTeam()
    const anna = await add(team, 'Anna Berg', { number: '1' })
    const d1 = beforeBatch(env.DB, async () => {
      await env.DB.prepare('DELETE FROM people WHERE org_id = ? AND id = ?').bind(team.orgId, anna.id).run()
    })
    const rows = [{ name: 'Anna Holm', number: '1', email: null, groups: ['Line 3'] }]
    await importPeople({ d1, nowMs: Date.now }, team.orgId, rows)
    expect(await rowOf(anna.id)).toBeNull()
    const { groups } = await answerOf(GroupsAnswer, '/api/groups', team)
    expect(groups).toMatchObject([{ name: 'Line 3', people: 0 }])
    const member = env.DB.prepare('SELECT 1 FROM group_people WHERE org_id = ? AND person_id = ?')
    expect(await member.bind(team.orgId, anna.id).first()).toBeNull()
  })

  const rows = [
    { name: 'Anna Berg', number: '1', groups: ['Line 3', 'Night shift'] },
    { name: 'Cem Aydın', number: null, groups: ['line 3'] },
  ]
  const send = (team: Team, json: object) => answerOf(ImportAnswer, '/api/people/import', { ...team, json })

  it('adds addresses and changes them, and takes none away where a list has none', async () => {
    const team = newTeam()
    const importAs = (email?: string) =>
      send(team, { rows: [{ name: 'Anna Berg', number: '1', groups: [], ...(email && { email }) }] })
    const numbers = []
    const emails = []
    for (const email of ['anna@example.com', 'anna@example.com', undefined, 'berg@example.com']) {
      const { added, changed, unchanged } = await importAs(email)
      numbers.push([added, changed, unchanged])
      emails.push((await list(team)).map((person) => person.email))
    }
    expect(numbers).toEqual([
      [1, 0, 0],
      [0, 0, 1],
      [0, 0, 1],
      [0, 1, 0],
    ])
    expect(emails.flat()).toEqual([...Array.from({ length: 3 }, () => 'anna@example.com'), 'berg@example.com'])
  })

  it('is taken over, and changes nothing the second time', async () => {
    const team = newTeam()
    expect(await send(team, { rows })).toMatchObject({ added: 2, changed: 0, unchanged: 0 })
    const { groups } = await answerOf(GroupsAnswer, '/api/groups', team)
    expect(groups.map(({ name, people }) => [name, people])).toEqual([
      ['Line 3', 2],
      ['Night shift', 1],
    ])
    const before = await list(team)
    expect(await send(team, { rows })).toMatchObject({ added: 0, changed: 0, unchanged: 2 })
    expect(await list(team)).toEqual(before)
  })

  it('renames by number, brings back who had left, and names a row that is there twice', async () => {
    const team = newTeam()
    await send(team, { rows })
    const [anna] = await list(team)
    const listed = await list(team)
    const asked = { isPreview: true, rows: [{ name: 'Anna Holm', number: '1', groups: ['New group'] }, rows[1]] }
    expect(await send(team, asked)).toMatchObject({ renamed: [{ before: 'Anna Berg', after: 'Anna Holm' }] })
    expect(await list(team)).toEqual(listed)
    await change(team, anna?.id ?? '', { isActive: false })
    expect(await send(team, { rows: [{ name: 'Anna Holm', number: '1', groups: [] }] })).toMatchObject({ changed: 1 })
    expect((await list(team)).map(({ id, name }) => [id, name])).toContainEqual([anna?.id, 'Anna Holm'])
    const twice = { rows: [rows[0], { ...rows[0], name: 'Bo' }] }
    expect((await problemOf('/api/people/import', { ...team, json: twice })).detail).toBe('rows.1: 1 is there twice.')
  })
})

describe('links and codes', () => {
  it('are shown once and kept as hashes; a new one and a refusal end the one before', async () => {
    const team = newTeam()
    const anna = await add(team, 'Anna Berg')
    const { path } = await answerOf(SecretLinkAnswer, `/api/people/${anna.id}/link`, { ...team, method: 'POST' })
    const { code } = await answerOf(CodeAnswer, `/api/people/${anna.id}/code`, { ...team, method: 'POST' })
    expect(path).toMatch(/^\/my#p-[\w-]{43}$/)
    expect(code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/)
    const stored = JSON.stringify(await rowOf(anna.id))
    expect(stored).not.toContain(path.slice(6))
    expect(stored).not.toContain(code)
    const { person } = await answerOf(PersonAnswer, `/api/people/${anna.id}/link`, { ...team, method: 'DELETE' })
    expect(person).toMatchObject({ hasLink: false, hasCode: false })
  })

  it('of a group goes with the group, whose people stay', async () => {
    const team = newTeam()
    const [group] = await addGroup(team, 'Line 3')
    const anna = await add(team, 'Anna Berg', { groupIds: [group?.id] })
    await answerOf(SecretLinkAnswer, `/api/groups/${group?.id}/link`, { ...team, method: 'POST' })
    const gone = await answerOf(GroupsAnswer, `/api/groups/${group?.id}`, { ...team, method: 'DELETE' })
    expect(gone.groups).toEqual([])
    expect(await list(team)).toEqual([{ ...anna, groupIds: [] }])
  })
})
