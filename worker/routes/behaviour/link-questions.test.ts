// Behaviour: questions of people who have only the link.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ModuleAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { TutorAnswerBody } from '#contract/tutor.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { openLanguageServer } from '#local/testing/language-server.ts'
import { seedTutored, WRENCH } from '#local/testing/tutored.ts'

const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
vi.spyOn(console, 'log').mockImplementation(() => undefined)
afterEach(() => warn.mockClear())

const QUOTE = /^“The wrench for the wheel nuts is under the carpet/
/** Shares no word with what is said, so that the words alone find no answer. */
const PARAPHRASED = 'Which gadget undoes those bolts?'

const pathOf = (moduleId: string) => `/api/share/${moduleId}/questions`

async function seedOpen(linkAnswersPerDay: number | null = 0, texts?: readonly string[]) {
  const { as, moduleId } = await seedTutored({}, texts)
  await call(`/api/modules/${moduleId}`, { as, method: 'PATCH', json: { linkAnswersPerDay } })
  const ask = (question = WRENCH, more: object = {}) =>
    answerOf(TutorAnswerBody, pathOf(moduleId), { json: { question, ...more } })
  return { as, moduleId, ask }
}

function answerPage({ body }: { body: { messages: { content: string }[] } }): string {
  const line = (body.messages[1]?.content ?? '').split('\n').find((each) => each.includes('carpet'))
  return `The wrench is under the carpet of the boot. ${/^\[\d+\]/.exec(line ?? '')?.[0] ?? ''}\n`
}

describe('POST /api/share/{id}/questions', () => {
  it('answers people with the link in the words of the video, with the moment', async () => {
    const { ask } = await seedOpen()
    const { answer, isCovered, citations } = await ask()
    expect(answer).toMatch(QUOTE)
    expect(isCovered).toBe(true)
    expect(citations[0]?.start).toBeGreaterThanOrEqual(0)
  })

  it('asks a model once where its answer breaks off, and books it once', { tags: 'attack-69' }, async () => {
    const calls = openLanguageServer((model) => {
      model.say(answerPage(model))
      model.breakOff()
    })
    const { moduleId, ask } = await seedOpen(5)
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect((await ask(PARAPHRASED)).success).toBe(true)
    expect(calls).toHaveLength(1)
    const sql = 'SELECT link_answers FROM tutor_days WHERE module_id = ?'
    expect(await env.DB.prepare(sql).bind(moduleId).first('link_answers')).toBe(1)
  })

  it('says honestly that the video does not cover a question', async () => {
    const { ask } = await seedOpen()
    const { answer, isCovered } = await ask('How much does the insurance of the car cost in winter?')
    expect(answer).toMatch(/^This video does not cover that\./)
    expect(isCovered).toBe(false)
  })

  it('understands a follow-up by what the page sends of the turns before', async () => {
    const { ask } = await seedOpen()
    const { answer, ...meta } = await ask()
    const earlier = [{ question: WRENCH, answer, meta }]
    const next = await ask('And then?', { earlier })
    expect(next).toMatchObject({ isCovered: true })
    expect(next.answer).not.toMatch(QUOTE)
    expect((await ask('Explain that again', { earlier })).answer).toMatch(QUOTE)
    expect((await ask('Why?')).isCovered).toBe(false)
    expect((await ask('Thanks!', { earlier })).answer).toBe('You’re welcome.')
  })

  it('answers only while the owner allows it', async () => {
    const { as, moduleId, ask } = await seedOpen(null)
    const asked = { json: { question: WRENCH } }
    expect(await problemOf(pathOf(moduleId), asked)).toMatchObject({
      code: 'unauthenticated',
      detail: 'Sign in to ask the tutor about this training.',
    })
    await call(`/api/modules/${moduleId}`, { as, method: 'PATCH', json: { linkAnswersPerDay: 0 } })
    expect((await ask()).answer).toMatch(QUOTE)
    await call(`/api/modules/${moduleId}`, { as, method: 'PATCH', json: { linkAnswersPerDay: null } })
    expect((await problemOf(pathOf(moduleId), asked)).code).toBe('unauthenticated')
  })

  it('answers like a missing module while sharing is off', async () => {
    const { as, moduleId } = await seedOpen()
    await call(`/api/modules/${moduleId}`, { as, method: 'PATCH', json: { shared: false } })
    expect((await problemOf(pathOf(moduleId), { json: { question: WRENCH } })).code).toBe('not_found')
  })

  it('keeps nothing of a question', async () => {
    const { moduleId, ask } = await seedOpen()
    await ask()
    const kept = await env.DB.prepare('SELECT count(*) AS n FROM questions WHERE module_id = ?')
      .bind(moduleId)
      .first('n')
    expect(kept).toBe(0)
  })

  it('refuses an address that asks too often, and still answers others', { tags: 'attack-59' }, async () => {
    const { moduleId } = await seedOpen()
    const from = (address: string) => ({ json: { question: WRENCH }, headers: { 'cf-connecting-ip': address } })
    const answers: number[] = []
    for (let asked = 0; asked < 400 && answers.at(-1) !== 429; asked += 1)
      answers.push((await call(pathOf(moduleId), from('198.51.100.7'))).status)
    expect(answers.at(-1)).toBe(429)
    expect((await call(pathOf(moduleId), from('198.51.100.8'))).status).toBe(200)
  })
})

describe('a model behind the link', () => {
  it('is asked only where the words alone find no answer, until the sum of the day is used up', {
    tags: 'attack-59',
  }, async () => {
    const calls = openLanguageServer((model) => {
      model.say(answerPage(model))
      model.finish()
    })
    const { ask } = await seedOpen(1)
    expect((await ask()).answer).toMatch(QUOTE)
    expect(calls).toHaveLength(0)
    expect(await ask(PARAPHRASED)).toMatchObject({
      answer: 'The wrench is under the carpet of the boot.',
      isCovered: true,
    })
    expect(await ask(PARAPHRASED)).toMatchObject({ isCovered: false })
    expect(calls).toHaveLength(1)
  })

  it('is never asked where the owner allows none', async () => {
    const calls = openLanguageServer((model) => model.finish())
    const { ask } = await seedOpen(0)
    expect((await ask(PARAPHRASED)).isCovered).toBe(false)
    expect(calls).toHaveLength(0)
  })

  it('has no more than the sum of the day, however many ask at once', async () => {
    const calls = openLanguageServer((model) => {
      model.say(answerPage(model))
      model.finish()
    })
    const { ask } = await seedOpen(2)
    await Promise.all(Array.from({ length: 6 }, () => ask(PARAPHRASED, { turnId: nanoid() })))
    expect(calls).toHaveLength(2)
  })
})

describe('who sees that people with the link can ask', () => {
  it('is everyone with the link; how much a model may answer only the owner', async () => {
    const { as, moduleId } = await seedOpen(7)
    expect((await answerOf(ShareAnswer, `/api/share/${moduleId}`)).module.hasTutor).toBe(true)
    const path = `/api/modules/${moduleId}`
    expect((await answerOf(ModuleAnswer, path, { as })).module.linkAnswersPerDay).toBe(7)
    expect((await answerOf(ModuleAnswer, path, { as: 'user_viewer' })).module.linkAnswersPerDay).toBeNull()
  })
})
