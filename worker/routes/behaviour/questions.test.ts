// Behaviour: the questions that learners asked, as their owner sees and settles them.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { QuestionsAnswer } from '#contract/feedback/questions.ts'
import { LearningMetricsAnswer } from '#contract/learning.ts'
import { Done } from '#contract/module.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedTutored, WRENCH } from '#local/testing/tutored.ts'

const ASK = '/api/ai/contextual-response'
const path = (moduleId: string) => `/api/questions/${moduleId}`
const questionsOf = (as: string, moduleId: string) => answerOf(QuestionsAnswer, path(moduleId), { as })

interface Asker {
  as?: string
  /** The organization that is active while they ask. */
  orgId?: string
  videoTime?: number
}

async function ask(moduleId: string, userMessage: string, asker: Asker = {}) {
  const { as = `user_${nanoid(8)}`, videoTime = 20, ...member } = asker
  const asked = await call(ASK, { as, ...member, json: { moduleId, userMessage, videoTime } })
  expect(asked.status, await asked.text()).toBe(200)
}

interface Planted {
  stepId?: string | null
  atMs?: number | null
  question?: string
  isCovered?: number | null
}

/** Many at once, one a second, each with its own wording unless one is given. */
async function seedQuestions(moduleId: string, count: number, planted: Planted = {}): Promise<void> {
  const { stepId = 'b', atMs = null, question = null, isCovered = 1 } = planted
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 - 1)
     INSERT INTO questions (id, module_id, user_id, turn_id, step_id, video_time_ms, question, is_covered, answered_by,
                            outcome, created_at)
     SELECT ?1 || ?3 || '-' || i, ?1, 'user_' || i % 7, ?3 || i, ?4, ?5,
            coalesce(?6, 'How does thing' || i || ' go with thing' || (i % 50)), ?7, 'extractive', 'complete', i * 1000
     FROM n`,
  )
    .bind(moduleId, count, nanoid(4), stepId, atMs, question, isCovered)
    .run()
}

describe('GET /api/questions/{moduleId}', () => {
  it('leaves out what the owners themselves tried', async () => {
    const orgId = `org_${nanoid(8)}`
    const { as, moduleId } = await seedTutored({ orgId })
    const colleague = `user_${nanoid(8)}`
    await ask(moduleId, WRENCH, { as })
    await ask(moduleId, 'How do I brew espresso?', { as: colleague })
    expect(await questionsOf(as, moduleId)).toMatchObject({ open: 1, grouped: 1 })
    expect(await answerOf(QuestionsAnswer, path(moduleId), { as: colleague, orgId })).toMatchObject({
      open: 0,
      places: [],
    })
  })

  it('leaves out what members of its organization tried, for each of them', async () => {
    const orgId = `org_${nanoid(8)}`
    const { as, moduleId } = await seedTutored({ orgId })
    const tried = ['How do I brew espresso?', 'How high do I lift the car?']
    for (const question of tried) await ask(moduleId, question, { as: `user_${nanoid(8)}`, orgId })
    await ask(moduleId, WRENCH, { orgId: `org_${nanoid(8)}` })
    for (const reader of [{ as }, { as: `user_${nanoid(8)}`, orgId }]) {
      const answer = await answerOf(QuestionsAnswer, path(moduleId), reader)
      expect(answer.open).toBe(1)
      expect(answer.places.flatMap(({ groups }) => groups.map(({ text }) => text))).toEqual([WRENCH])
    }
  })

  it('groups questions by step, uncovered ones first, without the identity of learners', async () => {
    const { as, moduleId } = await seedTutored()
    const learner = `user_${nanoid(8)}`
    await ask(moduleId, WRENCH, { as: learner, videoTime: 20.7 })
    await ask(moduleId, 'where do I find the WRENCH for the wheel nuts', { as: learner, videoTime: 22 })
    await ask(moduleId, 'How do I brew espresso?')
    await ask(moduleId, 'How high do I lift the car?', { videoTime: 40 })
    await ask(moduleId, "What's the next step?")
    const answer = await questionsOf(as, moduleId)
    expect(answer).toMatchObject({ open: 4, grouped: 4, hiddenGroups: 0 })
    expect(answer.places.map(({ kind, step, groups }) => [kind, step?.title, groups.map(({ text }) => text)])).toEqual([
      ['step', 'Loosen the nuts', ['How do I brew espresso?', WRENCH]],
      ['step', 'Lift the car', ['How high do I lift the car?']],
    ])
    expect(answer.places[0]?.step).toMatchObject({ id: 'b', number: 2, start: 18, end: 36 })
    const [espresso, wrench] = answer.places[0]?.groups ?? []
    expect(espresso).toMatchObject({ count: 1, people: 1, answered: 0, notCovered: 1, moments: [20] })
    expect(wrench).toMatchObject({
      count: 2,
      people: 1,
      answered: 2,
      notCovered: 0,
      moments: [20, 22],
      wordings: ['where do I find the WRENCH for the wheel nuts'],
    })
    expect(wrench?.ids).toContain(wrench?.id)
    expect(Math.abs(Date.parse(wrench?.lastAskedAt ?? '') - Date.now())).toBeLessThan(60_000)
    expect(JSON.stringify(answer)).not.toContain(learner)
  })

  it('lists questions without a step, and questions about steps that were removed or replaced', async () => {
    const { as, moduleId } = await seedTutored()
    await seedQuestions(moduleId, 1, { stepId: null, question: 'Is there a checklist?' })
    await seedQuestions(moduleId, 2, { stepId: 'gone', question: 'Which spray removes rust?' })
    await seedQuestions(moduleId, 1, { stepId: 'gone', question: 'How hot is the brake?', atMs: 40_000 })
    const { places } = await questionsOf(as, moduleId)
    expect(places.map(({ kind, step, groups }) => [kind, step?.id, groups.map(({ text }) => text)])).toEqual([
      ['step', 'c', ['How hot is the brake?']],
      ['video', undefined, ['Is there a checklist?']],
      ['removed', undefined, ['Which spray removes rust?']],
    ])
  })

  it('cuts long wordings, lists some of many, and keeps questions without an answer', async () => {
    const { as, moduleId } = await seedTutored()
    const tail = '🔧'.repeat(400)
    for (const ending of ['', ' please', ' then', ' really', ' again', ' today'])
      await seedQuestions(moduleId, 1, {
        question: `Which jack, wrench and wheel nut?${ending} ${tail}`,
        isCovered: null,
      })
    const [group] = (await questionsOf(as, moduleId)).places[0]?.groups ?? []
    expect(group).toMatchObject({ count: 6, people: 1, answered: 0, notCovered: 0, moments: [] })
    expect(group?.text.length).toBeLessThanOrEqual(500)
    expect(group?.text.isWellFormed()).toBe(true)
    expect(group?.wordings).toHaveLength(4)
    for (const each of group?.wordings ?? []) expect(each).toMatch(/^.{100,199}…$/s)
  })

  it('answers from the newest thousand of ten thousand, and shows the groups that matter most', async () => {
    const { as, moduleId } = await seedTutored()
    await seedQuestions(moduleId, 10_000)
    await seedQuestions(moduleId, 1, { question: 'Why does the handbrake squeak?', isCovered: 0 })
    await env.DB.prepare(`UPDATE questions SET created_at = 99999999 WHERE module_id = ? AND is_covered = 0`)
      .bind(moduleId)
      .run()
    const answer = await questionsOf(as, moduleId)
    expect(answer).toMatchObject({ open: 10_001, grouped: 1_000 })
    const groups = answer.places.flatMap((place) => place.groups)
    expect(groups).toHaveLength(200)
    expect(groups[0]).toMatchObject({ text: 'Why does the handbrake squeak?', notCovered: 1 })
    expect(answer.hiddenGroups).toBeGreaterThan(0)
    const numbers = groups.flatMap(({ text }) => /thing(\d+) go/.exec(text)?.[1] ?? [])
    expect(Math.min(...numbers.map(Number))).toBeGreaterThan(9_000)
    const metrics = await answerOf(LearningMetricsAnswer, `/api/learning-metrics/${moduleId}`, { as })
    expect(metrics.steps.map(({ stepId, questions }) => [stepId, questions])).toEqual([
      ['a', 0],
      ['b', 10_001],
      ['c', 0],
      ['d', 0],
    ])
  })

  it('finds the newest, and counts all, in an index', async () => {
    const plan = async (sql: string) =>
      (await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`).all<{ detail: string }>()).results.map(({ detail }) => detail)
    const open = `FROM questions WHERE module_id = 'x' AND settled_at IS NULL AND answered_by IS NOT 'steps'`
    expect(await plan(`SELECT count(*) ${open}`)).toEqual([
      'SEARCH questions USING COVERING INDEX questions_open (module_id=?)',
    ])
    expect((await plan(`SELECT * ${open} ORDER BY created_at DESC, id DESC LIMIT 1000`))[0]).toBe(
      'SEARCH questions USING INDEX questions_open (module_id=?)',
    )
  })
})

describe('POST /api/questions/{moduleId}/settle', () => {
  it('takes a group off the list, also twice, and lists it after reopening or a new question', async () => {
    const { as, moduleId } = await seedTutored()
    await seedQuestions(moduleId, 3, { question: 'Which spray removes rust?' })
    await seedQuestions(moduleId, 1, { question: 'How hot is the brake?' })
    const texts = async () =>
      (await questionsOf(as, moduleId)).places.flatMap(({ groups }) =>
        groups.map(({ text, count }) => `${text} ${count}`),
      )
    const ids = (await questionsOf(as, moduleId)).places[0]?.groups[0]?.ids ?? []
    expect(ids).toHaveLength(3)
    const settle = () => answerOf(Done, `${path(moduleId)}/settle`, { as, json: { ids } })
    await settle()
    await settle()
    expect(await texts()).toEqual(['How hot is the brake? 1'])
    await seedQuestions(moduleId, 1, { question: 'Which spray removes rust?' })
    expect(await texts()).toContain('Which spray removes rust? 1')
    for (let tries = 0; tries < 2; tries += 1) await answerOf(Done, `${path(moduleId)}/reopen`, { as, json: { ids } })
    expect(await texts()).toEqual(['Which spray removes rust? 4', 'How hot is the brake? 1'])
  })

  it('leaves the questions of other modules alone', async () => {
    const { as, moduleId } = await seedTutored()
    const other = await seedTutored()
    await seedQuestions(moduleId, 1)
    await seedQuestions(other.moduleId, 1)
    const ids = (await questionsOf(other.as, other.moduleId)).places[0]?.groups[0]?.ids ?? []
    await answerOf(Done, `${path(moduleId)}/settle`, { as, json: { ids: [...ids, 'unknown'] } })
    expect(await questionsOf(other.as, other.moduleId)).toMatchObject({ open: 1 })
  })

  it.each([
    ['none', []],
    ['more than are ever grouped', Array.from({ length: 1_001 }, String)],
    ['what are no ids', [1]],
  ])('refuses %s', async (_what, ids) => {
    const { as, moduleId } = await seedTutored()
    for (const act of ['settle', 'reopen'])
      expect((await problemOf(`${path(moduleId)}/${act}`, { as, json: { ids } })).code).toBe('invalid_request')
  })
})

describe('a caller who is not the owner', () => {
  it('is answered as for a missing module, and changes nothing', async () => {
    const { as, moduleId } = await seedTutored()
    await seedQuestions(moduleId, 1)
    const ids = (await questionsOf(as, moduleId)).places[0]?.groups[0]?.ids
    const calls = [
      ['', undefined],
      ['/settle', { ids }],
      ['/reopen', { ids }],
    ] as const
    for (const [act, json] of calls) {
      const missing = await problemOf(path('x'.repeat(22)) + act, { as, json })
      expect(missing.code).toBe('not_found')
      const hidden = await problemOf(path(moduleId) + act, { as: 'user_viewer', json })
      expect({ ...hidden, requestId: '' }).toEqual({ ...missing, requestId: '' })
      expect((await problemOf(path(moduleId) + act, { json })).code).toBe('unauthenticated')
    }
    expect(await questionsOf(as, moduleId)).toMatchObject({ open: 1 })
  })
})
