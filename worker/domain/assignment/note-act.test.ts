import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { expect, it } from 'vitest'
import { SessionAnswer } from '#contract/learning.ts'
import { StepsAnswer } from '#contract/step.ts'
import { AssignmentsAnswer, SettleAnswer } from '#contract/team/assignment.ts'
import { OwnTrainingsAnswer } from '#contract/team/my-trainings.ts'
import { PersonAnswer } from '#contract/team/people.ts'
import { VersionAnswer, VersionsAnswer } from '#contract/version.ts'
import { answerOf } from '#local/testing/api.ts'
import { LEARNING_PATH, sendReport } from '#local/testing/learners.ts'
import { seedModule } from '#local/testing/modules.ts'
import { readSession, signSession } from '#worker/domain/learning/learner-token.ts'
import { findSessionAssigned } from '#worker/domain/learning/start-session.ts'
import { removeObjects } from '#worker/domain/media/remove-objects.ts'
import { signPerson } from '#worker/domain/module/assigned-access.ts'
import { listRecordsOf } from '#worker/domain/record/record-store.ts'
import { askAgain } from '#worker/domain/retraining/ask-again.ts'
import { listUnasked } from '#worker/domain/retraining/retraining-store.ts'
import { versionsOf } from '#worker/domain/version/version-objects.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { noteReached } from './note-act.ts'

const context = openContext(env)
const HOUR_MS = 60 * 60_000
const RULE = { reached: true, confirmed: false, signedOff: false }
const ALL: [number, number][] = [[0, 60]]
const ONE_SECOND: [number, number][] = [[0, 1]]

/** A training in version 1 that is assigned to a person, and the device of that person. */
async function seedAssigned({ everyMonths = null }: { everyMonths?: number | null } = {}) {
  const team = { as: `user_${nanoid(8)}`, orgId: `org_${nanoid(8)}`, orgRole: 'org:admin' }
  const ready = { status: 'READY', runStatus: 'READY', durationMs: 60_000 } as const
  const { id: moduleId } = await seedModule({ userId: team.as, orgId: team.orgId, ...ready })
  const versions = `/api/versions/${moduleId}`
  const save = (title: string, end = 60) =>
    answerOf(StepsAnswer, `/api/steps/${moduleId}`, {
      ...team,
      json: { steps: [{ id: 'a', title, description: '', start: 0, end }] },
    })
  await save('First')
  const person = (
    await answerOf(PersonAnswer, '/api/people', { ...team, json: { name: 'Anna', number: null, groupIds: [] } })
  ).person.id
  const subject = { kind: 'training', id: moduleId }
  const to = { groupIds: [], personIds: [person], rule: RULE, due: null, everyMonths }
  const json = { subject, ...to, byName: 'Bea Holm', timeZone: 'Europe/Berlin' }
  await answerOf(SettleAnswer, '/api/assignments', { ...team, json })
  // Sessions of before now are this person's, too.
  await env.DB.prepare('UPDATE people SET access_from = 0 WHERE org_id = ?').bind(team.orgId).run()
  const known = { orgId: team.orgId, personId: person, knownBy: 'personal_link' } as const
  const headers = { cookie: `adapt_person=${await signPerson(context, known)}` }
  let pages = 0
  return {
    openNow: async (fields: object = {}) =>
      (await answerOf(SessionAnswer, `${LEARNING_PATH}/${moduleId}/sessions`, { headers, json: fields })).session,
    /** Opens the page an hour ago: all that a test plays could have been played since. */
    open: async (fields: object = {}) => {
      const { session } = await answerOf(SessionAnswer, `${LEARNING_PATH}/${moduleId}/sessions`, {
        headers,
        json: fields,
      })
      const read = await readSession(env.TICKET_SECRET, session, moduleId)
      if (read === null) throw new Error('no session')
      pages += 1
      const { kind: _kind, ...rest } = read
      const startedAtMs = Date.now() - HOUR_MS
      return signSession(env.TICKET_SECRET, { ...rest, sessionId: `page-${pages}`, startedAtMs })
    },
    play: (session: string, segments: [number, number][], seq = 1, more = {}) =>
      sendReport({ moduleId, session, seq, segments, position: 0, ...more }),
    readTimes: async () => {
      const records = await listRecordsOf(env.DB, team.orgId, { personId: person, moduleId })
      return records.flatMap(({ body }) => (body.kind === 'reached' ? body.deviceTime : []))
    },
    publish: async (title: string, retraining: string, end?: number) => {
      await save(title, end)
      const { hash: draft } = await answerOf(VersionAnswer, `${versions}/draft`, team)
      const { published } = await answerOf(VersionsAnswer, versions, team)
      await answerOf(VersionsAnswer, versions, { ...team, json: { draft, published, note: '', retraining } })
    },
    assignAgain: async (more: object = {}) => {
      const { assignments } = await answerOf(AssignmentsAnswer, '/api/assignments', team)
      for (const { id } of assignments)
        await answerOf(SettleAnswer, `/api/assignments/${id}`, { ...team, method: 'DELETE' })
      await answerOf(SettleAnswer, '/api/assignments', { ...team, json: { ...json, ...more } })
    },
    readOwn: async () => (await answerOf(OwnTrainingsAnswer, '/api/my?lang=en', { headers })).trainings[0],
    sweep: async () => {
      for (const version of await listUnasked(env.DB, 1_000))
        if (version.moduleId === moduleId) await askAgain(context, version)
    },
    /** As a version that was published before timelines were stored. */
    forgetTimelines: () =>
      env.DB.prepare('UPDATE training_versions SET timeline = NULL WHERE module_id = ?').bind(moduleId).run(),
    removeObjects: () => removeObjects(env.MEDIA, versionsOf(moduleId)),
    readStepsVersion: () =>
      env.DB.prepare('SELECT max(steps_version) AS last FROM training_versions WHERE module_id = ?')
        .bind(moduleId)
        .first('last'),
    readPage: (session: string) => readSession(env.TICKET_SECRET, session, moduleId),
    /** Lists the versions of which it is recorded that the person has reached all of it. */
    reached: async () => {
      const records = await listRecordsOf(env.DB, team.orgId, { personId: person, moduleId })
      return records.flatMap(({ body }) => (body.kind === 'reached' ? body.training.number : []))
    },
  }
}

it('counts what an open page plays for the version that it shows, also once another one is published', async () => {
  const { open, play, publish, sweep, reached } = await seedAssigned()
  const tab = await open()
  await play(tab, ALL)
  expect(await reached()).toEqual([1])
  await publish('Changed', 'changed')
  await play(tab, ONE_SECOND, 2)
  await sweep()
  await play(tab, ALL, 3)
  expect(await reached()).toEqual([1])
  await play(await open(), ONE_SECOND)
  expect(await reached()).toEqual([1])
  await play(await open(), ALL)
  expect(await reached()).toEqual([1, 2])
})

it('counts nothing for a version of which it is not recorded yet whom it asks', async () => {
  const { open, play, publish, sweep, reached } = await seedAssigned()
  await play(await open(), ALL)
  await publish('Changed', 'changed')
  const early = await open()
  await play(early, ONE_SECOND)
  await sweep()
  await play(early, ALL, 2)
  expect(await reached()).toEqual([1])
})

it('counts what was watched in a copy on the device for the version of the copy', async () => {
  const { open, play, publish, sweep, reached } = await seedAssigned()
  const since = await open()
  await publish('Changed', 'all')
  await sweep()
  await play(await open({ since }), ALL)
  expect(await reached()).toEqual([1])
})

it('takes a page at its word about the version that it shows', async () => {
  const { open, play, publish, readStepsVersion, reached } = await seedAssigned()
  const since = await open()
  await publish('Changed', 'none')
  const stepsVersion = await readStepsVersion()
  await play(await open({ since, stepsVersion }), ALL)
  expect(await reached()).toEqual([2])
})

it('counts seconds for a later version only while they are of the same steps', async () => {
  const { open, play, publish, reached } = await seedAssigned()
  await play(await open(), [[0, 50]])
  await publish('Other words', 'none')
  await play(await open(), [[50, 55]])
  expect(await reached()).toEqual([2])
  await publish('Other times', 'none', 30)
  await play(await open(), ONE_SECOND)
  expect(await reached()).toEqual([2])
})

it('does not renew by a page from before that was due', async () => {
  const { open, play, readPage, reached } = await seedAssigned({ everyMonths: 1 })
  const tab = await open()
  await play(tab, ALL)
  expect(await reached()).toEqual([1])
  const later = { ...context, nowMs: () => Date.now() + 20 * 24 * HOUR_MS }
  const session = await readPage(tab)
  const assigned = session && (await findSessionAssigned(later, session))
  if (!assigned) throw new Error('no assignment')
  const report = { session, seen: ALL, countOpenings: async () => 1 }
  await noteReached(later, { ...assigned, wasOffline: false }, report)
  expect(await reached()).toEqual([1])
  const learnerId = session.learnerId?.replace(':1:', `:r${assigned.known.done?.seq}:`) ?? null
  await noteReached(later, { ...assigned, wasOffline: false }, { ...report, session: { ...session, learnerId } })
  expect(await reached()).toEqual([1, 1])
})

it('counts only what can have been played since the page was opened, or since the copy was kept', async () => {
  const { open, openNow, play, readPage, reached } = await seedAssigned()
  await play(await openNow(), ALL)
  await play(await openNow({ since: 'no.token' }), ALL)
  expect(await reached()).toEqual([])
  expect(await readPage(await openNow({ since: 'no.token' }))).toMatchObject({ isKept: false })
  const kept = await openNow({ since: await open() })
  expect(await readPage(kept)).toMatchObject({ isKept: true })
  await play(kept, ALL)
  expect(await reached()).toEqual([1])
})

it.each([
  ['as its device says', -HOUR_MS / 2, -HOUR_MS / 2],
  ['no earlier than the page was opened', -99 * HOUR_MS, -HOUR_MS],
  ['no later than it is', HOUR_MS, 0],
])('records when something was done %s', async (_what, saidMs, recordedMs) => {
  const { open, play, readTimes } = await seedAssigned()
  const beforeMs = Date.now()
  await play(await open(), ALL, 1, { playedAtMs: beforeMs + saidMs })
  const [time] = await readTimes()
  const afterMs = Date.now()
  expect(Date.parse(time ?? '')).toBeGreaterThanOrEqual(beforeMs + recordedMs)
  expect(Date.parse(time ?? '')).toBeLessThanOrEqual(afterMs + recordedMs)
})

it('reads no object of a version while people learn, but once of one that was published earlier', async () => {
  const { open, play, publish, forgetTimelines, removeObjects: loseObjects, reached } = await seedAssigned()
  await forgetTimelines()
  await open()
  await loseObjects()
  await play(await open(), ALL)
  expect(await reached()).toEqual([1])
  await publish('Changed', 'none')
  await loseObjects()
  await play(await open(), ALL)
  expect(await reached()).toEqual([1, 2])
})

it('counts for an assignment what was done since it was made, unless it counts what was done before', async () => {
  const { open, play, assignAgain, readOwn, reached } = await seedAssigned()
  await play(await open(), ALL)
  expect(await readOwn()).toMatchObject({ isOpen: false })
  await assignAgain({ countsEarlier: true })
  expect(await readOwn()).toMatchObject({ isOpen: false })
  await assignAgain()
  expect(await readOwn()).toMatchObject({ isOpen: true, startedAt: null, reachedAt: null })
  const page = await open()
  await play(page, ONE_SECOND)
  expect(await reached()).toEqual([1])
  await play(page, ALL, 2)
  expect(await reached()).toEqual([1, 1])
  expect(await readOwn()).toMatchObject({ isOpen: false })
})

it('asks whoever does an older version late for what versions after it ask for', async () => {
  const { open, play, publish, sweep, reached, readOwn } = await seedAssigned()
  const copy = await open()
  await publish('Changed', 'changed')
  await publish('Changed again', 'none')
  await sweep()
  await play(copy, ALL)
  expect(await reached()).toEqual([1])
  expect(await readOwn()).toMatchObject({ isOpen: true, changedSteps: 1 })
  const page = await open()
  await play(page, ALL)
  expect(await reached()).toEqual([1, 3])
  expect(await readOwn()).toMatchObject({ isOpen: false, changedSteps: null })
})

it('asks whoever does an older version late for nothing where no version after it asks', async () => {
  const { open, play, publish, sweep, readOwn } = await seedAssigned()
  const copy = await open()
  await publish('Changed', 'none')
  await sweep()
  await play(copy, ALL)
  expect(await readOwn()).toMatchObject({ isOpen: false, changedSteps: null })
})
