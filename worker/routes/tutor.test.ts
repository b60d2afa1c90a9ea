import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it, vi } from 'vitest'
import { Conversation, StreamMeta, TutorAnswerBody } from '#contract/tutor.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedDeletion, seedModule } from '#local/testing/modules.ts'
import { readEvents, seedTutored, WRENCH } from '#local/testing/tutored.ts'
import { AppError } from '#worker/core/errors.ts'
import { openDb } from '#worker/db/db.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { findModule, type ModuleRow, updateModule } from '#worker/domain/module/module-store.ts'
import { NARRATION, STEPS, saySegments } from '#worker/domain/tutor/testing/narration.ts'
import { limitQuestions } from './tutor.ts'

vi.spyOn(console, 'log').mockImplementation(() => undefined)

const ASK = '/api/ai/contextual-response'
const STREAM = `${ASK}/stream`
const QUOTE = '“The wrench for the wheel nuts is under the carpet of the boot.'

const someone = () => `user_${nanoid(8)}`

/** Lets so many pass of each key. */
function limiter(limit: number): RateLimit {
  const seen = new Map<string, number>()
  return {
    limit: async ({ key }) => {
      seen.set(key, (seen.get(key) ?? 0) + 1)
      return { success: (seen.get(key) ?? 0) <= limit }
    },
  }
}

async function rowsOf(moduleId: string) {
  const asked = env.DB.prepare('SELECT * FROM questions WHERE module_id = ? ORDER BY created_at, rowid').bind(moduleId)
  return (await asked.all()).results
}

async function conversationOf(as: string, moduleId: string) {
  return (await answerOf(Conversation, `/api/ai/conversation/${moduleId}`, { as })).messages
}

const ask = (as: string, json: Record<string, unknown>) => answerOf(TutorAnswerBody, ASK, { as, json })

describe('POST /api/ai/contextual-response', () => {
  it('answers from the video, with the moments that the answer rests on, and keeps both', {
    tags: 'spec-7.13',
  }, async () => {
    const { moduleId } = await seedTutored()
    const as = someone()
    const json = { moduleId, userMessage: ` ${WRENCH} `, currentStep: { id: 'b' }, allSteps: [], videoTime: 20.5 }
    const answer = await ask(as, json)
    expect(answer.answer).toContain(QUOTE)
    expect(answer).toMatchObject({ isCovered: true, step: { id: 'b', title: 'Loosen the nuts', start: 18 } })
    expect(answer.citations[0]).toMatchObject({ segmentIds: ['c-00003'], start: 18 })
    for (const { sentence } of answer.citations) expect(answer.answer).toContain(sentence)
    expect(await rowsOf(moduleId)).toMatchObject([
      {
        user_id: as,
        turn_id: answer.turnId,
        question: WRENCH,
        step_id: 'b',
        video_time_ms: 20_500,
        is_covered: 1,
        outcome: 'complete',
        answered_by: 'extractive',
      },
    ])
  })

  it('answers the quick prompts from the steps, and says when the video does not cover a question', async () => {
    const { moduleId } = await seedTutored()
    const next = await ask(someone(), { moduleId, userMessage: "What's the next step?", videoTime: 20 })
    expect(next).toMatchObject({ answer: expect.stringMatching(/^The next step is “Lift the car” \(0:36\)/) as string })
    const none = await ask(someone(), { moduleId, userMessage: 'How do you brew espresso?', videoTime: 20 })
    expect(none).toMatchObject({ isCovered: false, citations: [], step: null })
    expect(none.answer).toBe('This video does not cover that.')
    expect((await rowsOf(moduleId)).map((row) => [row['answered_by'], row['is_covered']])).toEqual([
      ['steps', 1],
      ['extractive', 0],
    ])
  })

  it('answers from what is transcribed so far while a module is in progress, and says how far that is', async () => {
    const { moduleId } = await seedTutored()
    await updateModule(openDb(env.DB), moduleId, { status: 'PROCESSING', captionsKey: null })
    const knownUntil = (saySegments(NARRATION).at(-1)?.endMs ?? 0) / 1_000
    const answer = await ask(someone(), { moduleId, userMessage: WRENCH })
    expect(answer).toMatchObject({ isCovered: true, knownUntil, answer: expect.stringContaining(QUOTE) as string })
    const none = await ask(someone(), { moduleId, userMessage: 'How do you brew espresso?', videoTime: 20 })
    expect(none).toMatchObject({ isCovered: false, knownUntil })
    expect(none.answer).toBe('What is transcribed of this video so far does not cover that.')
    const as = someone()
    await ask(as, { moduleId, userMessage: WRENCH })
    // What is kept of it says so on another day, too.
    await updateModule(openDb(env.DB), moduleId, { status: 'READY', stepsVersion: 99 })
    expect((await conversationOf(as, moduleId)).at(-1)?.meta).toMatchObject({ knownUntil })
    expect(await ask(someone(), { moduleId, userMessage: WRENCH })).not.toHaveProperty('knownUntil')
  })

  it('knows all of a module in progress that has captions', async () => {
    const { moduleId } = await seedTutored()
    await updateModule(openDb(env.DB), moduleId, { status: 'PROCESSING' })
    expect(await ask(someone(), { moduleId, userMessage: WRENCH })).not.toHaveProperty('knownUntil')
  })

  it.each([
    ['the step itself', { id: 'c', title: 'x' }, [], 'c'],
    ['its index', 1, [{ id: 'a' }, { id: 'd' }], 'd'],
    ['an index that is nowhere', 7, [{ id: 'a' }], 'b'],
    ['an id that is nowhere', { id: 'zzz' }, [], 'b'],
    ['an index among what are no steps', 0, ['a'], 'b'],
    ['nothing', null, undefined, 'b'],
  ])('knows the step from %s, or else from the time', async (_what, currentStep, allSteps, stepId) => {
    const { moduleId } = await seedTutored()
    await ask(someone(), { moduleId, userMessage: WRENCH, currentStep, allSteps, videoTime: 20 })
    expect(await rowsOf(moduleId)).toMatchObject([{ step_id: stepId }])
  })

  it('does not answer the same turn twice, and keeps turns of other people with the same id apart', async () => {
    const { moduleId } = await seedTutored()
    const [as, turnId] = [someone(), nanoid()]
    const first = await ask(as, { moduleId, turnId, userMessage: WRENCH })
    const again = await ask(as, { moduleId, turnId, userMessage: WRENCH })
    expect(again).toEqual(first)
    const events = await readEvents(await call(STREAM, { as, json: { moduleId, turnId, userMessage: WRENCH } }))
    expect(events[0]).toBe(first.answer)
    expect(await rowsOf(moduleId)).toHaveLength(1)
    const other = await ask(someone(), {
      moduleId,
      turnId,
      userMessage: 'How much pressure does the spare wheel need?',
    })
    expect(other.answer).toContain('4 bar')
    expect(await rowsOf(moduleId)).toHaveLength(2)
  })

  it('answers from the current transcript and steps', async () => {
    const { as, moduleId } = await seedTutored()
    await ask(as, { moduleId, userMessage: WRENCH })
    const json = { text: 'The wrench for the wheel nuts is in the glove box.' }
    expect((await call(`/api/transcript/${moduleId}/c-00003`, { as, method: 'PATCH', json })).status).toBe(200)
    expect((await ask(as, { moduleId, userMessage: WRENCH })).answer).toContain('glove box')
  })

  it('gives learners nothing away of private notes: every answer is the same with and without them', {
    tags: 'attack-29',
  }, async () => {
    const { as, moduleId } = await seedTutored()
    const questions = ['Is it espresso?', 'Where is the secret lever?', WRENCH, 'What about the nuts?']
    // One after the other in a new conversation: an answer depends on the turns before it.
    const askAll = async (who: string) => {
      await call(`/api/ai/conversation/${moduleId}`, { as: who, method: 'DELETE' })
      const answers: object[] = []
      for (const userMessage of questions) {
        const { turnId: _turnId, ms: _ms, ...answer } = await ask(who, { moduleId, userMessage, videoTime: 100 })
        answers.push(answer)
      }
      return answers
    }
    const before = await askAll(someone())
    const notes = 'Espresso secret lever. Wrench, wheel nuts, nuts, nuts.'
    const noted = STEPS.map((step) => (step.id === 'a' ? { ...step, notes } : step))
    expect((await call(`/api/steps/${moduleId}`, { as, json: { steps: noted } })).status).toBe(200)
    expect(await askAll(as)).not.toEqual(before)
    expect(await askAll(someone())).toEqual(before)
  })

  it('says so where there is no transcript and no step yet', async () => {
    const { id: moduleId } = await seedModule({ status: 'READY' })
    const answer = await ask(someone(), { moduleId, userMessage: WRENCH })
    expect(answer).toMatchObject({ answer: 'This video does not cover that.', isCovered: false, step: null })
  })

  it.each([
    ['no question', { userMessage: ' ' }],
    ['a letter', { userMessage: 'x'.repeat(2_001) }],
    ['a time before the video', { videoTime: -1 }],
    ['an id of a turn that is none', { turnId: 'a b' }],
  ])('refuses %s', async (_what, fields) => {
    const { moduleId } = await seedTutored()
    const json = { moduleId, userMessage: WRENCH, ...fields }
    for (const path of [ASK, STREAM]) {
      expect((await problemOf(path, { as: someone(), json })).code).toBe('invalid_request')
    }
  })
})

describe('POST /api/ai/contextual-response/stream', () => {
  it('is the format of the specification, byte by byte', { tags: 'spec-7.13' }, async () => {
    const { moduleId } = await seedTutored()
    const json = { moduleId, turnId: 'turn-0001', userMessage: "What's the next step?", videoTime: 60 }
    const response = await call(STREAM, { as: someone(), json })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const text = 'You are at the last step: “Mount the spare wheel” (0:54). Tighten the nuts.'
    const meta = '{"turnId":"turn-0001","isCovered":true,"citations":[],'
    const step = '"step":{"id":"d","title":"Mount the spare wheel","start":54}'
    const bytes = (await response.text()).replace(/"ms":\d+/, '"ms":7')
    expect(bytes).toBe(
      `data: "${text}"\n\ndata: ${meta}${step},"language":"en","ms":7,"answer":"${text}"}\n\ndata: [DONE]\n\n`,
    )
  })

  it('sends the text in pieces, then its citations, and the end', async () => {
    const { moduleId } = await seedTutored()
    const as = someone()
    const userMessage = 'How many newton metres, and how much bar does the spare wheel need? „Ümläut“ 👩‍🏫'
    const events = await readEvents(await call(STREAM, { as, json: { moduleId, userMessage } }))
    expect(events.at(-1)).toBe('[DONE]')
    const meta = StreamMeta.parse(events.at(-2))
    expect(events.slice(0, -2).join('')).toBe(meta.answer)
    expect(events.slice(0, -2).every((each) => typeof each === 'string')).toBe(true)
    expect(await conversationOf(as, moduleId)).toMatchObject([
      { role: 'user', content: userMessage, turnId: meta.turnId, end: null, meta: null, isTyping: false },
      { role: 'assistant', content: meta.answer, turnId: meta.turnId, end: 'complete', isTyping: false },
    ])
  })
})

describe('a conversation', () => {
  it('lists the messages of one person and the tutor of one module, oldest first, and only for that person', {
    tags: 'spec-3.7',
  }, async () => {
    const { as: owner, moduleId } = await seedTutored()
    const other = await seedTutored()
    const as = someone()
    await ask(as, { moduleId, userMessage: WRENCH })
    await ask(as, { moduleId, userMessage: 'Walk me through it' })
    await ask(as, { moduleId: other.moduleId, userMessage: 'What about the handbrake?' })
    const messages = await conversationOf(as, moduleId)
    expect(messages.map(({ role, content }) => [role, content.slice(0, 20)])).toEqual([
      ['user', WRENCH.slice(0, 20)],
      ['assistant', QUOTE.slice(0, 20)],
      ['user', 'Walk me through it'],
      ['assistant', '1. Secure the car (0'],
    ])
    expect(new Set(messages.map(({ id }) => id)).size).toBe(4)
    expect(messages[1]?.meta).toMatchObject({ isCovered: true, step: { id: 'b' } })
    for (const stranger of [owner, someone()]) expect(await conversationOf(stranger, moduleId)).toEqual([])
  })

  it('is deleted by the person who led it, and by no other', async () => {
    const { moduleId } = await seedTutored()
    const [as, other] = [someone(), someone()]
    for (const each of [as, other]) await ask(each, { moduleId, userMessage: WRENCH })
    const path = `/api/ai/conversation/${moduleId}`
    expect((await call(path, { as, method: 'DELETE' })).status).toBe(200)
    expect(await conversationOf(as, moduleId)).toEqual([])
    expect(await conversationOf(other, moduleId)).toHaveLength(2)
  })

  it('goes with the module', async () => {
    const { moduleId } = await seedTutored()
    await ask(someone(), { moduleId, userMessage: WRENCH })
    const db = openDb(env.DB)
    const module = await findModule(db, moduleId)
    if (module === null) throw new Error('no module')
    await eraseModule({ db, bucket: env.MEDIA, rooms: env.MODULE_ROOM, search: env.SEARCH }, module)
    expect(await rowsOf(moduleId)).toEqual([])
  })
})

describe('who may ask', () => {
  const calls = (moduleId: string): [string, Parameters<typeof call>[1]][] => [
    [ASK, { json: { moduleId, userMessage: WRENCH } }],
    [STREAM, { json: { moduleId, userMessage: WRENCH } }],
    [`${ASK}/stop`, { json: { moduleId, turnId: 'turn-0001' } }],
    [`${STREAM}/${moduleId}/turn-0001`, {}],
    [`/api/ai/conversation/${moduleId}`, {}],
    [`/api/ai/conversation/${moduleId}`, { method: 'DELETE' }],
    ['/api/qa/ask', { json: { moduleId, question: WRENCH } }],
    [`/api/qa/transcribe?moduleId=${moduleId}`, { body: 'x', headers: { 'content-type': 'audio/webm' } }],
  ]

  it('refuses a caller who is not signed in', async () => {
    for (const [path, options] of calls('x'.repeat(22))) {
      expect((await problemOf(path, options)).code, path).toBe('unauthenticated')
    }
  })

  it('refuses a caller who cannot open the module, which answers like a missing one', async () => {
    const hidden = await seedTutored({ shared: false })
    const deleted = await seedTutored()
    await seedDeletion(deleted.moduleId, 1)
    const missing = calls('x'.repeat(22))
    for (const { moduleId } of [hidden, deleted]) {
      for (const [at, [path, options]] of calls(moduleId).entries()) {
        const problem = await problemOf(path, { as: someone(), ...options })
        const same = await problemOf(missing[at]?.[0] ?? '', { as: someone(), ...missing[at]?.[1] })
        expect(problem.code, path).toBe('not_found')
        expect({ ...problem, requestId: '' }, path).toEqual({ ...same, requestId: '' })
      }
      expect(await rowsOf(moduleId)).toEqual([])
    }
  })

  it('refuses more than twenty questions a minute, with the time after which the next one is answered', {
    tags: 'threat-4',
  }, async () => {
    const { moduleId } = await seedTutored()
    const as = someone()
    const json = { moduleId, userMessage: "What's the next step?" }
    const answers = await Promise.all(Array.from({ length: 21 }, () => call(ASK, { as, json })))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(1)
    expect(refused[0]?.headers.get('retry-after')).toBe('60')
    expect(await problemOf(STREAM, { as, json })).toMatchObject({
      code: 'rate_limited',
      error: 'You have asked many questions in a short time. Please wait a minute, then ask again.',
    })
    expect((await call(ASK, { as: someone(), json })).status).toBe(200)
  })

  it('refuses more questions about one module than its limit, and names the limit only to callers who may open it', {
    tags: 'threat-4',
  }, async () => {
    const module = { id: 'm', segmentCount: 499 } as ModuleRow
    const limits = { TUTOR_USER_LIMIT: limiter(1), TUTOR_MODULE_LIMIT: limiter(1) } as Env
    const opened = { module }
    const open = async () => opened
    const missing = () => Promise.reject(new AppError('not_found', 'no'))
    expect(await limitQuestions(limits, 'a', open)).toBe(opened)
    await expect(limitQuestions(limits, 'b', missing)).rejects.toMatchObject({ code: 'not_found' })
    await expect(limitQuestions(limits, 'c', open)).rejects.toMatchObject({
      code: 'rate_limited',
      message: 'Many people are asking about this video right now. Please ask again in a moment.',
      retryAfterS: 10,
    })
    await expect(limitQuestions(limits, 'a', missing)).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('counts a question about a long transcript as the several that it costs', { tags: 'attack-46' }, async () => {
    const module = { id: 'long', segmentCount: 1_000 } as ModuleRow
    const limits = { TUTOR_USER_LIMIT: limiter(9), TUTOR_MODULE_LIMIT: limiter(5) } as Env
    const opened = { module }
    const ask = () => limitQuestions(limits, 'a', async () => opened)
    expect(await ask()).toBe(opened)
    await expect(ask()).rejects.toMatchObject({ code: 'rate_limited' })
  })
})
