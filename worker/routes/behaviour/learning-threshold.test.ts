// Behaviour: the share of a video that counts as completed, and what a change of it does.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { LearningMetricsAnswer } from '#contract/learning.ts'
import { Done } from '#contract/module.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'
import { LEARNING_PATH, openLearnerPage, seedLessons, sendReport } from '#local/testing/learners.ts'

const metricsOf = (as: string, moduleId: string) =>
  answerOf(LearningMetricsAnswer, `${LEARNING_PATH}/${moduleId}`, { as })

function change(as: string, moduleId: string, completionPercent: number) {
  const path = `/api/modules/${moduleId}`
  return answerOf(Done, path, { as, method: 'PATCH', json: { completionPercent } })
}

/** Three learners who have seen 30, 60 and 95 of the hundred seconds. */
async function watched() {
  const { as, moduleId } = await seedLessons()
  for (const seconds of [30, 60, 95]) await sendReport((await openLearnerPage(moduleId)).next([[0, seconds]]))
  return { as, moduleId }
}

describe('PATCH /api/modules/{id} {completionPercent}', () => {
  it('recomputes which learners have completed the module and where the others left', async () => {
    const { as, moduleId } = await watched()
    const before = await metricsOf(as, moduleId)
    expect(before).toMatchObject({ completionPercent: 90, completed: 1, learners: 3 })
    expect(before.steps.map(({ left }) => left)).toEqual([1, 1])
    await change(as, moduleId, 50)
    const easier = await metricsOf(as, moduleId)
    expect(easier).toMatchObject({ completionPercent: 50, completed: 2, learners: 3 })
    expect(easier.steps.map(({ left }) => left)).toEqual([1, 0])
    await change(as, moduleId, 100)
    const harder = await metricsOf(as, moduleId)
    expect(harder).toMatchObject({ completionPercent: 100, completed: 0 })
    expect(harder.steps.map(({ left }) => left)).toEqual([1, 2])
    await change(as, moduleId, 90)
    expect(await metricsOf(as, moduleId)).toEqual(before)
  })

  it('applies to later reports and to the progress that the learner sees', async () => {
    const { as, moduleId } = await seedLessons()
    await change(as, moduleId, 20)
    expect(await sendReport((await openLearnerPage(moduleId)).next([[0, 20]]))).toMatchObject({ isCompleted: true })
    expect(await metricsOf(as, moduleId)).toMatchObject({ completed: 1 })
    await change(as, moduleId, 21)
    expect(await metricsOf(as, moduleId)).toMatchObject({ completed: 0 })
  })

  it('writes one row however many learners there are, and keeps when they have completed it', {
    tags: 'attack-16',
  }, async () => {
    const { as, moduleId } = await watched()
    const rows = () =>
      env.DB.prepare('SELECT * FROM learners WHERE module_id = ? ORDER BY learner_id').bind(moduleId).all()
    const before = (await rows()).results
    await change(as, moduleId, 50)
    await change(as, moduleId, 100)
    expect((await rows()).results).toEqual(before)
  })

  it('takes whole percents from 1 to 100, from owners', async () => {
    const { as, moduleId } = await seedLessons()
    const path = `/api/modules/${moduleId}`
    for (const completionPercent of [0, 101, 50.5, null]) {
      const refused = await problemOf(path, { as, method: 'PATCH', json: { completionPercent } })
      expect(refused).toMatchObject({ code: 'invalid_request' })
    }
    const other = { as: 'user_other', method: 'PATCH', json: { completionPercent: 10 } }
    expect(await problemOf(path, other)).toMatchObject({ status: 404 })
    expect(await metricsOf(as, moduleId)).toMatchObject({ completionPercent: 90 })
  })
})
