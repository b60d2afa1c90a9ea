import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { LanguageTag } from '#contract/languages.ts'
import { Done } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { StepsAnswer } from '#contract/step.ts'
import { answerOf, call } from '#local/testing/api.ts'
import { seedCaptions, seedModule } from '#local/testing/modules.ts'
import { AppError } from '#worker/core/errors.ts'
import { openDb } from '#worker/db/db.ts'
import { MODULE_SUBJECT } from '#worker/domain/module/module-subject.ts'
import { listTranslating } from '#worker/domain/module/translate-tasks.ts'
import { readTerms } from '#worker/domain/translation/glossary.ts'
import { readGlossary } from '#worker/domain/translation/glossary-store.ts'
import { setLanguages } from '#worker/domain/translation/request-translations.ts'
import { fakeTranslator, toSpanish } from '#worker/domain/translation/testing/fake-translator.ts'
import { FAILURE_ITEM, listTranslations } from '#worker/domain/translation/translation-store.ts'
import type { Translator } from '#worker/ports/translator.ts'
import { claimTasks } from '#worker/tasks/claim-tasks.ts'
import { runTasks } from '#worker/tasks/run-tasks.ts'
import { TASK_HANDLERS } from './task-handlers.ts'
import { fakeSpeech, openDriver, seedRun } from './testing/drive.ts'
import { holdTasks } from './testing/seed-tasks.ts'

holdTasks()

const STEPS = [
  { id: 'a', title: 'Open the lid', description: 'Turn the screw 12 times.', start: 0, end: 10 },
  { id: 'b', title: 'Check the cable', description: 'Do not touch the 12 V cable.', start: 10, end: 20 },
]

async function seedTraining(translator: Translator, steps: readonly object[] = STEPS, orgId: string | null = null) {
  const as = `user_${crypto.randomUUID()}`
  const { id } = await seedModule({
    userId: as,
    orgId,
    status: 'READY',
    runStatus: 'READY',
    run: 1,
    durationMs: 60_000,
    title: 'Change the filter of the machine',
    language: 'en',
  })
  await answerOf(StepsAnswer, `/api/steps/${id}`, { as, json: { steps } })
  const driver = openDriver({ translator })
  /** Does all tasks of translations that are due by then, as consumers do. */
  const work = async (afterMs = 0) => {
    const nowMs = Date.now() + afterMs
    const limits = { kind: 'translate', subject: MODULE_SUBJECT, limit: 6, bytes: 1, isIdle: true, nowMs } as const
    for (let round = 0; round < 10; round++) {
      const tasks = await claimTasks(env.DB, limits)
      if (tasks.length === 0) return
      await runTasks(tasks, { ...driver.deps, nowMs: () => nowMs }, TASK_HANDLERS)
    }
  }
  const rowsOf = async (language: LanguageTag = 'es') => {
    const rows = await listTranslations(openDb(env.DB), { moduleId: id, language })
    return Object.fromEntries(rows.map((row) => [row.item, row]))
  }
  const save = async (changed: readonly object[]) => {
    const { meta } = await answerOf(StepsAnswer, `/api/steps/${id}`, { as })
    return answerOf(StepsAnswer, `/api/steps/${id}`, { as, json: { steps: changed, version: meta.version } })
  }
  const switchOn = (...languages: LanguageTag[]) => setLanguages(driver.deps, id, languages)
  return { id, as, driver, work, rowsOf, save, switchOn }
}

describe('the translation of a training', () => {
  it('is marked as rough where an engine translates by rules, and learners read that', async () => {
    const training = await seedTraining(fakeTranslator(toSpanish, { isRough: true }))
    await training.switchOn('es')
    await training.work()
    expect((await training.rowsOf())['step:a']?.state).toBe('rough')
    const { module } = await answerOf(ShareAnswer, `/api/share/${training.id}?lang=es`)
    expect(module.translation).toMatchObject({ isRough: true, engine: 'fake', isApproved: false })
    const page = await call(`/share/${training.id}?lang=es`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('Traducción automática aproximada (fake)')
    await training.work()
    expect((await training.rowsOf())['step:a']?.state).toBe('rough')
  })

  it('translates title, steps, callouts, chapters and captions, once', async () => {
    const translator = fakeTranslator()
    const callouts = [{ kind: 'warning', text: 'Never open the lid at 90 °C.' }]
    const [first, second] = STEPS
    const training = await seedTraining(translator, [
      { ...first, callouts, chapter: 'The lid' },
      { ...second, chapter: 'The lid' },
    ])
    const line = { startMs: 0, endMs: 4_000, confidence: null }
    await seedCaptions(training.id, [{ ...line, text: 'now open the lid and turn the screw 12 times' }])
    await training.switchOn('es')
    await training.work()
    const rows = await training.rowsOf()
    expect(Object.keys(rows).sort()).toEqual(['captions:c-00000', 'chapters', 'step:a', 'step:b', 'title'])
    expect(rows['step:a']).toMatchObject({
      texts: ['abra el lid', 'gire el screw 12 veces.', 'nunca abra el lid at 90 °C.'],
      state: 'good',
      writer: 'fake',
    })
    expect(await listTranslating(env.DB, training.id)).toEqual([])
    const { length } = translator.asked()
    await training.switchOn('es')
    await training.work()
    expect(translator.asked()).toHaveLength(length)
  })

  it('has the captions of a file in two languages as they are in it, and asks for the rest', async () => {
    const translator = fakeTranslator()
    const training = await seedTraining(translator)
    const line = { startMs: 0, endMs: 4_000, confidence: null, text: 'now open the lid and turn the screw 12 times' }
    await seedCaptions(training.id, [
      { ...line, translated: { language: 'es', text: 'Abra la tapa y gire 12 veces.' } },
    ])
    await training.switchOn('es', 'de')
    await training.work()
    expect((await training.rowsOf())['captions:c-00000']).toMatchObject({
      texts: ['Abra la tapa y gire 12 veces.'],
      state: 'approved',
      writer: 'person',
    })
    expect((await training.rowsOf())['step:a']).toMatchObject({ writer: 'fake' })
    expect((await training.rowsOf('de'))['captions:c-00000']).toMatchObject({ writer: 'fake' })
    expect(translator.calls.filter(({ to, texts }) => to === 'es' && texts.includes(line.text))).toEqual([])
  })

  it('translates one step of sixty again where one has changed', async () => {
    const translator = fakeTranslator()
    const many = Array.from({ length: 60 }, (_, at) => {
      return { id: `s${at}`, title: `Turn the screw ${at + 2}`, description: 'Open the lid.', start: at, end: at + 1 }
    })
    const training = await seedTraining(translator, many)
    await training.switchOn('es')
    await training.work()
    translator.calls.length = 0
    await training.save(many.map((step, at) => (at === 30 ? { ...step, title: 'Turn the screw 99' } : step)))
    // The editor saves each second; nothing is translated before it rests.
    await training.work()
    expect(translator.asked()).toEqual([])
    await training.work(60_000)
    expect(translator.asked()).toEqual(['Turn the screw 99', 'Open the lid.'])
    expect((await training.rowsOf())['step:s30']?.texts[0]).toBe('gire el screw 99')
  })

  it('translates again what lacks a word that the glossary has got, and keeps it back where it still does', async () => {
    const translator = fakeTranslator()
    const { id, as, work, rowsOf, switchOn } = await seedTraining(translator)
    await switchOn('es')
    await work()
    expect((await rowsOf())['step:a']?.state).toBe('good')
    translator.calls.length = 0
    await answerOf(Done, `/api/modules/${id}`, { as, method: 'PATCH', json: { glossary: 'screw = tornillo (es)' } })
    await work(60_000)
    expect(translator.calls[0]).toMatchObject({
      texts: STEPS.slice(0, 1).flatMap((step) => [step.title, step.description]),
    })
    expect(translator.calls[0]?.terms).toEqual([{ word: 'screw', text: 'tornillo' }])
    expect((await rowsOf())['step:a']).toMatchObject({
      state: 'kept_back',
      complaints: [{ kind: 'term', lost: ['tornillo'], added: [] }],
    })
    expect((await rowsOf())['step:b']?.state).toBe('good')
    const { length } = translator.calls
    await switchOn('es')
    await work(60_000)
    expect(translator.calls).toHaveLength(length)
  })

  it('has the words of its organization besides its own, which come first', async () => {
    const translator = fakeTranslator()
    const orgId = `org_${crypto.randomUUID()}`
    const { id, work, rowsOf, switchOn } = await seedTraining(translator, STEPS, orgId)
    await switchOn('es')
    await work()
    translator.calls.length = 0
    const admin = { as: 'user_admin', orgId, orgRole: 'org:admin' }
    await answerOf(Done, '/api/account/glossary', {
      ...admin,
      method: 'PUT',
      json: { words: 'screw = gire (es), Klaro' },
    })
    await work(60_000)
    expect(translator.calls).toEqual([])
    await answerOf(Done, '/api/account/glossary', { ...admin, method: 'PUT', json: { words: 'screw = tornillo (es)' } })
    await work(60_000)
    expect(translator.calls[0]?.terms).toEqual([{ word: 'screw', text: 'tornillo' }])
    expect((await rowsOf())['step:a']?.state).toBe('kept_back')
    await answerOf(Done, `/api/modules/${id}`, { ...admin, method: 'PATCH', json: { glossary: 'screw = gire (es)' } })
    const [own] = readTerms(
      { glossary: await readGlossary(openDb(env.DB), { glossary: 'screw = gire (es)', orgId }) },
      'en',
      'es',
    )
    expect(own).toEqual({ word: 'screw', text: 'gire' })
  })

  it('keeps what a person wrote of a step that is deleted, and comes back', async () => {
    const { id, as, work, rowsOf, save, switchOn } = await seedTraining(fakeTranslator())
    await switchOn('es')
    await work()
    const json = { item: 'step:b', texts: ['Revise el cable', 'No toque el cable de 12 V.'] }
    await answerOf(Done, `/api/modules/${id}/translations/es`, { as, method: 'PUT', json })
    await save(STEPS.slice(0, 1))
    await work(5_000)
    await save(STEPS)
    await work(10_000)
    expect((await rowsOf())['step:b']).toMatchObject({ texts: json.texts, writer: 'person', state: 'approved' })
  })

  it('keeps back what turns 12 into 21 or drops a "not", after asking once more', async () => {
    const translator = fakeTranslator((text) =>
      toSpanish(text)
        .replaceAll('12', '21')
        .replace(/\bno\b/g, ''),
    )
    const training = await seedTraining(translator, [
      ...STEPS,
      { id: 'c', title: 'Open it', description: '', start: 20, end: 25 },
    ])
    await training.switchOn('es')
    await training.work()
    const rows = await training.rowsOf()
    expect(rows['step:a']).toMatchObject({ state: 'kept_back', complaints: [{ kind: 'number' }] })
    expect(rows['step:b']).toMatchObject({ state: 'kept_back', complaints: [{ kind: 'number' }, { kind: 'not_lost' }] })
    expect(rows['step:c']).toMatchObject({ state: 'good' })
    expect(translator.calls).toHaveLength(2)
    expect(translator.calls[1]?.complaints).toMatchObject([
      { answer: 'gire el screw 21 veces.', found: [{ kind: 'number', lost: ['12'], added: ['21'] }] },
      { index: 1 },
    ])
  })

  it('takes an answer that is right when it is asked again', async () => {
    const translator = fakeTranslator((text, call) => toSpanish(text).replace('12', call === 1 ? '21' : '12'))
    const training = await seedTraining(translator)
    await training.switchOn('es')
    await training.work()
    expect((await training.rowsOf())['step:a']).toMatchObject({ state: 'good', complaints: [] })
    expect(translator.calls[1]?.texts).toEqual(['Turn the screw 12 times.', 'Do not touch the 12 V cable.'])
  })

  it("keeps a person's words until their source changes, and then beside the new ones", async () => {
    const translator = fakeTranslator()
    const training = await seedTraining(translator)
    const own = { item: 'step:a', texts: ['Abrir la tapa', 'Dé 12 vueltas al tornillo.'] }
    await training.switchOn('es')
    await training.work()
    await answerOf(Done, `/api/modules/${training.id}/translations/es`, { as: training.as, method: 'PUT', json: own })
    await training.switchOn('es')
    await training.work()
    expect((await training.rowsOf())['step:a']).toMatchObject({ texts: own.texts, writer: 'person', state: 'approved' })
    await training.save(
      STEPS.map((step) => (step.id === 'a' ? { ...step, description: 'Turn the screw 14 times.' } : step)),
    )
    await training.work(60_000)
    expect((await training.rowsOf())['step:a']).toMatchObject({
      texts: ['abra el lid', 'gire el screw 14 veces.'],
      writer: 'fake',
      state: 'good',
      earlier: own.texts,
    })
  })

  it('begins when a run ends', async () => {
    const translator = fakeTranslator()
    const userId = `user_${crypto.randomUUID()}`
    const driver = openDriver({ translator, speech: fakeSpeech() })
    const { moduleId } = await seedRun(60_000, { userId })
    await setLanguages(driver.deps, moduleId, ['es'])
    expect(await listTranslating(env.DB, moduleId)).toEqual([])
    driver.rung.length = 0
    await driver.drain()
    expect(await listTranslating(env.DB, moduleId)).toEqual(['es'])
    expect(driver.rung).toContainEqual({ kind: 'translate' })
  })

  it('leaves what was translated where a busy model stops in between, and asks only for the rest', async () => {
    let isBusy = true
    const translator = fakeTranslator((text) => {
      if (isBusy && text.includes('99')) throw new AppError('ai_busy', 'The model is busy.')
      return toSpanish(text)
    })
    const long = 'Open the lid. '.repeat(30).trim()
    const many = Array.from({ length: 12 }, (_, at) => {
      return {
        id: `s${at}`,
        title: at === 11 ? 'Turn the 99' : `Turn the ${at + 2}`,
        description: long,
        start: at,
        end: at + 1,
      }
    })
    const training = await seedTraining(translator, many)
    await training.switchOn('es')
    await training.work()
    expect((await training.rowsOf())['step:s0']).toMatchObject({ state: 'good' })
    expect((await training.rowsOf())['step:s11']).toBeUndefined()
    expect(await listTranslating(env.DB, training.id)).toHaveLength(1)
    isBusy = false
    translator.calls.length = 0
    await training.work(120_000)
    expect(translator.asked()).not.toContain('Turn the 2')
    expect((await training.rowsOf())['step:s11']).toMatchObject({ state: 'good' })
    expect(await listTranslating(env.DB, training.id)).toEqual([])
  })

  it('says why it gave up, fails no module, and forgets that once it works', async () => {
    let isOver = true
    const translator = fakeTranslator((text) => {
      if (isOver) throw new AppError('ai_quota', 'The limit of the day is reached.')
      return toSpanish(text)
    })
    const training = await seedTraining(translator)
    await training.switchOn('es')
    await training.work()
    expect((await training.rowsOf())[FAILURE_ITEM]?.texts).toEqual(['ai_quota', 'The limit of the day is reached.'])
    const status = await env.DB.prepare('SELECT status FROM modules WHERE id = ?').bind(training.id).first('status')
    expect(status).toBe('READY')
    isOver = false
    await training.switchOn('es')
    await training.work()
    expect(Object.keys(await training.rowsOf()).sort()).toEqual(['step:a', 'step:b', 'title'])
  })

  it.each([
    ['result', toSpanish],
    [
      'failure',
      () => {
        throw new AppError('ai_quota', 'The limit of the day is reached.')
      },
    ],
  ])('stores no %s once another worker has its task', async (_outcome, answer) => {
    const training = await seedTraining(
      fakeTranslator(async (text) => {
        const query = "UPDATE task_queue SET lease_id = 'theirs' WHERE subject_id = ?"
        await env.DB.prepare(query).bind(training.id).run()
        return answer(text)
      }),
    )
    await training.switchOn('es')
    await training.work()
    expect(await training.rowsOf()).toEqual({})
    expect(await listTranslating(env.DB, training.id)).toEqual(['es'])
  })

  it('finds what a person changes while it is at work', async () => {
    const training = await seedTraining(
      fakeTranslator(async (text, call) => {
        const changed = STEPS.map((step) => (step.id === 'b' ? { ...step, title: 'Check the plug' } : step))
        if (call === 1 && text === 'Open the lid') await training.save(changed)
        return toSpanish(text)
      }),
    )
    await training.switchOn('es')
    await training.work()
    await training.work(60_000)
    expect((await training.rowsOf())['step:b']?.texts[0]).toBe('Check el plug')
  })
})
