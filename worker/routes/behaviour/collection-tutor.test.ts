// Behaviour: what a model answers people with the link of a collection.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { expect, it, vi } from 'vitest'
import { CollectionAnswer } from '#contract/collection.ts'
import { AskTrainerAnswer, QuestionsAnswer } from '#contract/feedback/questions.ts'
import { Done } from '#contract/module.ts'
import { StepsAnswer } from '#contract/step.ts'
import { CollectionAnswerBody } from '#contract/tutor.ts'
import { answerOf, call } from '#local/testing/api.ts'
import { type ModelCall, openLanguageServer } from '#local/testing/language-server.ts'
import { seedTutored } from '#local/testing/tutored.ts'
import { NARRATION, STEPS } from '#worker/domain/tutor/testing/narration.ts'

vi.spyOn(console, 'log').mockImplementation(() => undefined)
vi.spyOn(console, 'warn').mockImplementation(() => undefined)

const NOZZLES = [
  'Switch the filling machine off and wait until the belt stands still.',
  'The key for the nozzles hangs beside the door of the machine.',
  'Turn each nozzle to the left and put it into the bath for ten minutes.',
]
const KEY = 'Where does the key for the nozzles hang?'

/** A collection of two trainings of one owner. @param answers that a model may write about each by the link a day */
async function seedCollection(answers: { tyre: number | null; nozzle: number | null }) {
  const as = `user_${nanoid(8)}`
  const { moduleId: tyre } = await seedTutored({ userId: as, title: 'Change a tyre', language: 'en' }, NARRATION)
  const { moduleId: nozzle } = await seedTutored({ userId: as, title: 'Filling <machine>', language: 'en' }, NOZZLES)
  for (const [id, linkAnswersPerDay] of [
    [tyre, answers.tyre],
    [nozzle, answers.nozzle],
  ])
    await call(`/api/modules/${id}`, { as, method: 'PATCH', json: { linkAnswersPerDay } })
  const { collection } = await answerOf(CollectionAnswer, '/api/collections', { as, json: { title: 'Line 4' } })
  const json = { moduleIds: [tyre, nozzle] }
  await answerOf(CollectionAnswer, `/api/collections/${collection.id}`, { as, method: 'PATCH', json })
  const { id } = collection
  const ask = async (question: string) =>
    (await answerOf(CollectionAnswerBody, `/api/share/c/${id}/questions`, { json: { question } })).html
  const countPaid = (moduleId: string) =>
    env.DB.prepare('SELECT link_answers FROM tutor_days WHERE module_id = ?').bind(moduleId).first('link_answers')
  /** Asks the trainer of a training, who answers. */
  const answer = async (moduleId: string, fields: { question: string; text: string; stepId?: string }) => {
    const asked = { question: fields.question, turnId: nanoid() }
    await answerOf(AskTrainerAnswer, `/api/asked/${moduleId}`, { json: asked })
    const { places } = await answerOf(QuestionsAnswer, `/api/questions/${moduleId}`, { as })
    const ids = places.flatMap(({ groups }) => groups.flatMap((group) => group.ids))
    await answerOf(Done, `/api/questions/${moduleId}/answers`, { as, json: { ...fields, ids } })
  }
  const find = async (words: string) =>
    (await call(`/share/c/${id}/found?q=${encodeURIComponent(words)}&lang=en`)).text()
  return { as, id, tyre, nozzle, ask, countPaid, answer, find }
}

/** Says a whole answer. */
function say(model: ModelCall, text: string): void {
  model.say(text)
  model.finish()
}

/** The numbers of the lines of a prompt that have some words. */
function numberOf({ body }: ModelCall, words: string): string {
  const line = (body.messages[1]?.content ?? '').split('\n').find((each) => each.includes(words))
  return /^\[(\d+)\]/.exec(line ?? '')?.[1] ?? 'none'
}

it('answers with the moment of the training that says it, paid from the day of that training', {
  tags: 'asked-3',
}, async () => {
  const calls = openLanguageServer((model) => {
    const number = numberOf(model, 'hangs beside the door')
    say(model, `The key for the nozzles hangs beside the door. {hangs beside the door} [${number}]\n`)
  })
  const { id, tyre, nozzle, ask, countPaid } = await seedCollection({ tyre: 5, nozzle: 5 })
  const html = await ask(KEY)
  expect(html).toContain('<bdi>The key for the nozzles hangs beside the door.</bdi>')
  expect(html).toContain(
    `<a href="/share/${nozzle}?collection=${id}&amp;t=6"><bdi>Filling &lt;machine&gt;</bdi> · 0:06</a>`,
  )
  expect(calls).toHaveLength(1)
  expect([await countPaid(nozzle), await countPaid(tyre)]).toEqual([1, null])
})

it('shows no sentence that its training does not support, though another one may', { tags: 'asked-3' }, async () => {
  openLanguageServer((model) => {
    const [key, wrench] = ['hangs beside the door', 'under the carpet'].map((words) => numberOf(model, words))
    say(model, `The wrench hangs beside the door. {hangs beside the door} [${key}, ${wrench}]\n`)
  })
  const { ask } = await seedCollection({ tyre: 5, nozzle: 5 })
  expect(await ask('Where do the key for the nozzles and the wrench for the nuts hang?')).toBeNull()
})

it('says honestly that none of the trainings covers a question', async () => {
  openLanguageServer((model) => say(model, 'NONE'))
  const { ask } = await seedCollection({ tyre: 5, nozzle: 5 })
  expect(await ask('How much does the key cost in winter?')).toBe('<p>None of the 2 trainings covers that.</p>')
})

it('reads only trainings whose owner lets a model answer, within their day', async () => {
  const calls = openLanguageServer((model) => say(model, 'NONE'))
  const { ask } = await seedCollection({ tyre: 1, nozzle: null })
  expect(await ask(KEY)).toBe('<p>The training does not cover that.</p>')
  expect(JSON.stringify(calls)).not.toContain('beside the door')
  expect(await ask('Where is the wrench for the wheel nuts?')).toBeNull()
  expect(calls).toHaveLength(1)
})

const WINTER = 'How much does the insurance of the line cost in winter?'

it('says what the trainer of a training has answered, as a source of its own, without a model', {
  tags: 'asked-4',
}, async () => {
  const calls = openLanguageServer((model) => say(model, 'NONE'))
  const { as, id, nozzle, ask, answer, find } = await seedCollection({ tyre: 5, nozzle: 5 })
  await answer(nozzle, { question: WINTER, text: 'It costs <90> euros.', stepId: STEPS[1]?.id ?? '' })
  const html = await ask('How much will the insurance for the line cost in winter')
  expect(html).toMatch(/^<p class="facts">Answered by the trainer on [A-Z]\w+ \d+:<\/p><ol class="places"><li>/)
  expect(html).toContain('<span class="said"><bdi>It costs &lt;90&gt; euros.</bdi></span>')
  expect(html).toContain(`<a href="/share/${nozzle}?collection=${id}&amp;t=${STEPS[1]?.start}">`)
  expect(html).toContain('<bdi>Filling &lt;machine&gt;</bdi>')
  expect(html).not.toContain('<q')
  expect(await find(WINTER)).toBe(html)
  expect(calls).toHaveLength(0)
  const steps = STEPS.map((step) => ({ ...step, description: 'Otherwise.' }))
  await answerOf(StepsAnswer, `/api/steps/${nozzle}`, { as, json: { steps } })
  expect(await ask(WINTER)).toContain('for an earlier version of this video:')
})

it('says what each training’s trainer has answered, and nothing of one that people with the link may not ask', async () => {
  openLanguageServer((model) => say(model, 'NONE'))
  const { as, tyre, nozzle, ask, answer, find } = await seedCollection({ tyre: 5, nozzle: 5 })
  await answer(tyre, { question: WINTER, text: 'For cars 80 euros.' })
  await answer(nozzle, { question: WINTER, text: 'For machines 90 euros.' })
  expect((await ask(WINTER))?.match(/For \w+ \d0 euros/g)?.toSorted()).toEqual([
    'For cars 80 euros',
    'For machines 90 euros',
  ])
  await call(`/api/modules/${tyre}`, { as, method: 'PATCH', json: { linkAnswersPerDay: null } })
  expect(await ask(WINTER)).not.toContain('For cars')
  const found = await find(WINTER)
  expect(found).toContain('For machines')
  expect(found).not.toContain('For cars')
})

it('refuses a network and a site that ask too often, and still answers others', { tags: 'attack-59' }, async () => {
  const { id } = await seedCollection({ tyre: null, nozzle: null })
  const askFrom = async (address: string) => {
    const headers = { 'cf-connecting-ip': address }
    return (await call(`/api/share/c/${id}/questions`, { json: { question: KEY }, headers })).status
  }
  let status = 200
  for (let asked = 0; asked < 400 && status === 200; asked += 1) status = await askFrom('2001:db8:71:1::1')
  expect(status).toBe(429)
  for (let network = 2; network < 400; network += 1) {
    status = await askFrom(`2001:db8:71:${network.toString(16)}::1`)
    if (status !== 200) break
  }
  expect(status).toBe(429)
  expect(await askFrom('2001:db8:72:1::1')).toBe(200)
})

it('is offered by the page only where a model may answer', async () => {
  const { id } = await seedCollection({ tyre: null, nozzle: 0 })
  expect(await (await call(`/share/c/${id}`)).text()).not.toContain('data-ask')
  const { id: other } = await seedCollection({ tyre: null, nozzle: 3 })
  expect(await (await call(`/share/c/${other}`)).text()).toContain(`data-ask="/api/share/c/${other}/questions"`)
})
