import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { SessionAnswer } from '#contract/learning.ts'
import { Done } from '#contract/module.ts'
import { foldRecords } from '#contract/records/person-training.ts'
import { StepsAnswer } from '#contract/step.ts'
import { SettleAnswer } from '#contract/team/assignment.ts'
import { OpenAccountAnswer, OpenLinkAnswer, OwnTrainingsAnswer } from '#contract/team/my-trainings.ts'
import { CodeAnswer, GroupsAnswer, PersonAnswer, SecretLinkAnswer } from '#contract/team/people.ts'
import { DAY_MS } from '#contract/time/day.ts'
import { VersionAnswer, VersionsAnswer } from '#contract/version.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedTutored } from '#local/testing/tutored.ts'
import { readSession, signSession } from '#worker/domain/learning/learner-token.ts'
import { listRecordsOf, readKnown } from '#worker/domain/record/record-store.ts'

const RULE = { reached: true, confirmed: true, signedOff: false }

/** An organization with a training that is closed to everybody, and a manager of it. */
async function newTeam() {
  const orgId = `org_${nanoid(8)}`
  const { moduleId, as } = await seedTutored({ orgId, shared: false })
  return { team: { as, orgId, orgRole: 'org:admin' }, moduleId }
}
type Team = Awaited<ReturnType<typeof newTeam>>['team']

async function addPerson(team: Team, name: string, groupIds: string[] = []) {
  const json = { name, number: null, groupIds }
  return (await answerOf(PersonAnswer, '/api/people', { ...team, json })).person.id
}

async function assign(team: Team, moduleId: string, to: { personIds?: string[]; groupIds?: string[] }, more = {}) {
  const subject = { kind: 'training', id: moduleId }
  const by = { byName: 'Bea Holm', timeZone: 'Europe/Berlin' }
  const json = { subject, groupIds: [], personIds: [], rule: RULE, due: null, everyMonths: null, ...by, ...to, ...more }
  return answerOf(SettleAnswer, '/api/assignments', { ...team, json })
}

/** The one cookie that was set, and none of those that were dropped. */
const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((text) => text.split(';')[0] ?? '')
    .find((text) => !text.endsWith('=')) ?? ''

async function openLink(team: Team, personId: string) {
  const { path } = await answerOf(SecretLinkAnswer, `/api/people/${personId}/link`, { ...team, method: 'POST' })
  return { key: path.slice('/my#'.length) }
}

/** The device of a person, by a new personal link. */
async function deviceOf(team: Team, personId: string) {
  const response = await call('/api/my/open', { json: await openLink(team, personId) })
  expect(response.status).toBe(200)
  return { headers: { cookie: cookieOf(response) } }
}
type Device = Awaited<ReturnType<typeof deviceOf>>

const readOwn = (device: Device, lang = 'en') => answerOf(OwnTrainingsAnswer, `/api/my?lang=${lang}`, device)

/** Opens a training so long ago that all of it can have been played since, by a person who had their link before that. */
async function openLongAgo(device: Device, moduleId: string): Promise<string> {
  const path = `/api/learning-metrics/${moduleId}/sessions`
  const answer = await answerOf(SessionAnswer, path, { ...device, json: {} })
  await env.DB.prepare('UPDATE people SET access_from = 0, link_from = 0, code_from = 0').run()
  await env.DB.prepare('UPDATE people_groups SET link_from = 0').run()
  const opened = await readSession(env.TICKET_SECRET, answer.session, moduleId)
  if (opened === null) throw new Error('no session')
  const { kind: _kind, ...of } = opened
  return signSession(env.TICKET_SECRET, { ...of, startedAtMs: Date.now() - 60 * 60_000 })
}

async function watchAll(device: Device, moduleId: string) {
  const session = await openLongAgo(device, moduleId)
  const json = { moduleId, session, seq: 1, segments: [[0, 600]], position: 0 }
  return { session, response: await call('/api/learning-metrics', { ...device, json }) }
}

/** Puts the past between now and when people were asked for a training, which was published then. */
async function askDaysAgo(orgId: string, moduleId: string, days: number) {
  const timeMs = Date.now() - days * DAY_MS
  const known = "UPDATE person_trainings SET known = json_set(known, '$.requests[0].assignedAt', ?) WHERE org_id = ?"
  await env.DB.batch([
    env.DB.prepare(known).bind(new Date(timeMs).toISOString(), orgId),
    env.DB.prepare('UPDATE training_versions SET published_at = ? WHERE module_id = ?').bind(timeMs, moduleId),
  ])
}

async function kindsOf(orgId: string) {
  const { results } = await env.DB.prepare('SELECT kind FROM training_records WHERE org_id = ? ORDER BY seq')
    .bind(orgId)
    .all<{ kind: string }>()
  return results.map(({ kind }) => kind)
}

describe('a personal link', () => {
  it('opens what is assigned to its person, also where the training is shared with nobody, and nothing else', async () => {
    const { team, moduleId } = await newTeam()
    const other = await seedTutored({ orgId: team.orgId, shared: false })
    const [anna, bo] = [await addPerson(team, 'Anna'), await addPerson(team, 'Bo')]
    await assign(team, moduleId, { personIds: [anna] })
    const device = await deviceOf(team, anna)
    const own = await readOwn(device, 'de')
    expect(own).toMatchObject({ name: 'Anna', isShared: false })
    expect(own.confirmation).toContain('Schulung')
    expect(own.trainings).toMatchObject([{ moduleId, path: `/share/${moduleId}`, isOpen: true, rule: RULE }])
    const page = await call(`/share/${moduleId}`, device)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(await page.text()).toContain('Secure the car')
    expect((await call(`/api/share/${moduleId}`, device)).status).toBe(200)
    for (const [id, who] of [
      [other.moduleId, device],
      [moduleId, await deviceOf(team, bo)],
      [moduleId, {}],
    ] as const) {
      expect((await call(`/share/${id}`, who)).status).toBe(404)
      expect((await call(`/api/share/${id}`, who)).status).toBe(404)
    }
  })

  it('is over with a new one, with the person, and with the assignment', async () => {
    const { team, moduleId } = await newTeam()
    const anna = await addPerson(team, 'Anna')
    const { id } = await assign(team, moduleId, { personIds: [anna] })
    const first = await openLink(team, anna)
    const device = await deviceOf(team, anna)
    expect((await problemOf('/api/my/open', { json: first })).code).toBe('not_found')
    await answerOf(SettleAnswer, `/api/assignments/${id}`, { ...team, method: 'DELETE' })
    expect((await readOwn(device)).trainings).toEqual([])
    expect((await call(`/api/share/${moduleId}`, device)).status).toBe(404)
    await answerOf(PersonAnswer, `/api/people/${anna}/link`, { ...team, method: 'DELETE' })
    expect((await problemOf('/api/my?lang=en', device)).code).toBe('unauthenticated')
    const last = await deviceOf(team, anna)
    await answerOf(PersonAnswer, `/api/people/${anna}`, { ...team, method: 'PATCH', json: { isActive: false } })
    expect((await problemOf('/api/my?lang=en', last)).code).toBe('unauthenticated')
    await answerOf(PersonAnswer, `/api/people/${anna}`, { ...team, method: 'PATCH', json: { isActive: true } })
    expect((await problemOf('/api/my?lang=en', last)).code).toBe('unauthenticated')
    const back = await answerOf(PersonAnswer, `/api/people/${anna}`, { ...team, method: 'PATCH', json: {} })
    expect(back.person).toMatchObject({ isActive: true, hasLink: false })
  })

  it('stays what it is while its person gets a code for a shared device', async () => {
    const { team } = await newTeam()
    const anna = await addPerson(team, 'Anna')
    const device = await deviceOf(team, anna)
    await answerOf(CodeAnswer, `/api/people/${anna}/code`, { ...team, method: 'POST' })
    expect(await readOwn(device)).toMatchObject({ name: 'Anna' })
  })

  it('does not take the device of another person without their word, and is over where a shared device begins', async () => {
    const { team } = await newTeam()
    const [anna, bo] = [await addPerson(team, 'Anna'), await addPerson(team, 'Bo')]
    const [annas, link] = [await deviceOf(team, anna), await openLink(team, bo)]
    const asked = await call('/api/my/open', { ...annas, json: link })
    expect(await asked.json()).toMatchObject({ kind: 'other', name: 'Bo', holder: 'Anna' })
    expect(asked.headers.getSetCookie()).toEqual([])
    const taken = await call('/api/my/open', { ...annas, json: { ...link, replaces: true } })
    expect(await taken.clone().json()).toMatchObject({ kind: 'person', name: 'Bo', personId: bo })
    expect(await readOwn({ headers: { cookie: cookieOf(taken) } })).toMatchObject({ name: 'Bo' })
    const { groups } = await answerOf(GroupsAnswer, '/api/groups', { ...team, json: { name: 'Line 3' } })
    const path = `/api/groups/${groups[0]?.id}/link`
    const shared = await answerOf(SecretLinkAnswer, path, { ...team, method: 'POST' })
    const begun = await call('/api/my/open', { ...annas, json: { key: shared.path.slice('/my#'.length) } })
    expect(begun.headers.getSetCookie()[0]).toMatch(/^adapt_person=;.*Max-Age=0/)
  })

  it('records each thing that its person does once', async () => {
    const { team, moduleId } = await newTeam()
    const anna = await addPerson(team, 'Anna')
    await assign(team, moduleId, { personIds: [anna] })
    const device = await deviceOf(team, anna)
    const { personId, trainings } = await readOwn(device)
    const shown = { personId, version: trainings[0]?.version, language: 'de' }
    const confirm = { ...device, json: shown }
    const path = `/api/my/trainings/${moduleId}/confirm`
    expect((await problemOf(path, confirm)).code).toBe('steps_not_ready')
    const visits = await Promise.all([1, 2, 3].map(() => watchAll(device, moduleId)))
    expect(visits.map(({ response }) => response.status)).toEqual([200, 200, 200])
    // Two tabs of one browser: the page of somebody else, and the page of another version.
    for (const other of [{ personId: 'somebody' }, { version: 'f'.repeat(64) }])
      expect((await problemOf(path, { ...device, json: { ...shown, ...other } })).code).toBe('version_conflict')
    for (let time = 0; time < 2; time++) await answerOf(Done, path, confirm)
    expect(await kindsOf(team.orgId)).toEqual(['assigned', 'started', 'reached', 'confirmed'])
    const [training] = (await readOwn(device)).trainings
    expect(training).toMatchObject({ isOpen: false })
    expect([training?.startedAt, training?.reachedAt, training?.confirmedAt, training?.doneAt]).not.toContain(null)
    const subject = { personId: anna, moduleId }
    const records = await listRecordsOf(env.DB, team.orgId, subject)
    expect(await readKnown(env.DB, team.orgId, [subject])).toEqual([foldRecords(subject, records)])
    const confirmed = records.at(-1)?.body
    expect(confirmed).toMatchObject({ kind: 'confirmed', knownBy: 'personal_link', language: 'de' })
  })

  it('records once what was confirmed without a network, for the version that was shown then', async () => {
    const { team, moduleId } = await newTeam()
    const anna = await addPerson(team, 'Anna')
    await assign(team, moduleId, { personIds: [anna] }, { rule: { ...RULE, reached: false } })
    const device = await deviceOf(team, anna)
    const { personId, trainings } = await readOwn(device)
    const step = { id: 'a', title: 'Another one', description: '', start: 0, end: 60 }
    await answerOf(StepsAnswer, `/api/steps/${moduleId}`, { ...team, json: { steps: [step] } })
    const versions = `/api/versions/${moduleId}`
    const { hash: draft } = await answerOf(VersionAnswer, `${versions}/draft`, team)
    const { published } = await answerOf(VersionsAnswer, versions, team)
    const next = { draft, published, note: '', retraining: 'all' }
    await answerOf(VersionsAnswer, versions, { ...team, json: next })
    const path = `/api/my/trainings/${moduleId}/confirm`
    const shown = { personId, version: trainings[0]?.version, language: 'de' }
    expect((await problemOf(path, { ...device, json: shown })).code).toBe('version_conflict')
    await askDaysAgo(team.orgId, moduleId, 2)
    const offlineAtMs = Date.now() - DAY_MS
    const unknown = { ...shown, version: 'f'.repeat(64), offlineAtMs }
    expect((await problemOf(path, { ...device, json: unknown })).code).toBe('version_conflict')
    for (let time = 0; time < 2; time++) await answerOf(Done, path, { ...device, json: { ...shown, offlineAtMs } })
    const records = await listRecordsOf(env.DB, team.orgId, { personId: anna, moduleId })
    expect(records.slice(1).map(({ body }) => body)).toMatchObject([
      {
        kind: 'confirmed',
        training: { version: shown.version, number: 1 },
        wasOffline: true,
        deviceTime: new Date(offlineAtMs).toISOString(),
      },
      { kind: 'retraining', training: { number: 2 } },
    ])
    // The clock of a device that is ahead of ours.
    const now = { ...shown, version: draft, offlineAtMs: Date.now() + DAY_MS }
    await answerOf(Done, path, { ...device, json: now })
    const [last] = (await listRecordsOf(env.DB, team.orgId, { personId: anna, moduleId })).slice(-1)
    expect(last?.body).toMatchObject({ kind: 'confirmed', training: { number: 2 }, wasOffline: true })
    const deviceTime = last?.body.kind === 'confirmed' ? last.body.deviceTime : null
    expect(Date.parse(deviceTime ?? '')).toBeLessThanOrEqual(Date.now())
  })

  it.each([
    ['as the device says', 10, 5, 5],
    ['when it was asked for', 10, 50, 10],
    ['when the device can have kept it', 200, 150, 90],
  ])('has the time of what was confirmed without a network %s at the earliest', async (_what, asked, said, days) => {
    const { team, moduleId } = await newTeam()
    const anna = await addPerson(team, 'Anna')
    await assign(team, moduleId, { personIds: [anna] }, { rule: { ...RULE, reached: false } })
    const device = await deviceOf(team, anna)
    const { personId, trainings } = await readOwn(device)
    await askDaysAgo(team.orgId, moduleId, asked)
    const json = { personId, version: trainings[0]?.version, language: 'de', offlineAtMs: Date.now() - said * DAY_MS }
    await answerOf(Done, `/api/my/trainings/${moduleId}/confirm`, { ...device, json })
    const last = (await listRecordsOf(env.DB, team.orgId, { personId: anna, moduleId })).at(-1)?.body
    const deviceTime = last?.kind === 'confirmed' ? Date.parse(last.deviceTime ?? '') : Number.NaN
    expect(Math.round((Date.now() - deviceTime) / DAY_MS)).toBe(days)
  })

  it('counts what its device sends later for its own person, and nothing once it was taken back', async () => {
    const { team, moduleId } = await newTeam()
    const [anna, bo] = [await addPerson(team, 'Anna'), await addPerson(team, 'Bo')]
    await assign(team, moduleId, { personIds: [anna, bo] })
    const { session } = await watchAll(await deviceOf(team, anna), moduleId)
    const later = { moduleId, session, seq: 2, segments: [[0, 600]], position: 0 }
    const bosDevice = await deviceOf(team, bo)
    expect((await call('/api/learning-metrics', { ...bosDevice, json: later })).status).toBe(200)
    expect((await readOwn(bosDevice)).trainings).toMatchObject([{ startedAt: null, reachedAt: null }])
    await answerOf(PersonAnswer, `/api/people/${anna}/link`, { ...team, method: 'DELETE' })
    const refused = await problemOf('/api/learning-metrics', { ...bosDevice, json: { ...later, seq: 3 } })
    expect(refused.code).toBe('session_invalid')
  })

  it('counts what was begun under an entry that was joined to another one for that one', async () => {
    const { team, moduleId } = await newTeam()
    const [twice, anna] = [await addPerson(team, 'A. Berg'), await addPerson(team, 'Anna Berg')]
    await assign(team, moduleId, { personIds: [twice] })
    const device = await deviceOf(team, twice)
    const session = await openLongAgo(device, moduleId)
    await answerOf(PersonAnswer, `/api/people/${twice}/join`, { ...team, json: { into: anna } })
    const json = { moduleId, session, seq: 1, segments: [[0, 600]], position: 0 }
    expect((await call('/api/learning-metrics', { json })).status).toBe(200)
    expect((await listRecordsOf(env.DB, team.orgId, { personId: anna, moduleId })).at(-1)?.body.kind).toBe('reached')
    expect((await call('/api/my?lang=en', device)).ok).toBe(false)
  })
})

describe('a shared device', () => {
  async function newDevice() {
    const { team, moduleId } = await newTeam()
    const { groups } = await answerOf(GroupsAnswer, '/api/groups', { ...team, json: { name: 'Line 3' } })
    const groupId = groups[0]?.id ?? ''
    const people = await Promise.all(['Anna', 'Bo', 'Cem'].map((name) => addPerson(team, name, [groupId])))
    await assign(team, moduleId, { groupIds: [groupId] })
    const codes = await Promise.all(
      people.map(
        async (id) => (await answerOf(CodeAnswer, `/api/people/${id}/code`, { ...team, method: 'POST' })).code,
      ),
    )
    const { path } = await answerOf(SecretLinkAnswer, `/api/groups/${groupId}/link`, { ...team, method: 'POST' })
    return { team, moduleId, groupId, people, codes, key: path.slice('/my#'.length) }
  }

  const enter = (key: string, code: string) => call('/api/my/code', { json: { key, code } })

  it('is that of one person after the other', async () => {
    const { moduleId, codes, key } = await newDevice()
    expect(await answerOf(OpenLinkAnswer, '/api/my/open', { json: { key } })).toMatchObject({
      kind: 'group',
      name: 'Line 3',
    })
    for (const [index, code] of codes.entries()) {
      const device = { headers: { cookie: cookieOf(await enter(key, ` ${code.toLowerCase()} `)) } }
      const own = await readOwn(device)
      expect(own).toMatchObject({
        name: ['Anna', 'Bo', 'Cem'][index],
        isShared: true,
        trainings: [{ startedAt: null }],
      })
      expect((await watchAll(device, moduleId)).response.status).toBe(200)
      const left = await call('/api/my/leave', { ...device, method: 'POST' })
      expect(left.headers.getSetCookie()[0]).toMatch(/^adapt_person=;.*Max-Age=0/)
    }
  })

  it('is nobody’s once its link is taken back or made anew, and for whoever leaves the group', async () => {
    const { team, moduleId, groupId, people, codes, key } = await newDevice()
    const [anna, bo] = await Promise.all(
      codes.slice(0, 2).map(async (code) => ({ headers: { cookie: cookieOf(await enter(key, code)) } })),
    )
    if (anna === undefined || bo === undefined) throw new Error('Two people have entered their codes.')
    const { session } = await watchAll(bo, moduleId)
    const link = `/api/groups/${groupId}/link`
    await answerOf(PersonAnswer, `/api/people/${people[0]}`, { ...team, method: 'PATCH', json: { groupIds: [] } })
    expect((await problemOf('/api/my?lang=en', anna)).code).toBe('unauthenticated')
    expect(await readOwn(bo)).toMatchObject({ name: 'Bo' })
    await answerOf(SecretLinkAnswer, link, { ...team, method: 'POST' })
    expect((await problemOf('/api/my?lang=en', bo)).code).toBe('unauthenticated')
    const report = { moduleId, session, seq: 2, segments: [[0, 5]], position: 0 }
    expect((await problemOf('/api/learning-metrics', { json: report })).code).toBe('session_invalid')
  })

  it('takes five wrong codes a quarter of an hour, and none that belongs to nobody in the group', async () => {
    const { team, codes, key } = await newDevice()
    const outsider = await addPerson(team, 'Dee')
    const { code } = await answerOf(CodeAnswer, `/api/people/${outsider}/code`, { ...team, method: 'POST' })
    // Right ones do not count.
    for (let time = 0; time < 7; time++) expect((await enter(key, codes[0] ?? '')).status).toBe(200)
    const tries = await Promise.all([code, 'AAAA2222', 'BBBB2222', '', 'CCCC2222'].map((each) => enter(key, each)))
    expect(tries.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect((await enter(key, codes[1] ?? '')).status).toBe(429)
  })
})

describe('members of the organization', () => {
  it('are people by their account, and see what is assigned to them', async () => {
    const { team, moduleId } = await newTeam()
    const member = { as: `user_${nanoid(8)}`, orgId: team.orgId, orgRole: 'org:member' }
    const open = () => call('/api/my/account', { ...member, json: { name: 'Mia Falk' } })
    const cookie = cookieOf(await open())
    const device = { headers: { cookie: `${cookie}; __client_uat=1700000000` } }
    const { id } = (await env.DB.prepare('SELECT id FROM people WHERE user_id = ?').bind(member.as).first()) as {
      id: string
    }
    await assign(team, moduleId, { personIds: [id] })
    await open()
    expect(await readOwn(device)).toMatchObject({ name: 'Mia Falk', trainings: [{ moduleId }] })
    const person = async (json: object) =>
      (await answerOf(PersonAnswer, `/api/people/${id}`, { ...team, method: 'PATCH', json })).person
    // The browser has said the name; who manages the organization stands for it.
    expect(await person({ isActive: true })).toMatchObject({ name: 'Mia Falk', isNameChecked: false })
    expect(await person({ name: 'Mia Falk' })).toMatchObject({ isNameChecked: true })
    expect(await person({ isActive: true })).toMatchObject({ isNameChecked: true })
    const signedOut = { headers: { cookie: `${cookie}; __client_uat=0` } }
    expect((await problemOf('/api/my?lang=en', signedOut)).code).toBe('unauthenticated')
    const afterwards = await call('/api/my/account', { ...device, method: 'DELETE' })
    expect(afterwards.headers.getSetCookie()).toEqual([expect.stringMatching(/^adapt_member=;.*Max-Age=0/)])
    const alone = { as: member.as, json: { name: 'Mia Falk' } }
    expect(await answerOf(OpenAccountAnswer, '/api/my/account', alone)).toMatchObject({ isOpen: false })
  })

  it('leave nothing to another account of the same browser', async () => {
    const { team } = await newTeam()
    const of = (as: string) => ({ as, orgId: team.orgId, orgRole: 'org:member', json: { name: as } })
    const left = cookieOf(await call('/api/my/account', of('user_mia')))
    const headers = { cookie: `${left}; __client_uat=1700000000` }
    const dropped = /^adapt_member=;.*Max-Age=0/
    // Also where the other account is nobody's person, or only works elsewhere in Adapt.
    const nobody = await call('/api/my/account', { as: 'user_bo', json: { name: 'Bo' }, headers })
    const elsewhere = await call('/api/modules', { as: 'user_bo', headers })
    const own = await call('/api/modules', { as: 'user_mia', headers })
    expect([nobody, elsewhere].map(({ status }) => status)).toEqual([200, 200])
    expect(nobody.headers.getSetCookie()[0]).toMatch(dropped)
    expect(elsewhere.headers.getSetCookie()).toEqual([expect.stringMatching(dropped)])
    expect(own.headers.getSetCookie()).toEqual([])
  })
})
