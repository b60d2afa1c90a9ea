// Behaviour: reports of watching: sessions, clocks that are wrong, progress from before signing in.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { LearningAnswer, LearningMetricsAnswer, SessionAnswer } from '#contract/learning.ts'
import { Conversation } from '#contract/tutor.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { LEARNING_PATH, openLearnerPage, saveManySteps, seedLessons, sendReport } from '#local/testing/learners.ts'
import { openDb } from '#worker/db/db.ts'
import { accountLearnerId } from '#worker/domain/learning/learner-token.ts'
import {
  listUses,
  NETWORKS_PER_SITE,
  NEW_LEARNERS_PER_ADDRESS,
  NEW_LEARNERS_PER_ADDRESS_AND_MODULE,
  NEW_LEARNERS_PER_MODULE,
  REPORTS_PER_DAY,
  REPORTS_PER_LEARNER,
  REPORTS_PER_MODULE,
  SESSIONS_PER_LEARNER,
  SUMMED_EVERY,
} from '#worker/domain/learning/learning-limits.ts'
import { noteLearning } from '#worker/domain/learning/note-learning.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { dayOf } from '#worker/domain/quota/take-quota.ts'
import { photosOf } from '#worker/domain/step-report/report-photo.ts'

/** As how many reports the first one of an opened page counts. */
const COUNTED_FIRST = 2
/** `CALLER_LIMIT` of wrangler.toml, by session. */
const REPORTS_PER_MINUTE = 120
const OFFICE = '203.0.113.7'
const ELSEWHERE = '198.51.100.9'

function start(moduleId: string, json = {}, options: { as?: string; from?: string } = {}) {
  const headers: Record<string, string> = options.from === undefined ? {} : { 'cf-connecting-ip': options.from }
  const path = `${LEARNING_PATH}/${moduleId}/sessions`
  return answerOf(SessionAnswer, path, { as: options.as ?? null, json, headers })
}

const metricsOf = (as: string, moduleId: string) =>
  answerOf(LearningMetricsAnswer, `${LEARNING_PATH}/${moduleId}`, { as })

const rowsOf = async (table: string, moduleId: string) =>
  (await env.DB.prepare(`SELECT * FROM ${table} WHERE module_id = ?`).bind(moduleId).all()).results

/** Uses up the sums of a day for this module and network. */
async function useUp(
  { max, ...of }: { moduleId: string; network?: string | null; site?: string; learnerId?: string; max: number },
  isNew: boolean,
  amount = max,
) {
  const defaults = { network: null, site: null, learnerId: 'anyone:before', holder: null }
  const reporter = { ...defaults, ...of, day: dayOf(Date.now()) }
  const uses = await listUses(env.TICKET_SECRET, reporter, { isNew, reports: 1, number: 1 })
  const kept = uses.filter(({ learnersMax, reportsMax }) => (isNew ? learnersMax : reportsMax) === max)
  expect(kept).toHaveLength(1)
  const insert = env.DB.prepare(
    'INSERT OR REPLACE INTO learning_uses (day, who, learners, reports) VALUES (?, ?, ?, ?)',
  )
  await env.DB.batch(kept.map(({ who }) => insert.bind(reporter.day, who, isNew ? amount : 0, isNew ? 0 : amount)))
}

const report = (moduleId: string, session: string, from: string) => ({
  json: { moduleId, session, seq: 1, segments: [], position: 0 },
  headers: { 'cf-connecting-ip': from },
})

describe('POST /api/learning-metrics/{id}/sessions', () => {
  it('issues ids that the server knows again, and writes nothing', { tags: 'attack-11' }, async () => {
    const { moduleId } = await seedLessons()
    const first = await start(moduleId)
    const again = await start(moduleId, { learner: first.learner })
    expect(again).toMatchObject({ learner: first.learner, hasAccount: false, progress: { seen: [] } })
    expect(again.session).not.toBe(first.session)
    expect(await rowsOf('learners', moduleId)).toEqual([])
    await sendReport({ moduleId, session: first.session, seq: 1, segments: [[0, 0]], position: 3 })
    await sendReport({ moduleId, session: again.session, seq: 1, segments: [[0, 0]], position: 4 })
    expect(await rowsOf('learners', moduleId)).toHaveLength(1)
    expect((await start(moduleId, { learner: first.learner })).progress).toMatchObject({ position: 4 })
  })

  it('refuses reports of sessions that it has not started, and of those of another module or person', {
    tags: 'attack-11',
  }, async () => {
    const [{ moduleId }, other] = [await seedLessons(), await seedLessons()]
    const { session, learner } = await start(moduleId)
    const account = await start(moduleId, {}, { as: 'user_a' })
    const json = { moduleId, seq: 1, segments: [[0, 1]], position: 1 }
    const [payload, signature] = session.split('.') as [string, string]
    const forged = btoa(atob(payload).replace(/"startedAtMs":\d+/, '"startedAtMs":1')).replaceAll('=', '')
    for (const token of ['', 'a.b', learner, `${forged}.${signature}`, `${payload}.${'A'.repeat(43)}`])
      expect(await problemOf(LEARNING_PATH, { json: { ...json, session: token } })).toMatchObject({
        status: 403,
        code: 'session_invalid',
      })
    const elsewhere = { ...json, moduleId: other.moduleId, session }
    expect(await problemOf(LEARNING_PATH, { json: elsewhere })).toMatchObject({ code: 'session_invalid' })
    const another = { as: 'user_b', json: { ...json, session: account.session } }
    expect(await problemOf(LEARNING_PATH, another)).toMatchObject({ code: 'session_invalid' })
    expect(await rowsOf('learners', moduleId)).toEqual([])
  })

  it('lets an office of 200 begin at once, and stops a flood from one address without stopping others', {
    tags: 'attack-12',
  }, async () => {
    const { moduleId } = await seedLessons()
    const known = await start(moduleId, {}, { from: OFFICE })
    const begin = (from: string) =>
      call(`${LEARNING_PATH}/${moduleId}/sessions`, { json: {}, headers: { 'cf-connecting-ip': from } })
    const office = await Promise.all(Array.from({ length: 200 }, () => begin(OFFICE)))
    expect(office.every(({ status }) => status === 200)).toBe(true)
    const flood = async () => Promise.all(Array.from({ length: 150 }, () => begin(OFFICE)))
    // A slow machine may see the end of the limit's minute between the two.
    await expect
      .poll(async () => (await flood()).filter(({ status }) => status === 429).length, { timeout: 60_000 })
      .toBeGreaterThan(20)
    expect((await start(moduleId, { learner: known.learner }, { from: OFFICE })).learner).toBe(known.learner)
    expect((await begin(ELSEWHERE)).status).toBe(200)
  })

  it.each([
    ['one address has sent as many new learners as it may', OFFICE, NEW_LEARNERS_PER_ADDRESS_AND_MODULE, 200],
    ['a module has as many new learners as it may', null, NEW_LEARNERS_PER_MODULE, 429],
  ])('continues to count known learners when %s', { tags: 'attack-12' }, async (_what, network, amount, elsewhere) => {
    const { moduleId } = await seedLessons()
    const [known, fresh, other] = [await start(moduleId), await start(moduleId), await start(moduleId)]
    expect((await call(LEARNING_PATH, report(moduleId, known.session, OFFICE))).status).toBe(200)
    await env.DB.prepare('DELETE FROM learning_uses').run()
    await useUp({ moduleId, network, max: amount }, true)
    const refused = await call(LEARNING_PATH, report(moduleId, fresh.session, OFFICE))
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 1_800])
    expect((await call(LEARNING_PATH, report(moduleId, other.session, ELSEWHERE))).status).toBe(elsewhere)
    const more = report(moduleId, known.session, OFFICE)
    expect((await call(LEARNING_PATH, { ...more, json: { ...more.json, seq: 2 } })).status).toBe(200)
    const account = await start(moduleId, {}, { as: 'user_known' })
    const signedIn = { ...report(moduleId, account.session, OFFICE), as: 'user_known' }
    expect((await call(LEARNING_PATH, signedIn)).status).toBe(200)
  })

  it('counts no more reports of one address on one day than it may, exactly, and others as before', {
    tags: 'attack-13',
  }, async () => {
    const { as, moduleId } = await seedLessons()
    await useUp({ moduleId, network: OFFICE, max: REPORTS_PER_DAY }, false, REPORTS_PER_DAY - 2 * COUNTED_FIRST)
    const sessions = await Promise.all(Array.from({ length: 5 }, () => start(moduleId)))
    const answers = await Promise.all(
      sessions.map(({ session }) => call(LEARNING_PATH, report(moduleId, session, OFFICE))),
    )
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 429, 429, 429])
    const { session } = await start(moduleId)
    expect((await call(LEARNING_PATH, report(moduleId, session, ELSEWHERE))).status).toBe(200)
    expect(await metricsOf(as, moduleId)).toMatchObject({ learners: 3 })
  })

  it.each([
    ['reports', NETWORKS_PER_SITE * REPORTS_PER_DAY, false],
    ['new learners', NETWORKS_PER_SITE * NEW_LEARNERS_PER_ADDRESS, true],
    ['new learners at a module', NETWORKS_PER_SITE * NEW_LEARNERS_PER_ADDRESS_AND_MODULE, true],
  ])(
    'counts %s of all networks of a /48 together, and of others as before',
    { tags: 'attack-64' },
    async (_what, max, isNew) => {
      const { moduleId } = await seedLessons()
      await useUp({ moduleId, site: '2001:db8:7', max }, isNew)
      const from = async (address: string) => {
        const { session } = await start(moduleId)
        return (await call(LEARNING_PATH, report(moduleId, session, address))).status
      }
      expect(await from('2001:db8:7:1::1')).toBe(429)
      expect(await from('2001:db8:7:2::1')).toBe(429)
      expect(await from('2001:db8:8:1::1')).toBe(200)
    },
  )

  it('counts no more reports of one learner on one day than it may, whatever address they come from', {
    tags: 'attack-64',
  }, async () => {
    const { moduleId } = await seedLessons()
    const page = await openLearnerPage(moduleId)
    const send = async () => (await call(LEARNING_PATH, { json: page.next([]) })).status
    expect(await send()).toBe(200)
    const sql = 'SELECT learner_id FROM learners WHERE module_id = ?'
    const learnerId = (await env.DB.prepare(sql).bind(moduleId).first<string>('learner_id')) ?? ''
    await useUp({ moduleId, learnerId, max: REPORTS_PER_LEARNER }, false)
    expect(await send()).toBe(429)
    const { session } = await start(moduleId)
    expect((await call(LEARNING_PATH, report(moduleId, session, ELSEWHERE))).status).toBe(200)
  })

  it('adds to the sums of a learner, a module and a site all that a learner has reported', {
    tags: 'attack-64',
  }, async () => {
    const { moduleId } = await seedLessons()
    await env.DB.prepare('DELETE FROM learning_uses').run()
    const page = await openLearnerPage(moduleId)
    const headers = { 'cf-connecting-ip': '2001:db8:9:1::1' }
    for (let sent = 0; sent < 2 * SUMMED_EVERY; sent += 1)
      expect((await call(LEARNING_PATH, { json: page.next([]), headers })).status).toBe(200)
    const { results } = await env.DB.prepare('SELECT reports FROM learning_uses ORDER BY reports').all()
    // New learners of a module at a network and at its site; the sums; the network, where the first counts as two.
    const [none, sum] = [0, 2 * SUMMED_EVERY]
    expect(results.map(({ reports }) => reports)).toEqual([none, none, sum, sum, sum, sum + COUNTED_FIRST - 1])
  })

  it('counts no more reports of one module on one day than it may, of accounts too', {
    tags: 'attack-64',
  }, async () => {
    const { moduleId } = await seedLessons()
    await useUp({ moduleId, max: REPORTS_PER_MODULE }, false)
    for (const as of [undefined, 'user_watching']) {
      const { session } = await start(moduleId, {}, as === undefined ? {} : { as })
      const sent = { ...report(moduleId, session, ELSEWHERE), as: as ?? null }
      expect((await call(LEARNING_PATH, sent)).status).toBe(429)
    }
    const other = await seedLessons()
    const { session } = await start(other.moduleId)
    expect((await call(LEARNING_PATH, report(other.moduleId, session, ELSEWHERE))).status).toBe(200)
  })

  it('counts a report that changes very many steps as the reports that playing them takes', {
    tags: 'attack-14',
  }, async () => {
    const lessons = await seedLessons({ durationMs: 3_000_000 })
    const { moduleId } = lessons
    await saveManySteps(lessons, 300, 10)
    await metricsOf(lessons.as, moduleId)
    await sendReport((await openLearnerPage(moduleId)).next([[0, 1]]))
    await metricsOf(lessons.as, moduleId)
    await useUp({ moduleId, network: OFFICE, max: REPORTS_PER_DAY }, false, REPORTS_PER_DAY - 50)
    const from = { headers: { 'cf-connecting-ip': OFFICE } }
    const send = async (to: number) =>
      call(LEARNING_PATH, { ...from, json: (await openLearnerPage(moduleId)).next([[0, to]]) })
    expect((await send(3_000)).status).toBe(429)
    expect((await send(10)).status).toBe(200)
    expect(await metricsOf(lessons.as, moduleId)).toMatchObject({ learners: 2 })
  })

  it('limits the reports of a session by the minute', { tags: 'attack-13' }, async () => {
    const { moduleId } = await seedLessons()
    const page = await openLearnerPage(moduleId)
    const send = () => call(LEARNING_PATH, { json: page.next([]) })
    const statuses: number[] = []
    // Minutes are those of the clock, so that a slow run may begin in one and be refused in the next.
    while (statuses.length <= 2 * REPORTS_PER_MINUTE && statuses.at(-1) !== 429) statuses.push((await send()).status)
    expect(statuses.slice(0, -1).every((status) => status === 200)).toBe(true)
    expect(statuses.length).toBeGreaterThan(REPORTS_PER_MINUTE)
    expect(statuses.at(-1)).toBe(429)
  })

  it('keeps the newest sessions of a learner, each within a kilobyte', { tags: 'attack-15' }, async () => {
    const { moduleId } = await seedLessons({ durationMs: 3_600_000 })
    const first = await openLearnerPage(moduleId)
    const scattered = Array.from({ length: 200 }, (_, at): [number, number] => [at * 5, at * 5 + 1.5])
    await sendReport(first.next(scattered))
    for (let visit = 0; visit < SESSIONS_PER_LEARNER + 3; visit++)
      await sendReport((await openLearnerPage(moduleId, first)).next([[visit, visit + 1]]))
    const sessions = await rowsOf('learning_sessions', moduleId)
    expect(sessions).toHaveLength(SESSIONS_PER_LEARNER)
    for (const row of [...sessions, ...(await rowsOf('learners', moduleId))]) {
      const kept = ['played', 'seen', 'again', 'verified'].map((column) => row[column] ?? '')
      expect(JSON.stringify(kept).length).toBeLessThan(1_100)
    }
  })
})

describe('a report ahead of the clock', () => {
  /** A report of the whole video, so many seconds after the session began. */
  async function reportAfter(seconds: number) {
    const { as, moduleId } = await seedLessons()
    const module = await findModule(openDb(env.DB), moduleId)
    if (module === null) throw new Error('the module is gone')
    const startedAtMs = Date.now()
    const session = { kind: 'session' as const, moduleId, learnerId: 'anyone:x', sessionId: nanoid(), startedAtMs }
    const nowMs = startedAtMs + seconds * 1000
    const context = { d1: env.DB, secrets: 'secret' }
    const whole = { seq: 1, segments: [[0, 100] as [number, number]], position: 100 }
    return {
      as,
      moduleId,
      nowMs,
      note: (at = nowMs) =>
        noteLearning({ ...context, nowMs: () => at }, module, { session, report: whole, network: null, site: null }),
    }
  }

  it('completes nothing that the clock does not allow: it is kept, and shown as self-reported', {
    tags: 'attack-20',
  }, async () => {
    const { as, moduleId, note } = await reportAfter(1)
    expect((await note()).progress).toMatchObject({ percent: 100, isCompleted: true })
    expect(await metricsOf(as, moduleId)).toMatchObject({ learners: 1, completed: 0, selfReported: 1 })
    await sendReport((await openLearnerPage(moduleId, { learnerId: 'anyone:x' })).next([[0, 95]]))
    expect(await metricsOf(as, moduleId)).toMatchObject({ learners: 1, completed: 1, selfReported: 0 })
  })

  it('is held against the time since the training was kept, by the session of the same learner', async () => {
    const { as, moduleId } = await seedLessons()
    const [kept, stranger] = [await openLearnerPage(moduleId), await openLearnerPage(moduleId)]
    const playAll = async (since: string, learner: string) => {
      const { session } = await start(moduleId, { learner, since })
      await sendReport({ moduleId, session, seq: 1, segments: [[0, 100]], position: 100 })
      return metricsOf(as, moduleId)
    }
    const own = await playAll(kept.session, kept.learner)
    expect(own).toMatchObject({ learners: 1, completed: 1, selfReported: 0 })
    const newcomer = await start(moduleId)
    const foreign = await playAll(stranger.session, newcomer.learner)
    expect(foreign).toMatchObject({ learners: 2, completed: 1, selfReported: 1 })
  })

  it('is retried where it is ahead by a little, and completes it then', async () => {
    const { as, moduleId, nowMs, note } = await reportAfter(45)
    await expect(note()).rejects.toMatchObject({ code: 'too_early', retryAfterS: 5 })
    expect(await metricsOf(as, moduleId)).toMatchObject({ learners: 0 })
    await note(nowMs + 5_000)
    expect(await metricsOf(as, moduleId)).toMatchObject({ completed: 1, selfReported: 0 })
  })
})

describe('progress from before signing in', () => {
  const visitorOf = ({ learner }: { learner: string }) => {
    const { learnerId } = JSON.parse(atob(learner.split('.')[0] ?? '')) as { learnerId: string }
    return { learnerId }
  }

  async function openSessions(moduleId: string, of: { as?: string; learnerId?: string }, count: number) {
    for (let opened = 0; opened < count; opened++)
      await sendReport((await openLearnerPage(moduleId, of)).next([]), of.as ?? null)
  }

  it('becomes the account’s, once, with sums as if it had always been', { tags: 'attack-21' }, async () => {
    const { as, moduleId } = await seedLessons()
    await metricsOf(as, moduleId)
    const visitor = await openLearnerPage(moduleId)
    await sendReport(visitor.next([[0, 30]]))
    await sendReport((await openLearnerPage(moduleId, { as: 'user_new' })).next([[20, 95]]), 'user_new')
    expect(await metricsOf(as, moduleId)).toMatchObject({ learners: 2, completed: 0, meanPercent: 52.5 })
    const claims = Array.from({ length: 3 }, () => start(moduleId, { claim: visitor.learner }, { as: 'user_new' }))
    for (const { progress, hasAccount } of await Promise.all(claims)) {
      expect(hasAccount).toBe(true)
      expect(progress).toMatchObject({ seen: [[0, 95]], percent: 95, isCompleted: true, position: 95 })
    }
    const after = await metricsOf(as, moduleId)
    expect(after).toMatchObject({ learners: 1, completed: 1, meanPercent: 95 })
    expect(after.steps).toMatchObject([
      { reached: 1, finished: 1, rewatched: 1, left: 0 },
      { reached: 1, finished: 1, rewatched: 0, left: 0 },
    ])
    expect(after.curve.learners.slice(0, 95).every((each) => each === 1)).toBe(true)
    const sessions = await rowsOf('learning_sessions', moduleId)
    expect(sessions.map((row) => row['learner_id'])).toEqual([
      accountLearnerId('user_new'),
      accountLearnerId('user_new'),
    ])
  })

  it('takes along what was reported and asked, so that erasing the account finds it', async () => {
    const { moduleId } = await seedLessons({ takesReports: true, linkAnswersPerDay: 0 })
    const as = `user_${nanoid(8)}`
    const visitor = await openLearnerPage(moduleId)
    const [learner, turnId] = [visitor.learner, nanoid()]
    const report = { id: nanoid(), stepId: 'first', kind: 'wrong', text: 'Mine.', learner }
    expect((await call(`/api/step-reports/${moduleId}`, { json: report })).status).toBe(200)
    const question = { question: 'Is it mine?', turnId, learner }
    expect((await call(`/api/asked/${moduleId}`, { json: question })).status).toBe(200)
    // Asked once more after signing in, with the same turn: one question.
    expect((await call(`/api/asked/${moduleId}`, { as, json: { ...question, learner: undefined } })).status).toBe(200)
    for (const _ of [1, 2]) await start(moduleId, { claim: learner }, { as })
    expect(await rowsOf('step_reports', moduleId)).toMatchObject([{ learner_id: accountLearnerId(as) }])
    expect(await rowsOf('questions', moduleId)).toMatchObject([{ user_id: as, question: 'Is it mine?' }])
    // The tutor was not asked.
    expect((await answerOf(Conversation, `/api/ai/conversation/${moduleId}`, { as })).messages).toEqual([])
  })

  it('becomes the account’s first where the account has none, and is dropped where it is the owner’s', async () => {
    const { as, moduleId } = await seedLessons()
    const [one, other] = [await openLearnerPage(moduleId), await openLearnerPage(moduleId)]
    await sendReport(one.next([[0, 95]]))
    await sendReport(other.next([[0, 50]]))
    const claimed = await start(moduleId, { claim: one.learner }, { as: 'user_new' })
    expect(claimed.progress).toMatchObject({ percent: 95, isCompleted: true })
    await start(moduleId, { claim: other.learner }, { as })
    expect(await metricsOf(as, moduleId)).toMatchObject({ learners: 1, completed: 1, meanPercent: 95 })
    expect(await rowsOf('learners', moduleId)).toHaveLength(1)
  })

  it('adds no playback to the account’s that the time since the first session does not allow', {
    tags: 'attack-22',
  }, async () => {
    const { as, moduleId } = await seedLessons()
    const startedAtMs = Date.now() - 25_000
    const visits: [number, number][] = [
      [0, 48],
      [48, 96],
    ]
    for (const played of visits) {
      const visitor = await openLearnerPage(moduleId, { startedAtMs })
      await sendReport(visitor.next([played]))
      await start(moduleId, { claim: visitor.learner }, { as: 'user_hasty' })
    }
    expect(await metricsOf(as, moduleId)).toMatchObject({ learners: 1, completed: 0, selfReported: 1 })
  })

  it('goes into the newest sessions that are kept of the account, also where both have one of the same page', {
    tags: 'attack-22',
  }, async () => {
    const { as, moduleId } = await seedLessons()
    const page = 'page-of-both-0123456789'
    await openSessions(moduleId, { as: 'user_same' }, SESSIONS_PER_LEARNER - 2)
    const account = await start(moduleId, { page }, { as: 'user_same' })
    const json = { moduleId, seq: 2, segments: [], position: 1 }
    await sendReport({ ...json, session: account.session }, 'user_same')
    const visitor = await start(moduleId, { page })
    await sendReport({ ...json, session: visitor.session, seq: 1 })
    await openSessions(moduleId, visitorOf(visitor), 5)
    await start(moduleId, { claim: visitor.learner }, { as: 'user_same' })
    expect(await metricsOf(as, moduleId)).toMatchObject({ learners: 1 })
    const sessions = await rowsOf('learning_sessions', moduleId)
    expect(new Set(sessions.map((row) => row['learner_id']))).toEqual(new Set([accountLearnerId('user_same')]))
    expect(sessions).toHaveLength(SESSIONS_PER_LEARNER)
    expect(sessions.filter((row) => row['session_id'] === page)).toMatchObject([{ seq: 2 }])
  })

  it('is not handed to a learner without an account, nor an account’s to another', { tags: 'attack-21' }, async () => {
    const { as, moduleId } = await seedLessons()
    const visitor = await openLearnerPage(moduleId)
    await sendReport(visitor.next([[0, 30]]))
    await start(moduleId, { claim: visitor.learner })
    const account = await answerOf(SessionAnswer, `${LEARNING_PATH}/${moduleId}/sessions`, { as: 'user_one', json: {} })
    await sendReport((await openLearnerPage(moduleId, { as: 'user_one' })).next([[0, 10]]), 'user_one')
    const { progress } = await start(moduleId, { claim: account.learner }, { as: 'user_two' })
    expect(progress.seen).toEqual([])
    expect(await metricsOf(as, moduleId)).toMatchObject({ learners: 2 })
    expect((await start(moduleId, {}, { as: 'user_one' })).progress.seen).toEqual([[0, 10]])
  })
})

describe('a device whose account is known by a token', () => {
  it('reports for the account without signing in, and not for an owner', async () => {
    const { as, moduleId } = await seedLessons()
    const tokenOf = async (who: string) =>
      (await answerOf(SessionAnswer.pick({ learner: true }), `${LEARNING_PATH}/account`, { as: who, json: {} })).learner
    const learner = await tokenOf('user_phone')
    const page = await start(moduleId, { learner })
    expect(page.hasAccount).toBe(true)
    await sendReport({ moduleId, session: page.session, seq: 1, segments: [[0, 0]], position: 7 })
    const mine = `${LEARNING_PATH}/${moduleId}/mine`
    for (const asked of [
      answerOf(LearningAnswer, mine, { as: 'user_phone' }),
      answerOf(LearningAnswer, `${mine}?learner=${learner}`),
    ])
      expect((await asked).progress).toMatchObject({ position: 7 })
    const own = await start(moduleId, { learner: await tokenOf(as) })
    await sendReport({ moduleId, session: own.session, seq: 1, segments: [[0, 0]], position: 7 })
    expect(await metricsOf(as, moduleId)).toMatchObject({ learners: 1 })
  })
})

describe('DELETE /api/learning-metrics/{id}/learners/{pseudonym}', () => {
  const pseudonymsOf = async (as: string, moduleId: string) => {
    const csv = await (await call(`${LEARNING_PATH}/${moduleId}/export?format=csv`, { as })).text()
    return csv
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[1] ?? '')
  }

  it('takes one learner out of everything, and leaves the others', { tags: 'attack-19' }, async () => {
    const { as, moduleId } = await seedLessons({ takesReports: true })
    await sendReport((await openLearnerPage(moduleId, { learnerId: 'anyone:b' })).next([[0, 50]]))
    const alone = await metricsOf(as, moduleId)
    await sendReport((await openLearnerPage(moduleId, { learnerId: 'anyone:a' })).next([[0, 95]]))
    expect(await metricsOf(as, moduleId)).toMatchObject({ learners: 2, completed: 1 })
    for (const learnerId of ['anyone:a', 'anyone:b'])
      await env.DB.prepare(
        "INSERT INTO questions (id, module_id, user_id, turn_id, question, created_at) VALUES (?1, ?2, ?1, 't', 'Why?', 1)",
      )
        .bind(learnerId, moduleId)
        .run()
    const reportOf = async (learnerId: string) => {
      const learner = (await openLearnerPage(moduleId, { learnerId })).learner
      const photo = btoa('\xff\xd8\xff\xdb1234')
      const json = { id: nanoid(), stepId: 'first', kind: 'wrong', photo, learner }
      expect((await call(`/api/step-reports/${moduleId}`, { json })).status).toBe(200)
      return json.id
    }
    const [, kept] = [await reportOf('anyone:a'), await reportOf('anyone:b')]
    const [pseudonym] = await pseudonymsOf(as, moduleId)
    const path = `${LEARNING_PATH}/${moduleId}/learners/${pseudonym}`
    expect(await problemOf(path, { as: 'user_other', method: 'DELETE' })).toMatchObject({ status: 404 })
    expect((await call(path, { as, method: 'DELETE' })).status).toBe(200)
    const { steps, ...sums } = await metricsOf(as, moduleId)
    expect({ ...sums, steps: steps.map((step) => ({ ...step, reports: 0 })) }).toEqual(alone)
    expect(steps[0]?.reports).toBe(1)
    expect(await rowsOf('learning_sessions', moduleId)).toHaveLength(1)
    expect(await rowsOf('step_reports', moduleId)).toMatchObject([{ id: kept }])
    const { objects } = await env.MEDIA.list({ prefix: photosOf(moduleId) })
    expect(objects.map(({ key }) => key)).toEqual([`${photosOf(moduleId)}${kept}`])
    expect(await rowsOf('questions', moduleId)).toMatchObject([{ id: 'anyone:b' }])
    expect(await problemOf(path, { as, method: 'DELETE' })).toMatchObject({ status: 404, code: 'not_found' })
  })
})
