import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { LearningAnswer, LearningMetricsAnswer, SessionAnswer } from '#contract/learning.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import {
  openLearnerPage as openPage,
  LEARNING_PATH as PATH,
  seedLessons as planted,
  sendReport as send,
} from '#local/testing/learners.ts'
import { openDb } from '#worker/db/db.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { findModule } from '#worker/domain/module/module-store.ts'

const metricsOf = (as: string, moduleId: string) => answerOf(LearningMetricsAnswer, `${PATH}/${moduleId}`, { as })

describe('POST /api/learning-metrics', () => {
  it('adds up the viewing of learners with the link, over pages and visits', async () => {
    const { as, moduleId } = await planted()
    const phone = await openPage(moduleId)
    expect(await send(phone.next([[0, 30]]))).toEqual({
      seen: [[0, 30]],
      percent: 30,
      isCompleted: false,
      position: 30,
    })
    expect(await send(phone.next([[30, 45]]))).toMatchObject({ percent: 45 })
    const again = await openPage(moduleId, phone)
    expect(await send(again.next([[20, 92]]))).toEqual({
      seen: [[0, 92]],
      percent: 92,
      isCompleted: true,
      position: 92,
    })
    expect(await metricsOf(as, moduleId)).toMatchObject({
      learners: 1,
      completed: 1,
      meanPercent: 92,
      steps: [
        { stepId: 'first', reached: 1, finished: 1, rewatched: 1, left: 0 },
        { stepId: 'second', reached: 1, finished: 0, rewatched: 1, left: 0 },
      ],
    })
  })

  it('counts a report once that comes again, and one that comes late not at all', async () => {
    const { as, moduleId } = await planted()
    const page = await openPage(moduleId)
    const [first, second] = [page.next([[0, 10]]), page.next([[10, 20]])]
    await send(first)
    await send(second)
    for (const report of [second, first]) expect(await send(report)).toMatchObject({ percent: 20, position: 20 })
    const { steps } = await metricsOf(as, moduleId)
    expect(steps[0]).toMatchObject({ reached: 1, rewatched: 0, left: 1 })
  })

  it('loses and doubles nothing when two tabs and many learners report at once', async () => {
    const { as, moduleId } = await planted()
    await metricsOf(as, moduleId)
    const pages = Array.from({ length: 4 }, async () => {
      const one = await openPage(moduleId)
      return [one.next([[0, 25]], 25), (await openPage(moduleId, one)).next([[20, 50]], 50)]
    })
    const reports = (await Promise.all(pages)).flat()
    // Each also comes twice at the same moment, as when a beacon and a try again cross.
    await Promise.all([...reports, ...reports].map((report) => send(report)))
    const { learners: count, meanPercent, steps, curve } = await metricsOf(as, moduleId)
    expect({ count, meanPercent }).toEqual({ count: 4, meanPercent: 50 })
    expect(steps).toMatchObject([
      { reached: 4, finished: 4, rewatched: 4 },
      { reached: 4, finished: 0, rewatched: 0 },
    ])
    expect(steps.reduce((sum, { left }) => sum + left, 0)).toBe(4)
    expect(curve.learners.slice(0, 50).every((each) => each === 4)).toBe(true)
    expect(curve.learners.slice(50).every((each) => each === 0)).toBe(true)
  })

  it('knows a signed-in learner by the account in any browser, and does not count an owner', async () => {
    const { as, moduleId } = await planted()
    await send((await openPage(moduleId, { as: 'user_learner' })).next([[0, 10]]), 'user_learner')
    expect(
      await send((await openPage(moduleId, { as: 'user_learner' })).next([[10, 20]]), 'user_learner'),
    ).toMatchObject({ percent: 20 })
    const { session } = await answerOf(SessionAnswer, `${PATH}/${moduleId}/sessions`, { as, json: {} })
    const own = { moduleId, session, seq: 1, segments: [[0, 100]], position: 100 }
    expect(await send(own, as)).toMatchObject({ percent: 0 })
    expect(await metricsOf(as, moduleId)).toMatchObject({ learners: 1, completed: 0 })
    const mine = `${PATH}/${moduleId}/mine`
    expect((await answerOf(LearningAnswer, mine, { as: 'user_learner' })).progress).toMatchObject({ position: 20 })
    expect((await answerOf(LearningAnswer, mine)).progress).toMatchObject({ seen: [], position: 0 })
  })

  it('is refused for a module that the learner cannot open, and for a token that does not hold', async () => {
    const { moduleId } = await planted({ shared: false })
    const json = (await openPage(moduleId)).next([[0, 1]])
    for (const as of [null, 'user_stranger']) expect(await problemOf(PATH, { as, json })).toMatchObject({ status: 404 })
    const bad = { json, headers: { authorization: 'Bearer a.b.c' } }
    expect(await problemOf(PATH, bad)).toMatchObject({ status: 401 })
  })

  it.each([
    ['a time that is none', { segments: [[0, Number.MAX_VALUE]] }],
    ['a token that is too long', { session: 'x'.repeat(1_001) }],
    ['an unknown field', { email: 'anna@example.com' }],
    ['too many segments', { segments: Array.from({ length: 201 }, () => [0, 1]) }],
  ])('refuses %s', async (_what, fields) => {
    const { moduleId } = await planted()
    const json = { ...(await openPage(moduleId)).next([]), ...fields }
    expect(await problemOf(PATH, { json })).toMatchObject({ code: 'invalid_request' })
  })

  it('asks to come back while the length of the video is not known', async () => {
    const { moduleId } = await planted({ durationMs: null })
    const response = await call(PATH, { json: (await openPage(moduleId)).next([[0, 1]]) })
    expect([response.status, response.headers.get('retry-after')]).toEqual([425, '10'])
  })
})

describe('GET /api/learning-metrics/{id}', () => {
  it('counts a step from zero when its times have changed, and adds later views', async () => {
    const { as, moduleId, steps } = await planted()
    await send((await openPage(moduleId)).next([[0, 40]]))
    expect((await metricsOf(as, moduleId)).steps[1]).toMatchObject({ reached: 0 })
    const moved = steps.map((step) => (step.id === 'second' ? { ...step, start: 35 } : { ...step, end: 35 }))
    await call(`/api/steps/${moduleId}`, { as, json: { steps: moved } })
    expect((await metricsOf(as, moduleId)).steps).toMatchObject([
      { reached: 1, finished: 1 },
      { reached: 1, finished: 0 },
    ])
    await send((await openPage(moduleId)).next([[35, 100]]))
    expect((await metricsOf(as, moduleId)).steps).toMatchObject([
      { reached: 1, finished: 1 },
      { reached: 2, finished: 1 },
    ])
  })

  it('recounts a changed step some learners at a time, while they go on reporting', { tags: 'attack-17' }, async () => {
    const { as, moduleId, steps } = await planted()
    // Three calls' worth; every other one has seen the second step too.
    const count = 7_000
    await env.DB.prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
       INSERT INTO learners (module_id, learner_id, version, seen, seen_seconds, first_at, last_at)
       SELECT ?1, 'anyone:' || printf('%08d', n), 1, iif(n % 2, '[[0,100]]', '[[0,30]]'), 30, 0, 0 FROM numbers`,
    )
      .bind(moduleId, count)
      .run()
    await env.DB.prepare('INSERT INTO learning_totals (module_id, learners, seen_seconds) VALUES (?, ?, 0)')
      .bind(moduleId, count)
      .run()
    const moved = steps.map((step) => (step.id === 'second' ? { ...step, start: 41 } : { ...step, end: 41 }))
    await call(`/api/steps/${moduleId}`, { as, json: { steps: moved } })
    const first = await metricsOf(as, moduleId)
    expect(first).toMatchObject({ isCounting: true, steps: [{ reached: 3_000 }, { reached: 1_500 }] })
    // One who was counted, one who was not, and a new one after all of them.
    for (const learnerId of ['anyone:00000002', 'anyone:00006002', 'anyone:zzz'])
      await send((await openPage(moduleId, { learnerId })).next([[41, 100]]))
    const second = await metricsOf(as, moduleId)
    expect(second).toMatchObject({ isCounting: true, steps: [{ reached: 6_000 }, { reached: 3_001 }] })
    const last = await metricsOf(as, moduleId)
    expect(last).toMatchObject({ isCounting: false, steps: [{ reached: 7_000 }, { reached: 3_503, finished: 3_503 }] })
    expect(await metricsOf(as, moduleId)).toEqual(last)
  })

  it('counts the questions that the tutor was asked at each step', async () => {
    const { as, moduleId } = await planted()
    const insert = env.DB.prepare(
      `INSERT INTO questions (id, module_id, user_id, turn_id, step_id, question, created_at)
       VALUES (?1, ?2, 'user_viewer', ?1, ?3, 'Which one?', 1)`,
    )
    const asked = [null, 'second', 'second', 'a-step-that-was-deleted']
    await env.DB.batch(asked.map((stepId) => insert.bind(nanoid(), moduleId, stepId)))
    expect((await metricsOf(as, moduleId)).steps).toMatchObject([{ questions: 0 }, { stepId: 'second', questions: 2 }])
  })

  it('is for owners only, and gone with the module', async () => {
    const { as, moduleId } = await planted()
    await send((await openPage(moduleId)).next([[0, 40]]))
    expect(await problemOf(`${PATH}/${moduleId}`, { as: 'user_other' })).toMatchObject({ status: 404 })
    expect(await problemOf(`${PATH}/${moduleId}`)).toMatchObject({ status: 401 })
    const db = openDb(env.DB)
    const module = await findModule(db, moduleId)
    if (module === null) throw new Error('the module is gone')
    await eraseModule({ db, bucket: env.MEDIA, rooms: env.MODULE_ROOM, search: env.SEARCH }, module)
    for (const table of ['learners', 'learning_sessions', 'learning_steps', 'learning_totals']) {
      const rows = await env.DB.prepare(`SELECT 1 FROM ${table} WHERE module_id = ?`).bind(moduleId).all()
      expect(rows.results, as).toEqual([])
    }
  })
})
