import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { StepsAnswer } from '#contract/step.ts'
import { RemovedStepsAnswer } from '#contract/training/removed-step.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { forgetRemoved } from './removed-store.ts'

const STEPS = [
  { id: 'a', title: 'Open the lid', description: 'Turn the screw.', start: 0, end: 10, notes: 'Left thread.' },
  { id: 'b', title: 'Check the cable', description: 'Look for cracks.', start: 10, end: 20, aliases: ['wire'] },
  { id: 'c', title: 'Oil the hinge', description: 'One drop is enough.', start: 20, end: 30 },
]
const DAY_MS = 24 * 60 * 60_000

async function seedSteps(durationMs = 60_000) {
  const as = `user_${nanoid(8)}`
  const { id } = await seedModule({ userId: as, status: 'READY', runStatus: 'READY', durationMs })
  const path = `/api/steps/${id}`
  const save = (steps: unknown[]) => answerOf(StepsAnswer, path, { as, json: { steps } })
  await save(STEPS)
  const list = async () => (await answerOf(RemovedStepsAnswer, `${path}/removed`, { as })).steps
  const restore = (stepId: string) => answerOf(StepsAnswer, `${path}/removed/${stepId}`, { as, method: 'POST' })
  return { id, as, path, save, list, restore }
}

describe('a step that was removed', () => {
  it('is listed, and restored as it was at its time', async () => {
    const { save, list, restore } = await seedSteps()
    const { steps: before } = await save(STEPS)
    await save(STEPS.filter(({ id }) => id !== 'b'))
    expect(await list()).toMatchObject([{ id: 'b', title: 'Check the cable', start: 10 }])
    const { steps } = await restore('b')
    expect(steps).toEqual(before)
    expect(await list()).toEqual([])
  })

  it('is no longer listed where it came back by another way', async () => {
    const { save, list } = await seedSteps()
    await save(STEPS.slice(0, 1))
    await save(STEPS)
    expect(await list()).toEqual([])
  })

  it('comes back inside of a video that is shorter by now', async () => {
    const { id, save, restore } = await seedSteps()
    await save(STEPS.slice(0, 2))
    await env.DB.prepare('UPDATE modules SET duration_ms = 25000 WHERE id = ?1').bind(id).run()
    expect((await restore('c')).steps.at(-1)).toMatchObject({ id: 'c', start: 15, end: 25 })
  })

  it('can be restored for seven days', async () => {
    const { id, as, path, save, list } = await seedSteps()
    await save(STEPS.slice(0, 2))
    const age = `UPDATE removed_steps SET removed_at = removed_at - ${7 * DAY_MS} WHERE module_id = ?1`
    await env.DB.prepare(age).bind(id).run()
    expect(await list()).toEqual([])
    expect((await problemOf(`${path}/removed/c`, { as, method: 'POST' })).code).toBe('not_found')
    expect(await forgetRemoved(env.DB, Date.now() - DAY_MS)).toBe(0)
    expect(await forgetRemoved(env.DB, Date.now())).toBe(1)
  })

  it('takes the place of the one that was removed first where there are five hundred', async () => {
    const { id, save, list } = await seedSteps()
    await env.DB.prepare(
      `INSERT INTO removed_steps (module_id, id, removed_at, step)
       SELECT ?1, 'old-' || value, value, '{}' FROM json_each(?2)`,
    )
      .bind(id, JSON.stringify(Array.from({ length: 500 }, (_, index) => index)))
      .run()
    await save(STEPS.slice(0, 1))
    expect(await list()).toMatchObject([{ id: 'b' }, { id: 'c' }])
    const { results } = await env.DB.prepare('SELECT id FROM removed_steps WHERE module_id = ?1').bind(id).all()
    expect(results).toHaveLength(500)
    expect(results).not.toContainEqual({ id: 'old-1' })
    expect(results).toContainEqual({ id: 'old-2' })
  })

  it('stays removed for an id that was not', async () => {
    const { as, path } = await seedSteps()
    expect((await problemOf(`${path}/removed/z`, { as, method: 'POST' })).code).toBe('not_found')
  })
})
