// Behaviour: a person who edits steps while a run writes them, and two people who save the same.
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { STEP_HARD_LIMITS } from '#contract/limits.ts'
import { type Step, StepsAnswer, VersionConflict } from '#contract/step.ts'
import { answerOf, call } from '#local/testing/api.ts'
import { commitRunSteps, showRunSteps } from '#worker/domain/run/section-store.ts'
import { seedWork, written } from '../testing/seed-steps.ts'

type Work = Awaited<ReturnType<typeof seedWork>>

/** A module whose run has shown steps at these seconds, and its list as its owner has it on the screen. */
async function shown(...starts: number[]): Promise<Work & { list: StepsAnswer }> {
  const work = await seedWork()
  await show(work, ...starts)
  return { ...work, list: await read(work) }
}

function show({ id }: Work, ...starts: number[]) {
  const steps = starts.map((start) => written(1, start))
  return showRunSteps(env.DB, id, steps)
}

function commit({ id }: Work, ...starts: number[]) {
  const steps = starts.map((start) => written(1, start))
  return commitRunSteps(env.DB, id, steps)
}

function read({ id, as }: Work): Promise<StepsAnswer> {
  return answerOf(StepsAnswer, `/api/steps/${id.moduleId}`, { as })
}

function save({ id, as }: Work, steps: Partial<Step>[], version?: number): Promise<StepsAnswer> {
  return answerOf(StepsAnswer, `/api/steps/${id.moduleId}`, { as, json: { steps, version } })
}

function titles({ steps }: StepsAnswer): string[] {
  return steps.map((step) => step.title)
}

async function conflictOf({ id, as }: Work, steps: Partial<Step>[], version: number): Promise<VersionConflict> {
  const response = await call(`/api/steps/${id.moduleId}`, { as, json: { steps, version } })
  expect(response.status).toBe(409)
  return VersionConflict.parse(await response.json())
}

const MINE = { title: 'My own step', description: 'Added by hand.', start: 15, end: 25, isManual: true }

describe.each(['goes on', 'ends'])('a person who edits while the run %s', (what) => {
  const moveOn = (work: Work, ...starts: number[]) =>
    what === 'ends' ? commit(work, ...starts) : show(work, ...starts)

  it('keeps a changed text and changed times', async () => {
    const work = await shown(0, 20)
    const [first, second] = work.list.steps
    await save(work, [{ ...first, title: 'Better title', end: 12 }, second ?? {}], work.list.meta.version)
    await moveOn(work, 0, 20, 40)
    const { steps } = await read(work)
    expect(steps.map(({ title, end }) => [title, end])).toEqual([
      ['Better title', 12],
      ['Step at 20', 30],
      ['Step at 40', 50],
    ])
  })

  it('does not see a removed step again', async () => {
    const work = await shown(0, 20)
    await save(work, work.list.steps.slice(1), work.list.meta.version)
    await moveOn(work, 0, 20, 40)
    expect(titles(await read(work))).toEqual(['Step at 20', 'Step at 40'])
  })

  it('does not see any again after removing all of them', async () => {
    const work = await shown(0, 20)
    await answerOf(StepsAnswer, `/api/steps/${work.id.moduleId}`, { as: work.as, method: 'DELETE' })
    await moveOn(work, 0, 20, 40)
    expect(titles(await read(work))).toEqual(['Step at 40'])
  })

  it('keeps an added step', async () => {
    const work = await shown(0)
    await save(work, [...work.list.steps, MINE], work.list.meta.version)
    await moveOn(work, 0, 20)
    expect(titles(await read(work))).toEqual(['Step at 0', 'My own step', 'Step at 20'])
  })

  it('keeps an order of their own, and new steps take their place in time', async () => {
    const work = await shown(0, 20, 40)
    await save(work, work.list.steps.toReversed(), work.list.meta.version)
    await moveOn(work, 0, 20, 30, 40, 60)
    expect(titles(await read(work))).toEqual(['Step at 40', 'Step at 60', 'Step at 20', 'Step at 30', 'Step at 0'])
  })

  it('keeps what was added on both sides, although the save did not know of it', async () => {
    const work = await shown(0, 20, 40)
    await moveOn(work, 0, 20, 30, 40)
    const saved = await save(work, [...work.list.steps, MINE], work.list.meta.version)
    expect(titles(saved)).toEqual(['Step at 0', 'Step at 20', 'Step at 30', 'Step at 40', 'My own step'])
    expect(await read(work)).toEqual(saved)
  })

  it('keeps an order of their own also when the save did not know of a new step', async () => {
    const work = await shown(0, 20, 40)
    await moveOn(work, 0, 20, 40, 60)
    const saved = await save(work, work.list.steps.toReversed(), work.list.meta.version)
    expect(titles(saved)).toEqual(['Step at 40', 'Step at 60', 'Step at 20', 'Step at 0'])
  })

  it('removes what they saw and keeps what they did not see', async () => {
    const work = await shown(0, 20)
    await moveOn(work, 0, 20, 40)
    expect(titles(await save(work, [], work.list.meta.version))).toEqual(['Step at 40'])
    await moveOn(work, 0, 20, 40, 60)
    expect(titles(await read(work))).toEqual(what === 'ends' ? ['Step at 40'] : ['Step at 40', 'Step at 60'])
  })
})

describe('the version that a person made', () => {
  it('stays when the pipeline adds steps, and moves when a person saves', async () => {
    const work = await shown(0)
    expect(work.list.meta).toMatchObject({ version: 1, editedVersion: 0 })
    const saved = await save(work, work.list.steps, 1)
    await show(work, 0, 20)
    expect(saved.meta).toMatchObject({ version: 2, editedVersion: 2 })
    expect((await read(work)).meta).toMatchObject({ version: 3, editedVersion: 2 })
  })
})

describe('two people who save the same steps', { tags: ['guarantee-G5', 'fault-37'] }, () => {
  it.each([
    ['while the run goes on', show],
    ['after it has ended', commit],
  ])('learn of each other %s: the second gets the steps of the first, and loses nothing', async (_when, moveOn) => {
    const work = await shown(0, 20)
    await moveOn(work, 0, 20)
    const { steps, meta } = await read(work)
    const [first, second] = steps
    const saved = await save(work, [{ ...first, title: 'By the first' }, second ?? {}], meta.version)
    const conflict = await conflictOf(work, [{ ...first, title: 'By the second' }, second ?? {}], meta.version)
    expect(conflict).toMatchObject({ steps: saved.steps, version: saved.meta.version })
    expect(titles(await read(work))).toEqual(['By the first', 'Step at 20'])
    const again = await save(work, [{ ...first, title: 'By the second' }, second ?? {}], conflict.version)
    expect(titles(again)).toEqual(['By the second', 'Step at 20'])
  })

  it('save one list of the two when they do so at the same moment', async () => {
    const work = await shown(0, 20)
    const statuses = await Promise.all(
      ['one', 'two', 'three'].map(async (title) => {
        const json = { steps: [{ title, start: 0, end: 10 }], version: work.list.meta.version }
        return (await call(`/api/steps/${work.id.moduleId}`, { as: work.as, json })).status
      }),
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    expect((await read(work)).steps).toHaveLength(1)
  })

  it('get a conflict when a new run has replaced the steps that they edit', async () => {
    const work = await seedWork({ run: 2, isLive: false })
    const before = await save(work, [{ id: 'old', title: 'Old', start: 0, end: 9 }])
    await env.DB.prepare('UPDATE steps SET edited_at = NULL WHERE module_id = ?').bind(work.id.moduleId).run()
    await commitRunSteps(env.DB, work.id, [written(2, 0)])
    const conflict = await conflictOf(work, before.steps, before.meta.version)
    expect(conflict.steps.map((step) => step.title)).toEqual(['Step at 0'])
  })
})

describe('a run whose steps no person edits', () => {
  it('keeps its steps in the order of their times, in whatever order sections are written', async () => {
    const orders = fc.shuffledSubarray([0, 20, 40, 60, 80, 100], { minLength: 6 })
    await fc.assert(
      fc.asyncProperty(orders, async (starts) => {
        const work = await seedWork()
        for (const start of starts) await show(work, start)
        expect(titles(await read(work))).toEqual([0, 20, 40, 60, 80, 100].map((start) => `Step at ${start}`))
      }),
      { numRuns: 5 },
    )
  })
})

describe('a person who edits a video of many hours while its run goes on', () => {
  it('sees no more steps than can be saved at once', async () => {
    const work = await shown(...starts(0, 480))
    for (const from of [475, 490, 505]) await show(work, ...starts(from, from + 15))
    await env.DB.prepare('UPDATE modules SET duration_ms = 6000000 WHERE id = ?').bind(work.id.moduleId).run()
    const list = await read(work)
    expect(list.steps.length).toBe(STEP_HARD_LIMITS.maxSteps)
    const [first, ...rest] = list.steps
    const { steps } = await save(work, [{ ...first, title: 'My own title' }, ...rest], list.meta.version)
    expect(steps[0]?.title).toBe('My own title')
  })

  function starts(from: number, to: number): number[] {
    return Array.from({ length: to - from }, (_, at) => (from + at) * 10)
  }
})
