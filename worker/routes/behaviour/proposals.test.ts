// Behaviour: steps that a new run proposes, and what their owner decides.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ProposalsAnswer, StepsAnswer, VersionConflict } from '#contract/step.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { proposeRunSteps } from '#worker/domain/run/section-store.ts'
import { seedWork, written } from '#worker/domain/step/testing/seed-steps.ts'

/**
 * A module whose second run offers steps at 0, 20, 40 and 60 beside: one of the first run at 1, one that a person
 * changed at 22, and one that a person added at 42.
 */
async function offered() {
  const { id, as } = await seedWork({ run: 2, isLive: false })
  const path = `/api/steps/${id.moduleId}`
  const json = {
    steps: [
      { id: 'r1-1', title: 'Old', start: 1, end: 9 },
      { id: 'r1-22', title: 'Changed', start: 22, end: 29 },
      { id: 'mine', title: 'Mine', start: 42, end: 49, isManual: true },
    ],
  }
  await answerOf(StepsAnswer, path, { as, json })
  await env.DB.prepare("UPDATE steps SET run = 1, edited_at = NULL WHERE module_id = ? AND id = 'r1-1'")
    .bind(id.moduleId)
    .run()
  const steps = [0, 20, 40, 60].map((start) => written(2, start))
  expect(await proposeRunSteps(env.DB, id, steps)).toBe(true)
  const decide = (stepId: string, decision: string, caller: string | null = as) =>
    ({ path: `${path}/proposals/${stepId}`, options: { as: caller, json: { decision } } }) as const
  return { id, as, path, decide }
}

async function idsOffered({ as, path }: { as: string; path: string }): Promise<string[]> {
  return (await answerOf(ProposalsAnswer, `${path}/proposals`, { as })).proposals.map((step) => step.id)
}

function titlesOf({ steps }: StepsAnswer): string[] {
  return steps.map((step) => step.title)
}

describe('GET /api/steps/{id}/proposals', () => {
  it('lists the steps that the last run offers, in the order of time, and leaves the steps unchanged', async () => {
    const module = await offered()
    expect(await idsOffered(module)).toEqual(['r2-0', 'r2-20', 'r2-40', 'r2-60'])
    expect(titlesOf(await answerOf(StepsAnswer, module.path, { as: module.as }))).toEqual(['Old', 'Changed', 'Mine'])
  })

  it('is empty where there is nothing to decide', async () => {
    const { id, as } = await seedWork()
    expect(await idsOffered({ as, path: `/api/steps/${id.moduleId}` })).toEqual([])
  })

  it('answers everyone but owners as for a module that does not exist', async () => {
    const { path } = await offered()
    const missing = await problemOf(`/api/steps/${'x'.repeat(22)}/proposals`, { as: 'user_viewer' })
    expect(missing.code).toBe('not_found')
    const viewer = await problemOf(`${path}/proposals`, { as: 'user_viewer' })
    expect({ ...viewer, requestId: '' }).toEqual({ ...missing, requestId: '' })
    expect((await problemOf(`${path}/proposals`)).code).toBe('unauthenticated')
  })

  it('lists only the steps that the newest run offers', async () => {
    const module = await offered()
    await env.DB.prepare("UPDATE modules SET run_status = 'PROCESSING', run = 3 WHERE id = ?")
      .bind(module.id.moduleId)
      .run()
    await proposeRunSteps(env.DB, { ...module.id, run: 3 }, [written(3, 5)])
    expect(await idsOffered(module)).toEqual(['r3-5'])
  })
})

describe('POST /api/steps/{id}/proposals/{stepId}', () => {
  it('accepts: takes the place of untouched steps whose middle lies inside, and of nothing else', async () => {
    const module = await offered()
    for (const stepId of ['r2-60', 'r2-40', 'r2-20', 'r2-0']) {
      const { path, options } = module.decide(stepId, 'accept')
      await answerOf(StepsAnswer, path, options)
    }
    const after = await answerOf(StepsAnswer, module.path, { as: module.as })
    expect(titlesOf(after)).toEqual(['Step at 0', 'Step at 20', 'Changed', 'Step at 40', 'Mine', 'Step at 60'])
    expect(await idsOffered(module)).toEqual([])
  })

  it('accepts into the chapter of what gives way, or of the step before, and undoes that', async () => {
    const module = await offered()
    const chaptersOf = async () =>
      (await answerOf(StepsAnswer, module.path, { as: module.as })).steps.map(({ id, chapter }) => `${id} ${chapter}`)
    const { moduleId } = module.id
    await env.DB.prepare("UPDATE step_proposals SET chapter = 'New' WHERE module_id = ?").bind(moduleId).run()
    await env.DB.prepare("UPDATE steps SET chapter = iif(start_ms < 40000, 'Open', 'Close') WHERE module_id = ?")
      .bind(moduleId)
      .run()
    for (const stepId of ['r2-0', 'r2-60']) {
      const { path, options } = module.decide(stepId, 'accept')
      await answerOf(StepsAnswer, path, options)
    }
    expect(await chaptersOf()).toEqual(['r2-0 Open', 'r1-22 Open', 'mine Close', 'r2-60 Close'])
    const { path, options } = module.decide('r2-0', 'undo')
    await answerOf(StepsAnswer, path, options)
    expect(await chaptersOf()).toEqual(['r1-1 Open', 'r1-22 Open', 'mine Close', 'r2-60 Close'])
  })

  it('accepts with its own chapter where the list has none', async () => {
    const module = await offered()
    await env.DB.prepare("UPDATE step_proposals SET chapter = 'New' WHERE module_id = ?").bind(module.id.moduleId).run()
    const { path, options } = module.decide('r2-0', 'accept')
    const { steps } = await answerOf(StepsAnswer, path, options)
    expect(steps.map(({ chapter }) => chapter)).toEqual(['New', null, null])
  })

  it('leaves an untouched step whose middle lies outside', async () => {
    const module = await offered()
    const { path, options } = module.decide('r2-60', 'accept')
    expect(titlesOf(await answerOf(StepsAnswer, path, options))).toEqual(['Old', 'Changed', 'Mine', 'Step at 60'])
  })

  it('puts an accepted step into its place in time and keeps an order that a person made', async () => {
    const module = await offered()
    const { steps, meta } = await answerOf(StepsAnswer, module.path, { as: module.as })
    const json = { steps: steps.toReversed(), version: meta.version, action: 'reorder' }
    await answerOf(StepsAnswer, module.path, { as: module.as, json })
    const { path, options } = module.decide('r2-60', 'accept')
    expect(titlesOf(await answerOf(StepsAnswer, path, options))).toEqual(['Mine', 'Step at 60', 'Changed', 'Old'])
  })

  const calloutOf = (id: string) => ({ kind: 'warning' as const, text: `Of ${id}` })

  /** A list in which the person has put the third step first. */
  async function ordered() {
    const { id, as } = await seedWork({ run: 2, isLive: false })
    const path = `/api/steps/${id.moduleId}`
    const own = (step: string, start: number, title: string) => ({ id: step, title, start, end: start + 10 })
    const json = {
      steps: [own('c', 40, 'Close the lid'), own('a', 0, 'Open the lid'), own('b', 20, 'Clean the frame')],
    }
    await answerOf(StepsAnswer, path, {
      as,
      json: {
        steps: json.steps.map((step) => ({
          ...step,
          notes: `Of ${step.id}`,
          callouts: [calloutOf(step.id)],
          imageAt: { a: 5.5, b: 'none' }[step.id] ?? null,
        })),
      },
    })
    await proposeRunSteps(env.DB, id, [
      written(2, 0, { title: 'Open the lid slowly' }),
      written(2, 20, { title: 'Clean the frame well' }),
      written(2, 60, { title: 'Switch it on' }),
    ])
    const decide = (decision: string, ids: string[]) =>
      answerOf(StepsAnswer, `${path}/proposals`, { as, json: { decision, ids } })
    return { path, as, decide, offered: (await answerOf(ProposalsAnswer, `${path}/proposals`, { as })).proposals }
  }

  it('puts each into the place of the step that it is the new version of, whatever the order, with its notes, callouts and image', async () => {
    const { path, as, decide, offered } = await ordered()
    expect(offered.map(({ replaces }) => replaces)).toEqual([['a'], ['b'], []])
    const before = await answerOf(StepsAnswer, path, { as })
    const ids = offered.map(({ id }) => id)
    const after = await decide('accept', ids)
    expect(titlesOf(after)).toEqual(['Close the lid', 'Switch it on', 'Open the lid slowly', 'Clean the frame well'])
    expect(after.steps.map(({ notes }) => notes)).toEqual(['Of c', '', 'Of a', 'Of b'])
    expect(after.steps.map(({ callouts }) => callouts)).toEqual(
      [['c'], [], ['a'], ['b']].map((of) => of.map(calloutOf)),
    )
    expect(after.steps.map(({ imageAt }) => imageAt)).toEqual([null, null, 5.5, 'none'])
    expect((await decide('undo', ids)).steps).toEqual(before.steps)
  })

  it('takes the notes of a proposal, but for those that a person has changed, emptied or lets learners read', async () => {
    const { path, as, decide } = await ordered()
    const notesOf = ({ steps }: StepsAnswer) => steps.map(({ notes, notesQuotable }) => [notes, notesQuotable])
    const moduleId = path.split('/').at(-1)
    const run = (sql: string) => env.DB.prepare(`${sql} AND module_id = ?`).bind(moduleId).run()
    await run("UPDATE step_proposals SET notes = 'New.' WHERE true")
    await run("UPDATE steps SET notes_edited = 0, notes_quotable = 1 WHERE id = 'a'")
    await run("UPDATE steps SET notes = '' WHERE id = 'b'")
    const accepted = await decide('accept', ['r2-0', 'r2-20', 'r2-60'])
    expect(notesOf(accepted)).toEqual([
      ['Of c', false],
      ['New.', false],
      ['Of a', true],
      ['', false],
    ])
    await decide('undo', ['r2-0', 'r2-20', 'r2-60'])
    await run("UPDATE steps SET notes_quotable = 0 WHERE id = 'a'")
    await decide('accept', ['r2-0'])
    expect(notesOf(await answerOf(StepsAnswer, path, { as }))[1]).toEqual(['New.', false])
  })

  it('takes a single one back to where its step was', async () => {
    const { path, as, decide } = await ordered()
    const before = await answerOf(StepsAnswer, path, { as })
    await decide('accept', ['r2-0'])
    await decide('accept', ['r2-20', 'r2-60'])
    await decide('undo', ['r2-0'])
    expect(titlesOf(await answerOf(StepsAnswer, path, { as }))).toEqual([
      'Close the lid',
      'Switch it on',
      'Open the lid',
      'Clean the frame well',
    ])
    await decide('undo', ['r2-20', 'r2-60'])
    expect((await answerOf(StepsAnswer, path, { as })).steps).toEqual(before.steps)
  })

  it('counts the version, so that a save which does not know of the step is refused', async () => {
    const module = await offered()
    const before = await answerOf(StepsAnswer, module.path, { as: module.as })
    const { path, options } = module.decide('r2-60', 'accept')
    const after = await answerOf(StepsAnswer, path, options)
    expect(after.meta.version).toBeGreaterThan(before.meta.version)
    const json = { steps: before.steps, version: before.meta.version }
    const stale = VersionConflict.parse(await (await call(module.path, { as: module.as, json })).json())
    expect(stale).toMatchObject({ version: after.meta.version, steps: after.steps })
  })

  it('rejects: the steps stay as they are, and a save that was under way is not refused', async () => {
    const module = await offered()
    const before = await answerOf(StepsAnswer, module.path, { as: module.as })
    const { path, options } = module.decide('r2-20', 'reject')
    expect(await answerOf(StepsAnswer, path, options)).toEqual(before)
    expect(await idsOffered(module)).toEqual(['r2-0', 'r2-40', 'r2-60'])
    const json = { steps: before.steps, version: before.meta.version }
    await answerOf(StepsAnswer, module.path, { as: module.as, json })
  })

  it.each(['accept', 'reject'])('answers 404 when it is decided on twice, at first by %s', async (decision) => {
    const module = await offered()
    const { path, options } = module.decide('r2-0', decision)
    const before = await answerOf(StepsAnswer, path, options)
    for (const second of ['accept', 'reject']) {
      const again = module.decide('r2-0', second)
      expect((await problemOf(again.path, again.options)).code).toBe('not_found')
    }
    expect(await answerOf(StepsAnswer, module.path, { as: module.as })).toEqual(before)
  })

  it('adds the step once when two people accept it at the same moment', async () => {
    const module = await offered()
    const { path, options } = module.decide('r2-60', 'accept')
    const statuses = await Promise.all([1, 2, 3].map(async () => (await call(path, options)).status))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404, 404])
    expect((await answerOf(StepsAnswer, module.path, { as: module.as })).steps).toHaveLength(4)
  })

  it('answers everyone but owners as for a module that does not exist, and decides nothing', async () => {
    const module = await offered()
    const { path, options } = module.decide('r2-0', 'accept', 'user_viewer')
    const viewer = await problemOf(path, options)
    const missing = await problemOf(`/api/steps/${'x'.repeat(22)}/proposals/r2-0`, options)
    expect({ ...viewer, requestId: '' }).toEqual({ ...missing, requestId: '' })
    const stranger = module.decide('r2-0', 'accept', null)
    expect((await problemOf(stranger.path, stranger.options)).code).toBe('unauthenticated')
    expect(await idsOffered(module)).toHaveLength(4)
  })

  it('refuses an unknown decision', async () => {
    const module = await offered()
    const { path, options } = module.decide('r2-0', 'perhaps')
    expect((await problemOf(path, options)).code).toBe('invalid_request')
    expect((await problemOf(path, { ...options, json: { decision: 'accept', more: 1 } })).code).toBe('invalid_request')
    expect((await problemOf(path, { as: module.as, body: 'accept' })).code).toBe('unsupported_media_type')
    expect((await problemOf(path, { as: module.as, method: 'POST' })).code).toBe('unsupported_media_type')
  })
})

describe('a decision that is taken back', () => {
  it('brings back the steps that an accepted one took the place of, as they were', async () => {
    const module = await offered()
    const before = await answerOf(StepsAnswer, module.path, { as: module.as })
    const { path, options } = module.decide('r2-0', 'accept')
    expect(titlesOf(await answerOf(StepsAnswer, path, options))).toEqual(['Step at 0', 'Changed', 'Mine'])
    const undo = module.decide('r2-0', 'undo')
    const after = await answerOf(StepsAnswer, undo.path, undo.options)
    expect(after.steps).toEqual(before.steps)
    expect(after.meta.version).toBeGreaterThan(before.meta.version)
    expect(await idsOffered(module)).toEqual(['r2-0', 'r2-20', 'r2-40', 'r2-60'])
    expect(titlesOf(await answerOf(StepsAnswer, path, options))).toEqual(['Step at 0', 'Changed', 'Mine'])
  })

  it('offers a rejected one again', async () => {
    const module = await offered()
    for (const decision of ['reject', 'undo']) {
      const { path, options } = module.decide('r2-20', decision)
      await answerOf(StepsAnswer, path, options)
    }
    expect(await idsOffered(module)).toEqual(['r2-0', 'r2-20', 'r2-40', 'r2-60'])
  })

  it('leaves a step that a person has changed since it was accepted', async () => {
    const module = await offered()
    const { path, options } = module.decide('r2-0', 'accept')
    const { steps } = await answerOf(StepsAnswer, path, options)
    const json = { steps: steps.map((step) => (step.id === 'r2-0' ? { ...step, title: 'My own words' } : step)) }
    await answerOf(StepsAnswer, module.path, { as: module.as, json })
    const undo = module.decide('r2-0', 'undo')
    expect((await problemOf(undo.path, undo.options)).code).toBe('not_found')
    const now = await answerOf(StepsAnswer, module.path, { as: module.as })
    expect(titlesOf(now)).toEqual(['My own words', 'Changed', 'Mine'])
  })

  it('needs a decision', async () => {
    const module = await offered()
    const undo = module.decide('r2-0', 'undo')
    expect((await problemOf(undo.path, undo.options)).code).toBe('not_found')
  })
})

describe('POST /api/steps/{id}/proposals', () => {
  const decideAll = ({ path, as }: { path: string; as: string }, decision: string, ids: string[]) => ({
    path: `${path}/proposals`,
    options: { as, json: { decision, ids } },
  })
  const ALL = ['r2-0', 'r2-20', 'r2-40', 'r2-60']

  it('accepts several in one go, takes it back in one go, and leaves out those that are decided on', async () => {
    const module = await offered()
    const before = await answerOf(StepsAnswer, module.path, { as: module.as })
    const rejected = module.decide('r2-40', 'reject')
    await answerOf(StepsAnswer, rejected.path, rejected.options)
    const accept = decideAll(module, 'accept', ALL)
    const after = await answerOf(StepsAnswer, accept.path, accept.options)
    expect(titlesOf(after)).toEqual(['Step at 0', 'Step at 20', 'Changed', 'Mine', 'Step at 60'])
    expect(after.meta.version).toBe(before.meta.version + 1)
    expect(await idsOffered(module)).toEqual([])
    const undo = decideAll(module, 'undo', ['r2-0', 'r2-20', 'r2-60'])
    expect((await answerOf(StepsAnswer, undo.path, undo.options)).steps).toEqual(before.steps)
    expect(await idsOffered(module)).toEqual(['r2-0', 'r2-20', 'r2-60'])
  })

  it('rejects all', async () => {
    const module = await offered()
    const { path, options } = decideAll(module, 'reject', ALL)
    expect(titlesOf(await answerOf(StepsAnswer, path, options))).toEqual(['Old', 'Changed', 'Mine'])
    expect(await idsOffered(module)).toEqual([])
    expect((await problemOf(path, options)).code).toBe('not_found')
  })

  it('is for owners, and wants names', async () => {
    const module = await offered()
    const { path, options } = decideAll(module, 'accept', ALL)
    expect((await problemOf(path, { ...options, as: 'user_viewer' })).code).toBe('not_found')
    expect((await problemOf(path, { json: options.json })).code).toBe('unauthenticated')
    expect((await problemOf(path, { ...options, json: { decision: 'accept', ids: [] } })).code).toBe('invalid_request')
    expect(await idsOffered(module)).toEqual(ALL)
  })
})
