import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { expect, it, vi } from 'vitest'
import { seedTutored } from '#local/testing/tutored.ts'
import { openDb } from '#worker/db/db.ts'
import { trainerAnswers } from '#worker/db/learner-tables.ts'
import { findAnswers } from './find-answers.ts'

const WINTER = 'How much does the insurance of the line cost in winter?'

/** A training of a collection whose trainer has answered on this day. */
async function seedAnswered(day: number, linkAnswersPerDay: number | null = 5) {
  const { moduleId: id } = await seedTutored({ language: 'en' })
  const setAsking = 'UPDATE modules SET link_answers_per_day = ? WHERE id = ?'
  await env.DB.prepare(setAsking).bind(linkAnswersPerDay, id).run()
  const says = { question: WINTER, wordings: [], text: `Day ${day}.`, stepId: null, stepsHash: '' }
  const row = { id: nanoid(), moduleId: id, ...says, answeredAt: day }
  await openDb(env.DB).insert(trainerAnswers).values(row)
  const shown = { title: 'Line', hasPoster: false, durationMs: 120_000, stepCount: 3 }
  return { id, linkId: id, linkEndsAt: null, ...shown, isLocked: false, hasTutor: linkAnswersPerDay !== null }
}
type Shared = Awaited<ReturnType<typeof seedAnswered>>[]

async function find(shared: Shared): Promise<string[]> {
  const found = await findAnswers({ db: openDb(env.DB), bucket: env.MEDIA, nowMs: Date.now }, shared, WINTER)
  return found.map(({ answer }) => answer.text)
}

it('opens no more trainings than it shows, however many answer the same', async () => {
  const shared: Shared = []
  for (const day of [2, 5, 1, 4, 3]) shared.push(await seedAnswered(day))
  const prepare = vi.spyOn(env.DB, 'prepare')
  const texts = await find(shared)
  const opened = prepare.mock.calls.filter(([sql]) => sql.includes('from "steps"'))
  prepare.mockRestore()
  expect(texts).toEqual(['Day 5.', 'Day 4.', 'Day 3.'])
  expect(opened).toHaveLength(texts.length)
})

it('says an old answer though many newer ones are of a training that people with the link may not ask', async () => {
  const shared = [await seedAnswered(1), await seedAnswered(2, null)]
  const newer = `INSERT INTO trainer_answers (id, module_id, question, wordings, text, steps_hash, answered_at)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 600)
    SELECT ?1 || n, ?1, 'Question ' || n, '[]', 'Text', '', 10 + n FROM numbers`
  await env.DB.prepare(newer).bind(shared[1]?.id).run()
  expect(await find(shared)).toEqual(['Day 1.'])
})
