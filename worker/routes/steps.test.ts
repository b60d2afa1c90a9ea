import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ModuleAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { SaveSteps, type StepInput, StepsAnswer, VersionConflict } from '#contract/step.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { findModule, reviveModule } from '#worker/domain/module/module-store.ts'
import { saveSteps } from '#worker/domain/step/save-steps.ts'
import { openDriver } from '#worker/pipeline/testing/drive.ts'

const as = 'user_owner'
const step = (start: number, fields: Partial<StepInput> = {}) => ({
  title: `Step at ${start}`,
  description: 'What to do here.',
  start,
  end: start + 10,
  ...fields,
})

async function ready(): Promise<string> {
  return (await seedModule({ status: 'READY', durationMs: 60_000 })).id
}

function save(id: string, json: unknown): Promise<StepsAnswer> {
  return answerOf(StepsAnswer, `/api/steps/${id}`, { as, json })
}

describe('GET /api/steps/{id}', () => {
  it.each([
    ['PROCESSING', null, 'steps_not_ready', 'Steps not ready yet - module still processing'],
    ['FAILED', 'No audio', 'processing_failed', 'Processing failed: No audio'],
    ['READY', null, 'steps_not_found', 'Steps not found - module processing may have failed'],
  ] as const)(
    'says why a module that is %s has no steps',
    { tags: ['spec-7.6', 'spec-8.4'] },
    async (status, lastError, code, error) => {
      const { id } = await seedModule({ status, lastError })
      expect(await problemOf(`/api/steps/${id}?t=1`, { as })).toMatchObject({ code, error })
    },
  )

  it('answers an empty list, and no failure, once its owner has deleted the last step', {
    tags: 'spec-2.27',
  }, async () => {
    const id = await ready()
    await save(id, { steps: [step(0)] })
    await save(id, { steps: [], action: 'delete', stepIndex: 0 })
    for (const reader of [as, 'user_viewer']) {
      const { steps, meta } = await answerOf(StepsAnswer, `/api/steps/${id}`, { as: reader })
      expect([steps, meta.editedVersion]).toEqual([[], 2])
    }
  })

  it('hides the reason of a failure, notes and quotes from a viewer', { tags: 'threat-3' }, async () => {
    const id = await ready()
    const rewritten = { aiRewrite: 'secret', beforeRewrite: 'secret' }
    await save(id, { steps: [step(0, { notes: 'secret', notesQuotable: true, originalText: 'quote', ...rewritten })] })
    const seen = await answerOf(StepsAnswer, `/api/steps/${id}`, { as: 'user_viewer' })
    const hidden = {
      notes: '',
      notesQuotable: false,
      notesEdited: false,
      originalText: '',
      aiRewrite: null,
      beforeRewrite: null,
    }
    expect(seen.steps[0]).toMatchObject({ title: 'Step at 0', ...hidden })
    const failed = await seedModule({ status: 'FAILED', lastError: 'secret' })
    expect((await problemOf(`/api/steps/${failed.id}`, { as: 'user_viewer' })).error).not.toContain('secret')
  })
})

describe('POST /api/steps/{id}', () => {
  it('keeps the text before an AI rewrite, until it is taken back', async () => {
    const id = await ready()
    const rewritten = { description: 'Open the lid.', aiRewrite: 'Open the lid.', beforeRewrite: 'Um, open the lid.' }
    const [one] = (await save(id, { steps: [step(0, rewritten)] })).steps
    expect(one).toMatchObject(rewritten)
    const { aiRewrite: _text, beforeRewrite: _before, ...plain } = one ?? {}
    expect((await save(id, { steps: [{ ...plain, title: 'Changed' }] })).steps[0]).toMatchObject(rewritten)
    const back = { description: 'Um, open the lid.', aiRewrite: null, beforeRewrite: null }
    expect((await save(id, { steps: [{ ...plain, ...back }] })).steps[0]).toMatchObject(back)
  })

  it('replaces the list, keeps ids, and counts versions', {
    tags: ['spec-1.1', 'spec-3.3', 'spec-7.6', 'spec-7.7'],
  }, async () => {
    const id = await ready()
    const first = await save(id, { steps: [step(0), step(20)] })
    expect(first.meta).toMatchObject({ version: 1, durationSec: 60 })
    const [one, two] = first.steps
    const second = await save(id, { steps: [two, { ...one, title: 'Changed' }], action: 'reorder', version: 1 })
    expect(second.steps.map(({ id: stepId, title }) => [stepId, title])).toEqual([
      [two?.id, 'Step at 20'],
      [one?.id, 'Changed'],
    ])
    expect(second.meta.version).toBe(2)
  })

  it.each([
    ['update', 1, ['Step at 0', 'Step at 20, changed']],
    ['delete', 0, ['Step at 0', 'Step at 20']],
    ['add', 2, ['Step at 0', 'Step at 20']],
  ])('changes one step only when an %s says which', async (action, stepIndex, titles) => {
    const id = await ready()
    const { steps } = await save(id, { steps: [step(0), step(20)] })
    const late = steps.map((one) => ({ ...one, title: `${one.title}, changed` }))
    const saved = await save(id, { steps: late, action, stepIndex, version: 1 })
    expect(saved.steps.map(({ title }) => title)).toEqual(titles)
  })

  it('replaces halves of characters, which no text can hold, so that a title is read as long as it was written', async () => {
    const id = await ready()
    const title = '\ud800'.repeat(100)
    const { steps } = await save(id, { steps: [{ ...step(0), id: '\udc00', title, aliases: ['a\ud83d'] }] })
    expect(steps).toMatchObject([{ id: '\ufffd', title: '\ufffd'.repeat(100), aliases: ['a\ufffd'] }])
    const whole = await save(id, { steps: [{ ...step(0), title: 'Spin it 🌀' }] })
    expect(whole.steps[0]?.title).toBe('Spin it 🌀')
  })

  it('keeps where to look in a step, within its picture, also for a client that does not know of it', async () => {
    const id = await ready()
    const focus = { x: 10, y: 20, width: 40, height: 40 }
    const { steps } = await save(id, { steps: [step(0, { focus }), step(20)] })
    expect(steps.map((one) => one.focus)).toEqual([focus, null])
    const unaware = steps.map(({ focus: _focus, ...one }) => one)
    expect((await save(id, { steps: unaware })).steps[0]?.focus).toEqual(focus)
    expect((await answerOf(ShareAnswer, `/api/share/${id}`)).module.steps[0]?.focus).toEqual(focus)
    for (const bad of [
      { ...focus, x: 70 },
      { ...focus, width: 19 },
      { ...focus, y: 20.5 },
    ]) {
      const json = { steps: [step(0, { focus: bad })] }
      expect((await problemOf(`/api/steps/${id}`, { as, json })).code).toBe('invalid_request')
    }
    expect((await save(id, { steps: steps.map((one) => ({ ...one, focus: null })) })).steps[0]?.focus).toBeNull()
  })

  it('keeps the chapters of a client that does not know of them, and changes them for one that does', async () => {
    const id = await ready()
    const { steps } = await save(id, {
      steps: [step(0, { chapter: ' Begin ' }), step(20, { chapter: 'Begin' }), step(40)],
    })
    const chaptersOf = (answer: StepsAnswer) => answer.steps.map(({ chapter }) => chapter)
    expect(steps.map(({ chapter }) => chapter)).toEqual(['Begin', 'Begin', null])
    const unaware = steps.map(({ chapter: _chapter, ...one }) => one)
    expect(chaptersOf(await save(id, { steps: unaware }))).toEqual(['Begin', 'Begin', null])
    const renamed = steps.map((one, at) => ({ ...one, chapter: at === 0 ? null : 'End' }))
    expect(chaptersOf(await save(id, { steps: renamed }))).toEqual([null, 'End', 'End'])
    expect(chaptersOf(await answerOf(StepsAnswer, `/api/steps/${id}`, { as: 'user_viewer' }))).toEqual([
      null,
      'End',
      'End',
    ])
  })

  it('keeps callouts, and shows what is offered beside them to owners only', async () => {
    const id = await ready()
    const callouts = [{ kind: 'warning' as const, text: 'The plate is hot.' }]
    const proposedCallouts = [{ kind: 'tool' as const, text: 'A screwdriver', quote: 'You need a screwdriver.' }]
    const { steps } = await save(id, { steps: [step(0, { callouts, proposedCallouts })] })
    expect(steps).toMatchObject([{ callouts, proposedCallouts }])
    const unaware = steps.map(({ callouts: _callouts, proposedCallouts: _proposed, ...one }) => one)
    expect((await save(id, { steps: unaware })).steps).toEqual(steps)
    const seen = await answerOf(StepsAnswer, `/api/steps/${id}`, { as: 'user_viewer' })
    expect(seen.steps).toMatchObject([{ callouts, proposedCallouts: [] }])
  })

  it('keeps commands to the character, for everyone who sees the step', async () => {
    const id = await ready()
    const commands = [
      { kind: 'command' as const, text: 'man -k directory', startMs: 1_200 },
      { kind: 'code' as const, text: '  return "<b>"', startMs: 2_000 },
    ]
    const { steps } = await save(id, { steps: [step(0, { commands })] })
    expect(steps).toMatchObject([{ commands, beforeScreen: null }])
    const unaware = steps.map(({ commands: _commands, ...one }) => one)
    expect((await save(id, { steps: unaware })).steps).toEqual(steps)
    const seen = await answerOf(StepsAnswer, `/api/steps/${id}`, { as: 'user_viewer' })
    expect(seen.steps).toMatchObject([{ commands }])
  })

  it('keeps notes and their tick of a client that sends none, and knows which notes a person has changed', async () => {
    const id = await ready()
    const { steps } = await save(id, { steps: [step(0, { notes: 'Mind the blade.', notesQuotable: true }), step(20)] })
    const notesOf = ({ steps: saved }: StepsAnswer) =>
      saved.map(({ notes, notesQuotable, notesEdited }) => [notes, notesQuotable, notesEdited])
    const stored = [
      ['Mind the blade.', true, true],
      ['', false, false],
    ]
    expect(notesOf(await answerOf(StepsAnswer, `/api/steps/${id}`, { as }))).toEqual(stored)
    const unaware = steps.map(({ notes: _notes, notesQuotable: _quotable, notesEdited: _edited, ...one }) => one)
    expect(notesOf(await save(id, { steps: unaware }))).toEqual(stored)
    await env.DB.prepare("UPDATE steps SET notes = 'By a model.' WHERE module_id = ? AND start_ms = 20000")
      .bind(id)
      .run()
    const retitled = steps.map(({ notes: _notes, ...one }) => ({ ...one, title: 'Another title' }))
    expect(notesOf(await save(id, { steps: retitled }))[1]).toEqual(['By a model.', false, false])
    expect(notesOf(await save(id, { steps: steps.map((one) => ({ ...one, notes: '' })) }))).toEqual([
      ['', true, true],
      ['', false, true],
    ])
  })

  it('refuses a stale save of notes, and shows the current ones', async () => {
    const id = await ready()
    const { steps, meta } = await save(id, { steps: [step(0, { notes: 'First.' })] })
    await save(id, { steps: steps.map((one) => ({ ...one, notes: 'Second.' })), version: meta.version })
    const stale = { steps: steps.map((one) => ({ ...one, notes: 'Third.' })), version: meta.version }
    const conflict = await call(`/api/steps/${id}`, { as, json: stale })
    expect(conflict.status).toBe(409)
    expect(VersionConflict.parse(await conflict.json()).steps).toMatchObject([{ notes: 'Second.' }])
  })

  it('leaves a draft a draft that comes under another heading', async () => {
    const id = await ready()
    const { steps } = await save(id, { steps: [step(0), step(20)] })
    await env.DB.prepare('UPDATE steps SET is_draft = 1, edited_at = NULL WHERE module_id = ?').bind(id).run()
    const [first, second] = steps
    const saved = await save(id, {
      steps: [
        { ...first, chapter: 'Begin' },
        { ...second, title: 'My own words' },
      ],
    })
    expect(saved.steps.map(({ isDraft }) => isDraft)).toEqual([true, false])
  })

  it('returns which version a person made', async () => {
    const id = await ready()
    expect((await save(id, { steps: [step(0)] })).meta).toMatchObject({ version: 1, editedVersion: 1 })
    expect((await save(id, { steps: [] })).meta).toMatchObject({ version: 2, editedVersion: 2 })
  })

  it.each([
    ['startTime and endTime', { startTime: 1, endTime: 9 }],
    ['timestamp and duration', { timestamp: 1, duration: 8 }],
  ])('reads %s', { tags: 'spec-3.2' }, async (_what, times) => {
    const saved = await save(await ready(), { steps: [{ title: 'A step', ...times }] })
    expect(saved.steps[0]).toMatchObject({ start: 1, end: 9, duration: 8, description: '', aliases: [] })
  })

  it('refuses a save that was based on an older version and keeps the stored steps', {
    tags: 'guarantee-G5',
  }, async () => {
    const id = await ready()
    await save(id, { steps: [step(0)] })
    const problem = await problemOf(`/api/steps/${id}`, { as, json: { steps: [], version: 0 } })
    expect(problem.code).toBe('version_conflict')
    expect((await answerOf(StepsAnswer, `/api/steps/${id}`, { as })).steps).toHaveLength(1)
  })

  it.each([
    ['an end before its start', step(10, { end: 5 })],
    ['a step outside the video', step(55)],
    ['an empty title', step(0, { title: '  ' })],
    ['a title of 101 characters', step(0, { title: 'x'.repeat(101) })],
    ['eleven aliases', step(0, { aliases: Array.from({ length: 11 }, (_, n) => `a${n}`) })],
    ['a negative start', step(-1)],
    ['a chapter of 101 characters', step(0, { chapter: 'x'.repeat(101) })],
    ['a chapter without a title', step(0, { chapter: ' ' })],
    ['a callout of no kind', step(0, { callouts: [{ kind: 'danger' as 'warning', text: 'Hot' }] })],
    ['a callout without a text', step(0, { callouts: [{ kind: 'tip', text: ' ' }] })],
    ['a blank command', step(0, { commands: [{ kind: 'command', text: ' ', startMs: 0 }] })],
    [
      'nine commands',
      step(0, { commands: Array.from({ length: 9 }, (_, n) => ({ kind: 'code', text: `x${n}`, startMs: n })) }),
    ],
    ['a callout that nothing was said for', step(0, { proposedCallouts: [{ kind: 'tip', text: 'Hot', quote: '' }] })],
  ])('refuses %s', { tags: 'spec-5.6' }, async (_what, bad) => {
    expect((await problemOf(`/api/steps/${await ready()}`, { as, json: { steps: [bad] } })).code).toBe(
      'invalid_request',
    )
  })

  it('refuses a field that it does not know, which may have been meant as the version', async () => {
    const json = { steps: [step(10)], verison: 1 }
    expect((await problemOf(`/api/steps/${await ready()}`, { as, json })).code).toBe('invalid_request')
  })

  it('gives each step an id of its own', async () => {
    const saved = await save(await ready(), { steps: [step(0, { id: 'same' }), step(20, { id: 'same' })] })
    expect(new Set(saved.steps.map(({ id }) => id)).size).toBe(2)
  })

  it('makes a failed module ready with its first step', async () => {
    const { id } = await seedModule({ status: 'FAILED', failureCode: 'no_narration', lastError: 'No speech' })
    await save(id, { steps: [step(0, { isManual: true })] })
    const { module } = await answerOf(ModuleAnswer, `/api/modules/${id}`, { as })
    expect(module).toMatchObject({ status: 'READY', progress: 100, lastError: null, failureCode: null })
  })

  it('makes a module ready whose run fails just before its first step is saved', async () => {
    const { id } = await seedModule({ status: 'FAILED', failureCode: 'no_narration', lastError: 'No speech' })
    const context = openDriver().deps
    const module = await findModule(context.db, id)
    if (module === null) throw new Error('no module')
    const request = SaveSteps.parse({ steps: [step(0, { isManual: true })] })
    await saveSteps(context, { ...module, status: 'PROCESSING', failureCode: null }, request)
    expect(await findModule(context.db, id)).toMatchObject({ status: 'READY', failureCode: null })
  })

  it('leaves a new run alone that began while the step was being saved', async () => {
    const { id } = await seedModule({ status: 'FAILED', failureCode: 'no_narration' })
    const db = openDb(env.DB)
    const before = await findModule(db, id)
    if (before === null) throw new Error('no module')
    await env.DB.prepare("UPDATE modules SET status = 'PROCESSING', run_status = 'PROCESSING', run = 2 WHERE id = ?")
      .bind(id)
      .run()
    await reviveModule(db, before, 1)
    expect(await findModule(db, id)).toMatchObject({ status: 'PROCESSING', run: 2 })
  })

  it('answers a viewer as for a module that does not exist', { tags: 'spec-6.4' }, async () => {
    const viewer = await problemOf(`/api/steps/${await ready()}`, { as: 'user_viewer', json: { steps: [] } })
    const missing = await problemOf(`/api/steps/${'x'.repeat(22)}`, { as: 'user_viewer', json: { steps: [] } })
    expect({ ...viewer, requestId: '' }).toEqual({ ...missing, requestId: '' })
  })
})

describe('DELETE /api/steps/{id}', () => {
  it('removes all steps', { tags: 'spec-7.8' }, async () => {
    const id = await ready()
    await save(id, { steps: [step(0), step(20)] })
    expect((await answerOf(StepsAnswer, `/api/steps/${id}`, { as, method: 'DELETE' })).steps).toEqual([])
  })
})
