import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { expect, it } from 'vitest'
import { AskedAnswer, AskTrainerAnswer, QuestionsAnswer } from '#contract/feedback/questions.ts'
import { Done } from '#contract/module.ts'
import { TutorAnswerBody } from '#contract/tutor.ts'
import { VersionsAnswer } from '#contract/version.ts'
import { answerOf, call } from '#local/testing/api.ts'
import { seedCollection, seedTutored } from '#local/testing/tutored.ts'
import { MODULE_SUBJECT } from '#worker/domain/module/module-subject.ts'
import { setLanguages } from '#worker/domain/translation/request-translations.ts'
import { fakeTranslator, toSpanish } from '#worker/domain/translation/testing/fake-translator.ts'
import { TASK_HANDLERS } from '#worker/pipeline/task-handlers.ts'
import { openDriver } from '#worker/pipeline/testing/drive.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import { claimTasks } from '#worker/tasks/claim-tasks.ts'
import { runTasks } from '#worker/tasks/run-tasks.ts'

holdTasks()

const WINTER = 'How much does the insurance of the car cost in winter?'
const TEXT = 'In winter the insurance of our cars costs 90 euros a month.'
const INVIERNO = '¿Cuánto cuesta el seguro del coche en invierno?'
const TEXTO = 'En invierno el seguro de nuestros coches cuesta 90 euros al mes.'
const SPANISH = new Map([
  [WINTER, INVIERNO],
  [TEXT, TEXTO],
  ['In winter it costs 80 euros a month.', 'En invierno cuesta 80 euros al mes.'],
])

/** A training in Spanish as well, with a question that its trainer has answered. */
async function seedAnswered({ isRough = false }: { isRough?: boolean } = {}) {
  const { as, moduleId } = await seedTutored({ language: 'en', runStatus: 'READY', run: 1 })
  const patch = (path: string, json: object) => answerOf(Done, path, { as, method: 'PATCH', json })
  await call(`/api/modules/${moduleId}`, { as, method: 'PATCH', json: { linkAnswersPerDay: 0 } })
  const json = { question: WINTER, turnId: nanoid() }
  const { learner } = await answerOf(AskTrainerAnswer, `/api/asked/${moduleId}`, { json })
  const own = () => answerOf(QuestionsAnswer, `/api/questions/${moduleId}`, { as })
  const ids = (await own()).places.flatMap(({ groups }) => groups.flatMap((group) => group.ids))
  const given = { ids, question: WINTER, text: TEXT, inPrint: true }
  await answerOf(Done, `/api/questions/${moduleId}/answers`, { as, json: given })
  const answerPath = `/api/questions/${moduleId}/answers/${(await own()).answers[0]?.id}`
  const driver = openDriver({ translator: fakeTranslator((text) => SPANISH.get(text) ?? toSpanish(text), { isRough }) })
  await setLanguages(driver.deps, moduleId, ['es'])
  /** Translates what is due within a minute. */
  const work = async () => {
    const nowMs = Date.now() + 60_000
    const limits = { kind: 'translate', subject: MODULE_SUBJECT, limit: 6, bytes: 1, isIdle: true, nowMs } as const
    for (let tasks = await claimTasks(env.DB, limits); tasks.length > 0; tasks = await claimTasks(env.DB, limits))
      await runTasks(tasks, { ...driver.deps, nowMs: () => nowMs }, TASK_HANDLERS)
  }
  await work()
  const readAsked = async (lang: string) => {
    const query = new URLSearchParams({ learner: learner ?? '', lang })
    return (await answerOf(AskedAnswer, `/api/asked/${moduleId}?${query.toString()}`)).asked[0]?.answer
  }
  const read = async (path: string) => (await call(`/share/${moduleId}/${path}`)).text()
  const askTutor = (question: string) =>
    answerOf(TutorAnswerBody, `/api/share/${moduleId}/questions`, { json: { question } })
  return { as, moduleId, answerPath, patch, work, readAsked, read, askTutor }
}

it('is read in the language of its asker, in print, in files, and from the tutor, marked as translated', {
  tags: 'asked-5',
}, async () => {
  const { readAsked, read, askTutor } = await seedAnswered()
  const translation = { language: 'es', engine: 'fake', isApproved: false, isRough: false }
  expect(await readAsked('es')).toMatchObject({ question: INVIERNO, text: TEXTO, translation })
  expect(await readAsked('en')).toMatchObject({ question: WINTER, text: TEXT, translation: null })
  expect(await readAsked('fr')).toMatchObject({ text: TEXT, translation: null })
  const page = await read('print?lang=es')
  expect(page).toContain(`<h3>${INVIERNO}</h3><p class="said">${TEXTO}</p>`)
  expect(page).toMatch(/<p class="facts">[^<]+ · Traducción automática \(fake\)<\/p>/)
  expect(await read('steps.md?lang=es')).toContain(TEXTO)
  expect(await read('print')).toContain(TEXT)
  const said = await askTutor(INVIERNO)
  expect(said.trainer).toMatchObject({ isEarlier: false })
  expect(said.answer).toContain(TEXTO)
  expect(said.answer).toContain('Traducción automática (fake)')
  expect((await askTutor(WINTER)).answer).toContain(TEXT)
})

it('is said by a collection in the language of the question, marked as translated', { tags: 'asked-5' }, async () => {
  const { as, moduleId } = await seedAnswered()
  await seedCollection(as, moduleId, {})
  const found = await call(`/share/c/${moduleId}/found?q=${encodeURIComponent(INVIERNO)}&lang=es`)
  const html = await found.text()
  expect(html).toContain(`<bdi>${TEXTO}</bdi>`)
  expect(html).toContain('Traducción automática (fake)')
})

it('stays in its own words until a change of it is translated, and its translation goes with it', async () => {
  const { answerPath, as, moduleId, patch, work, readAsked } = await seedAnswered()
  await patch(answerPath, { text: 'In winter it costs 80 euros a month.' })
  expect(await readAsked('es')).toMatchObject({ text: 'In winter it costs 80 euros a month.', translation: null })
  await work()
  expect((await readAsked('es'))?.translation).not.toBeNull()
  await answerOf(Done, answerPath, { as, method: 'DELETE' })
  await work()
  const sql = `SELECT count(*) AS count FROM translations WHERE module_id = ? AND item LIKE 'answer:%'`
  expect(await env.DB.prepare(sql).bind(moduleId).first('count')).toBe(0)
})

it('is no answer to the question as an engine that translates by rules has it', async () => {
  const { readAsked, askTutor } = await seedAnswered({ isRough: true })
  expect((await readAsked('es'))?.translation?.isRough).toBe(true)
  expect((await askTutor(INVIERNO)).trainer).toBeUndefined()
})

it('is of a published version in all of its languages', async () => {
  const { answerPath, as, moduleId, patch, work, read } = await seedAnswered()
  await answerOf(VersionsAnswer, `/api/versions/${moduleId}`, { as, method: 'PUT', json: { isOn: true } })
  await patch(answerPath, { text: 'In winter it costs 80 euros a month.' })
  await work()
  expect(await read('print?lang=es')).toContain(TEXTO)
})
