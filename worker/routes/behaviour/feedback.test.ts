// Behaviour: giving feedback and reading its figures.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { FeedbackAnswer, FeedbackStatsAnswer } from '#contract/feedback/feedback.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'
import { seedDeletion, seedModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { findModule } from '#worker/domain/module/module-store.ts'

const SUBMIT = '/api/feedback/submit'
const IMPROVE = '/api/feedback/improvement'

async function planted(fields = {}) {
  const as = `user_${nanoid(8)}`
  return { as, moduleId: (await seedModule({ userId: as, ...fields })).id }
}

const statsOf = (as: string, orgId?: string) =>
  answerOf(FeedbackStatsAnswer, '/api/feedback/stats', { as, ...(orgId === undefined ? {} : { orgId }) })

function rating(moduleId: string | null, fields = {}) {
  return { type: 'step_generation', action: 'worked', moduleId, timestamp: '2026-11-21T10:00:00.000Z', ...fields }
}

/** `count` ratings of a module, one a second, every fifth of them negative. */
async function seedMany(moduleId: string, count: number): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 - 1)
     INSERT INTO feedback (id, module_id, user_id, type, action, created_at)
     SELECT ?1 || '-' || i, ?1, 'user_many', CASE WHEN i % 2 THEN 'transcription' ELSE 'ai_suggestion' END,
            CASE WHEN i % 5 THEN 'worked' ELSE 'not_working' END, i * 1000 FROM n`,
  )
    .bind(moduleId, count)
    .run()
}

describe('POST /api/feedback/submit', () => {
  it('stores a rating with all fields of the request', { tags: ['spec-3.11', 'spec-7.19'] }, async () => {
    const { as, moduleId } = await planted()
    const json = {
      ...rating(moduleId),
      type: 'ai_suggestion',
      action: 'partially_working',
      context: { stepId: 's1', at: 12.5 },
      userMessage: ' What next? ',
      aiResponse: 'Click Save.',
    }
    expect(await answerOf(FeedbackAnswer, SUBMIT, { as, json })).toEqual({
      success: true,
      message: 'Thank you for your feedback!',
    })
    const row = await env.DB.prepare('SELECT * FROM feedback WHERE module_id = ?').bind(moduleId).first()
    expect(row).toMatchObject({
      user_id: as,
      type: 'ai_suggestion',
      action: 'partially_working',
      context: '{"stepId":"s1","at":12.5}',
      user_message: 'What next?',
      ai_response: 'Click Save.',
    })
  })

  it('accepts a rating from each caller who can open the module', async () => {
    const { as, moduleId } = await planted()
    await answerOf(FeedbackAnswer, SUBMIT, { as: 'user_viewer', json: rating(moduleId) })
    expect((await statsOf(as)).stats.total).toBe(1)
    expect((await statsOf(`user_${nanoid(8)}`)).stats.total).toBe(0)
  })

  it('counts a second press once, also when both come at the same moment, and another opinion by itself', async () => {
    const { as, moduleId } = await planted()
    const json = rating(moduleId)
    await Promise.all([1, 2, 3].map(() => answerOf(FeedbackAnswer, SUBMIT, { as, json })))
    await answerOf(FeedbackAnswer, SUBMIT, { as, json: { ...json, timestamp: 1_795_000_000_000 } })
    expect((await statsOf(as)).stats.total).toBe(1)
    await answerOf(FeedbackAnswer, SUBMIT, { as, json: { ...json, action: 'not_working' } })
    await answerOf(FeedbackAnswer, SUBMIT, { as: 'user_viewer', json })
    expect((await statsOf(as)).stats).toMatchObject({ total: 3, positive: 2, negative: 1 })
  })

  it('counts the same again after a minute', async () => {
    const { as, moduleId } = await planted()
    await answerOf(FeedbackAnswer, SUBMIT, { as, json: rating(moduleId) })
    await env.DB.prepare('UPDATE feedback SET created_at = created_at - 61000 WHERE module_id = ?').bind(moduleId).run()
    await answerOf(FeedbackAnswer, SUBMIT, { as, json: rating(moduleId) })
    expect((await statsOf(as)).stats.total).toBe(2)
  })

  it('stores a rating of a video that never became a module under the caller who gave it', async () => {
    const { as } = await planted()
    await answerOf(FeedbackAnswer, SUBMIT, {
      as,
      json: rating(null, { type: 'video_processing', action: 'not_working' }),
    })
    expect((await statsOf(as)).stats).toMatchObject({ total: 1, negative: 1, byType: { video_processing: 1 } })
    expect((await statsOf(`user_${nanoid(8)}`)).stats.total).toBe(0)
  })

  it.each([
    ['an unknown type', { type: 'weather' }],
    ['an unknown action', { action: 'great' }],
    ['no module where there is one', { moduleId: null }],
    ['a context without an end', { context: { text: 'x'.repeat(2_000) } }],
    ['words without an end', { userMessage: 'x'.repeat(5_001) }],
    ['an answer without an end', { aiResponse: 'x'.repeat(5_001) }],
  ])('refuses %s', async (_what, fields) => {
    const { as, moduleId } = await planted()
    expect((await problemOf(SUBMIT, { as, json: rating(moduleId, fields) })).code).toBe('invalid_request')
  })

  it('answers alike for a module that is missing and one that is not shared, and keeps nothing', async () => {
    const { moduleId } = await planted({ shared: false })
    const missing = await problemOf(SUBMIT, { as: 'user_viewer', json: rating('x'.repeat(22)) })
    const hidden = await problemOf(SUBMIT, { as: 'user_viewer', json: rating(moduleId) })
    expect(missing.code).toBe('not_found')
    expect({ ...hidden, requestId: '' }).toEqual({ ...missing, requestId: '' })
    expect(await env.DB.prepare('SELECT 1 FROM feedback WHERE module_id = ?').bind(moduleId).first()).toBeNull()
  })
})

describe('POST /api/feedback/improvement', () => {
  it('keeps the words for the owner, and counts them beside the ratings', { tags: 'spec-7.20' }, async () => {
    const { as, moduleId } = await planted()
    const json = { moduleId, feedback: ' Show the menu longer. ', type: 'ai_improvement' }
    expect(await answerOf(FeedbackAnswer, IMPROVE, { as: 'user_viewer', json })).toEqual({
      success: true,
      message: "Thank you for your feedback! We'll use it to improve this training.",
    })
    await answerOf(FeedbackAnswer, IMPROVE, { as: 'user_viewer', json })
    const { stats, recentFeedback } = await statsOf(as)
    expect(stats).toMatchObject({ total: 0, positive: 0, partial: 0, negative: 0, suggestions: 1 })
    expect(recentFeedback).toMatchObject([
      { type: 'ai_improvement', action: null, message: 'Show the menu longer.', moduleTitle: 'Change the filter' },
    ])
  })

  it.each([
    ['nothing', ''],
    ['blanks', ' \n '],
    ['more than a few paragraphs', 'x'.repeat(5_001)],
  ])('refuses %s', async (_what, feedback) => {
    const { as, moduleId } = await planted()
    expect((await problemOf(IMPROVE, { as, json: { moduleId, feedback } })).code).toBe('invalid_request')
  })

  it('answers as for a missing module where the caller cannot open it', async () => {
    const { moduleId } = await planted({ shared: false })
    const json = { moduleId, feedback: 'Better.' }
    expect((await problemOf(IMPROVE, { as: 'user_viewer', json })).code).toBe('not_found')
  })
})

describe('GET /api/feedback/stats', () => {
  it('is empty for a caller who owns no module', async () => {
    expect(await statsOf(`user_${nanoid(8)}`)).toMatchObject({ stats: { total: 0, positive: 0 }, recentFeedback: [] })
  })

  it('lists the three newest ratings of all modules, newest first, and counts by type and action', {
    tags: ['spec-3.12', 'spec-7.21', 'spec-9.25'],
  }, async () => {
    const { as, moduleId } = await planted()
    const other = (await seedModule({ userId: as, title: 'Second' })).id
    const none = await planted()
    const given = [
      rating(moduleId),
      rating(other, { type: 'transcription', action: 'partially_working' }),
      rating(moduleId, { type: 'video_processing', action: 'not_working' }),
      rating(other, { type: 'transcription' }),
    ]
    for (const json of given) await answerOf(FeedbackAnswer, SUBMIT, { as, json })
    await answerOf(FeedbackAnswer, SUBMIT, { as, json: rating(none.moduleId) })
    await env.DB.prepare('UPDATE feedback SET created_at = created_at + rowid * 10 WHERE user_id = ?').bind(as).run()
    const { stats, recentFeedback } = await statsOf(as)
    expect(stats).toEqual({
      total: 4,
      positive: 2,
      partial: 1,
      negative: 1,
      byType: { video_processing: 1, step_generation: 1, ai_suggestion: 0, transcription: 2 },
      suggestions: 0,
    })
    expect(recentFeedback.map(({ type, action, moduleTitle }) => [type, action, moduleTitle])).toEqual([
      ['transcription', 'worked', 'Second'],
      ['video_processing', 'not_working', 'Change the filter'],
      ['transcription', 'partially_working', 'Second'],
    ])
  })

  it('has a total that its three kinds of ratings, and its types, add up to, whatever was suggested', {
    tags: 'spec-9.24',
  }, async () => {
    const { as, moduleId } = await planted()
    const actions = ['worked', 'worked', 'partially_working', 'not_working'] as const
    const types = ['transcription', 'ai_suggestion', 'transcription', 'step_generation'] as const
    for (const [index, action] of actions.entries())
      await answerOf(FeedbackAnswer, SUBMIT, { as, json: rating(moduleId, { action, type: types[index] }) })
    for (const feedback of ['Louder.', 'Slower.'])
      await answerOf(FeedbackAnswer, IMPROVE, { as, json: { moduleId, feedback } })
    const { stats } = await statsOf(as)
    expect(stats).toMatchObject({ total: 4, positive: 2, partial: 1, negative: 1, suggestions: 2 })
    expect(Object.values(stats.byType).reduce((sum, count) => sum + count, 0)).toBe(stats.total)
  })

  it("counts an organization's modules for its members, while it is active", async () => {
    const orgId = `org_${nanoid(8)}`
    const { moduleId } = await planted({ orgId })
    await answerOf(FeedbackAnswer, SUBMIT, { as: 'user_viewer', json: rating(moduleId) })
    expect((await statsOf('user_member', orgId)).stats.total).toBe(1)
    expect((await statsOf('user_member')).stats.total).toBe(0)
  })

  it("counts none of the caller's own modules while an organization is active", async () => {
    const { as, moduleId } = await planted()
    await answerOf(FeedbackAnswer, SUBMIT, { as: 'user_viewer', json: rating(moduleId) })
    expect((await statsOf(as)).stats.total).toBe(1)
    const { stats, recentFeedback } = await statsOf(as, `org_${nanoid(8)}`)
    expect([stats.total, recentFeedback]).toEqual([0, []])
  })

  it('forgets modules that are deleted, for good when they are erased', async () => {
    const { as, moduleId } = await planted()
    await answerOf(FeedbackAnswer, SUBMIT, { as, json: rating(moduleId) })
    const db = openDb(env.DB)
    const module = await findModule(db, moduleId)
    await seedDeletion(moduleId, 1)
    expect((await statsOf(as)).stats.total).toBe(0)
    if (module === null) throw new Error('no module')
    await eraseModule({ db, bucket: env.MEDIA, rooms: env.MODULE_ROOM, search: env.SEARCH }, module)
    expect(await env.DB.prepare('SELECT 1 FROM feedback WHERE module_id = ?').bind(moduleId).first()).toBeNull()
  })

  it('counts twenty thousand, and shows the newest', async () => {
    const { as, moduleId } = await planted()
    await seedMany(moduleId, 20_000)
    const { stats, recentFeedback } = await statsOf(as)
    expect(stats).toMatchObject({ total: 20_000, positive: 16_000, negative: 4_000 })
    expect(recentFeedback.map((each) => each.id)).toEqual([19_999, 19_998, 19_997].map((i) => `${moduleId}-${i}`))
  })

  it('is for signed-in people', async () => {
    for (const path of ['/api/feedback/stats', SUBMIT, IMPROVE]) {
      const json = path.endsWith('stats') ? undefined : {}
      expect((await problemOf(path, { json })).code).toBe('unauthenticated')
    }
    const as = 'user_owner'
    expect((await problemOf(SUBMIT, { as, body: 'x' })).code).toBe('unsupported_media_type')
    const headers = { 'content-type': 'application/json' }
    expect((await problemOf(IMPROVE, { as, body: '{', headers })).code).toBe('invalid_json')
  })
})
