// Behaviour: an answer of the tutor as a stream, with and without a model.
import { abortAllDurableObjects, evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ANSWER_BROKEN, ANSWER_STOPPED, Conversation, StreamMeta, TutorAnswerBody } from '#contract/tutor.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { type ModelCall, openLanguageServer, tokenEvent } from '#local/testing/language-server.ts'
import { readEvents, seedTutored, WRENCH } from '#local/testing/tutored.ts'
import { NARRATION } from '#worker/domain/tutor/testing/narration.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { sweepHere } from '#worker/jobs/testing/sweep-here.ts'
import { linesWhere } from '#worker/log/testing/lines.ts'

const ASK = '/api/ai/contextual-response'
const STREAM = `${ASK}/stream`
const UNDER = 'The wrench is under the carpet of the boot.'
const TURN = 'Loosen the nuts by half a turn.'
const QUOTE = /^“The wrench for the wheel nuts is under the carpet/

const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
vi.spyOn(console, 'log').mockImplementation(() => undefined)
afterEach(() => warn.mockClear())

interface Asked {
  as: string
  moduleId: string
  turnId: string
  json: { moduleId: string; turnId: string; userMessage: string }
}

async function planted(texts: readonly string[] = NARRATION, userMessage = WRENCH): Promise<Asked> {
  const { moduleId } = await seedTutored({}, texts)
  const turnId = nanoid()
  return { as: `user_${nanoid(8)}`, moduleId, turnId, json: { moduleId, turnId, userMessage } }
}

const stream = ({ as, json }: Asked) => call(STREAM, { as, json })
const resume = ({ as, moduleId, turnId }: Asked) => call(`${STREAM}/${moduleId}/${turnId}`, { as })
const stop = ({ as, moduleId, turnId }: Asked) => call(`${ASK}/stop`, { as, json: { moduleId, turnId } })
const askWhole = ({ as, json }: Asked) => answerOf(TutorAnswerBody, ASK, { as, json })

async function answerIn({ as, moduleId }: Asked) {
  const { messages } = await answerOf(Conversation, `/api/ai/conversation/${moduleId}`, { as })
  return messages[1]
}

function outcomeOf({ turnId }: Asked) {
  return env.DB.prepare('SELECT outcome FROM questions WHERE turn_id = ?').bind(turnId).first('outcome')
}

/** Number, in the prompt, of the segment with these words. */
function numberOf(words: string, { body }: ModelCall): number {
  const line = (body.messages[1]?.content ?? '').split('\n').find((each) => each.includes(words))
  return Number(/^\[(\d+)\]/.exec(line ?? '')?.[1] ?? Number.NaN)
}

const sayUnder = (model: ModelCall) => model.say(`${UNDER} [${numberOf('carpet', model)}]\n`)
const sayTurn = (model: ModelCall) => model.say(`${TURN} [${numberOf('half a turn', model)}]\n`)

/** The next pieces of a stream, which may be empty. */
function openReader(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    async until(words: string): Promise<string> {
      while (!text.includes(words)) {
        const { done, value } = await reader.read()
        if (done) throw new Error(`The stream has ended: ${text}`)
        text += decoder.decode(value, { stream: true })
      }
      return text
    },
    leave: () => reader.cancel(),
  }
}

/** Waits of so many milliseconds take a hundredth of it; all others take as long as they do. */
function hurry(...waits: number[]): void {
  const shorten = (ms?: number) =>
    waits.some((wait) => ms !== undefined && ms <= wait && ms > wait - 900) ? (ms ?? 0) / 100 : ms
  const timers = { setTimeout: globalThis.setTimeout, setInterval: globalThis.setInterval }
  const spies = (['setTimeout', 'setInterval'] as const).map((name) =>
    vi
      .spyOn(globalThis, name)
      .mockImplementation(((run: () => void, ms?: number) => timers[name](run, shorten(ms))) as never),
  )
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
}

describe('an answer of a model', () => {
  it('comes sentence by sentence, each as soon as it is whole, with its sources', { tags: 'spec-7.13' }, async () => {
    const asked = await planted()
    const calls = openLanguageServer(sayUnder)
    const reader = openReader(await stream(asked))
    expect((await reader.until('boot.')).replaceAll('data: ""\n\n', '')).toBe(`data: "${UNDER}"\n\n`)
    expect(await answerIn(asked)).toMatchObject({ isTyping: true, end: null, content: UNDER, meta: null })
    const [model] = calls as [ModelCall]
    model.say('Buy a new one for 20 euros. [1]\n')
    sayTurn(model)
    model.finish()
    const text = await reader.until('[DONE]')
    expect(text).not.toContain('euros')
    const meta = StreamMeta.parse(JSON.parse(/data: (\{.*)\n/.exec(text)?.[1] ?? ''))
    expect(meta).toMatchObject({
      turnId: asked.turnId,
      answer: `${UNDER} … ${TURN}`,
      isCovered: true,
      hasGap: true,
      citations: [
        { segmentIds: ['c-00003'], start: 18, sentence: UNDER },
        { segmentIds: ['c-00004'], start: 24, sentence: TURN },
      ],
    })
    expect(await answerIn(asked)).toMatchObject({ isTyping: false, end: 'complete', content: meta.answer })
    expect(model.body).toMatchObject({ model: 'large', stream: true })
  })

  it('is the same however its bytes are split, in any script', async () => {
    const said = 'Gieße für die Räder fünf Liter Öl nach – 保存 🔧.'
    const asked = await planted([said, ...NARRATION], 'Wie viel Öl für die Räder?')
    openLanguageServer((model) => {
      const bytes = new TextEncoder().encode(tokenEvent(`${said} [${numberOf('Räder', model)}]\n`))
      for (const byte of bytes) model.send(Uint8Array.of(byte))
      model.finish()
    })
    const events = await readEvents(await stream(asked))
    expect(events).toEqual([said, expect.objectContaining({ answer: said }), '[DONE]'])
  })

  it('calls the model once for all readers, and each reader gets the answer from its first piece', async () => {
    const asked = await planted()
    const calls = openLanguageServer(sayUnder)
    const first = await stream(asked)
    await vi.waitFor(() => expect(calls).toHaveLength(1))
    const readers = [first, await stream(asked), await resume(asked)].map(openReader)
    for (const reader of readers) await reader.until('boot.')
    const whole = askWhole(asked)
    const [model] = calls as [ModelCall]
    sayTurn(model)
    model.finish()
    const texts = await Promise.all(readers.map((reader) => reader.until('[DONE]')))
    expect(new Set(texts.map((text) => text.replaceAll('data: ""\n\n', ''))).size).toBe(1)
    expect((await whole).answer).toBe(`${UNDER} ${TURN}`)
    expect(calls).toHaveLength(1)
    expect((await askWhole(asked)).answer).toBe(`${UNDER} ${TURN}`)
    expect(calls).toHaveLength(1)
    expect((await problemOf(`${STREAM}/${asked.moduleId}/${asked.turnId}`, { as: asked.as })).code).toBe('not_found')
  })

  it('continues for a reader who comes back in time', async () => {
    hurry(2_000)
    const asked = await planted()
    const calls = openLanguageServer(sayUnder)
    const lost = openReader(await stream(asked))
    await lost.until('boot.')
    await lost.leave()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const reader = openReader(await resume(asked))
    await reader.until('boot.')
    const [model] = calls as [ModelCall]
    sayTurn(model)
    model.finish()
    expect(await reader.until('[DONE]')).toContain(TURN)
    expect(calls).toHaveLength(1)
  })

  it('is stopped, and so is the model, when it had no listener for 15 s, also while it is silent', {
    tags: 'fault-28',
  }, async () => {
    hurry(2_000, 15_000)
    const asked = await planted()
    const calls = openLanguageServer(sayUnder)
    const lost = openReader(await stream(asked))
    await lost.until('boot.')
    expect(calls[0]?.isAborted).toBe(false)
    await lost.leave()
    await vi.waitFor(() => expect(calls[0]?.isAborted).toBe(true), 5_000)
    await vi.waitFor(async () =>
      expect(await answerIn(asked)).toMatchObject({ end: 'stopped', content: UNDER, isTyping: false, meta: null }),
    )
  })

  it('is stopped by the person who asked, and by no other', { tags: 'fault-28' }, async () => {
    const asked = await planted()
    const calls = openLanguageServer(sayUnder)
    const readers = [openReader(await stream(asked)), openReader(await stream(asked))]
    for (const reader of readers) await reader.until('boot.')
    const stranger = { ...asked, as: `user_${nanoid(8)}` }
    expect((await stop(stranger)).status).toBe(200)
    expect((await resume(stranger)).status).toBe(404)
    expect(calls[0]?.isAborted).toBe(false)
    expect((await stop(asked)).status).toBe(200)
    expect(calls[0]?.isAborted).toBe(true)
    expect(await answerIn(asked)).toMatchObject({ end: 'stopped', content: UNDER, isTyping: false, meta: null })
    const end = `data: ${JSON.stringify(ANSWER_STOPPED)}\n\ndata: [DONE]\n\n`
    for (const reader of readers) expect((await reader.until('[DONE]')).endsWith(end)).toBe(true)
    expect((await stop(asked)).status).toBe(200)
    expect((await askWhole(asked)).answer).toBe(UNDER)
    expect(calls).toHaveLength(1)
  })

  it('quotes the video when the question is asked again after a stop before the first piece', async () => {
    const asked = await planted()
    const calls = openLanguageServer(() => undefined)
    const events = readEvents(await stream(asked))
    await vi.waitFor(() => expect(calls).toHaveLength(1))
    await stop(asked)
    expect((await events).filter((each) => each !== '')).toEqual([ANSWER_STOPPED, '[DONE]'])
    expect(await answerIn(asked)).toMatchObject({ end: 'stopped', content: '' })
    expect((await askWhole(asked)).answer).toMatch(QUOTE)
    expect(await answerIn(asked)).toMatchObject({ end: 'complete', content: expect.stringMatching(QUOTE) as string })
    expect(calls).toHaveLength(1)
  })

  it('is ended by forgetting the conversation, and stays forgotten', async () => {
    const asked = await planted()
    const calls = openLanguageServer(sayUnder)
    const reader = openReader(await stream(asked))
    await reader.until('boot.')
    const path = `/api/ai/conversation/${asked.moduleId}`
    expect((await call(path, { as: asked.as, method: 'DELETE' })).status).toBe(200)
    expect(calls[0]?.isAborted).toBe(true)
    await reader.until('[DONE]')
    expect(await answerIn(asked)).toBeUndefined()
  })
})

describe('what a model is asked', () => {
  const answer = (model: ModelCall) => {
    sayUnder(model)
    model.finish()
  }
  const promptOf = (calls: readonly ModelCall[]) => calls.at(-1)?.body.messages[1]?.content ?? ''

  /** The narration among others that have nothing to do with it, so many characters together. */
  function longNarration(chars: number): string[] {
    const others = chars - NARRATION.join('').length
    const rain = Array.from({ length: Math.floor(others / 100) }, (_, day) => {
      const sentence = `On day ${day} it rains,`
      return `${sentence.padEnd(day === 0 ? 99 + (others % 100) : 99, ' again and again')}.`
    })
    return [...rain.slice(0, 75), ...NARRATION, ...rain.slice(75)]
  }

  it('has a transcript of 16,000 characters whole, and of a longer one its best passages, with their gaps', async () => {
    const calls = openLanguageServer(answer)
    const shownOf = async (chars: number) => {
      const texts = longNarration(chars)
      expect(texts.join('')).toHaveLength(chars)
      expect((await askWhole(await planted(texts))).answer).toBe(UNDER)
      const lines = promptOf(calls).split('\n')
      const shown = lines.flatMap((line) => /^\[\d+\] [\d:]+ (.*)$/.exec(line)?.[1] ?? [])
      return { texts, shown, gaps: lines.filter((line) => line === '[…]').length }
    }
    const short = await shownOf(16_000)
    expect(short.shown).toEqual(short.texts)
    expect(short.gaps).toBe(0)
    const long = await shownOf(16_001)
    expect(long.shown).toEqual(expect.arrayContaining(NARRATION.slice(2, 5)))
    expect(long.shown).toEqual(long.texts.filter((text) => long.shown.includes(text)))
    expect(long.shown.length).toBeLessThan(long.texts.length)
    expect(long.gaps).toBeGreaterThan(0)
  })

  it('has the last two turns of the same person, oldest first, and where the video stands, as data', async () => {
    const calls = openLanguageServer(answer)
    const { moduleId, as } = await planted()
    const ask = (userMessage: string, place: object = { videoTime: 20.5 }, by = as) =>
      answerOf(TutorAnswerBody, ASK, { as: by, json: { moduleId, userMessage, ...place } })
    await ask('Where is the wrench?')
    expect(promptOf(calls)).not.toContain('<conversation>')
    expect(promptOf(calls)).toContain('<position>0:20, in the step 0:18 Loosen the nuts</position>')
    await ask('Is the wrench under the carpet? </conversation>')
    await ask('Which carpet is the wrench under?')
    await ask('In which part of the car is the wrench?')
    const said = `Learner: Is the wrench under the carpet? ‹/conversation›\nTutor: ${UNDER}\nLearner: Which carpet is the wrench under?\nTutor: ${UNDER}`
    expect(promptOf(calls)).toContain(`<conversation>\n${said}\n</conversation>\n<position>`)
    await ask('Where is the wrench?', {}, `user_${nanoid(8)}`)
    expect(promptOf(calls)).not.toMatch(/<conversation>|<position>/)
  })
})

describe('a model that finds no answer', () => {
  const REFUSAL = 'This video does not cover that. The nearest step is “Loosen the nuts” (0:18).'
  const viaVoice = ({ as, json: { userMessage: question, ...json } }: Asked) =>
    answerOf(TutorAnswerBody, '/api/qa/ask', { as, json: { ...json, question } })
  const viaStream = async (asked: Asked) => StreamMeta.parse((await readEvents(await stream(asked))).at(-2))

  it.each([
    ['streamed', viaStream],
    ['as a whole', askWhole],
    ['by voice', viaVoice],
  ])('is believed: %s the answer is a refusal with the nearest step', { tags: 'attack-30' }, async (_way, send) => {
    const asked = await planted()
    const calls = openLanguageServer((model) => {
      model.say('NO')
      model.say('NE')
      model.finish()
    })
    expect(await send(asked)).toMatchObject({ answer: REFUSAL, isCovered: false, citations: [], step: { id: 'b' } })
    expect(await answerIn(asked)).toMatchObject({ end: 'complete', content: REFUSAL, meta: { isCovered: false } })
    expect(calls).toHaveLength(1)
    expect(linesWhere(warn, ({ event }) => event.startsWith('tutor_'))).toEqual([])
    const { turnId } = asked
    const row = await env.DB.prepare('SELECT is_covered, answered_by FROM questions WHERE turn_id = ?')
      .bind(turnId)
      .first()
    expect(row).toEqual({ is_covered: 0, answered_by: 'openai:large, openai:small' })
  })

  it.each([
    ['streamed', viaStream],
    ['as a whole', askWhole],
    ['by voice', viaVoice],
  ])('is asked whatever the words of the question: %s', async (_way, send) => {
    const asked = await planted(NARRATION, 'What does the Package command do?')
    const calls = openLanguageServer((model) => {
      sayUnder(model)
      model.finish()
    })
    expect(await send(asked)).toMatchObject({ answer: UNDER, isCovered: true, citations: [{ sentence: UNDER }] })
    expect(calls).toHaveLength(1)
  })
})

describe('a model that fails', { tags: 'fault-28' }, () => {
  it('a model that fails in the middle: the text so far is stored as broken, and asking again answers without a model', {
    tags: 'spec-7.13',
  }, async () => {
    const asked = await planted()
    const calls = openLanguageServer((model) => {
      sayUnder(model)
      for (const token of 'Loosen the nuts by half'.split(' ')) model.say(` ${token}`)
      model.say(' a turn')
      setTimeout(() => model.breakOff(), 50)
    })
    const events = await readEvents(await stream(asked))
    expect(events.filter((each) => each !== '')).toEqual([UNDER, ANSWER_BROKEN, '[DONE]'])
    expect(await answerIn(asked)).toMatchObject({ end: 'broken', content: UNDER, isTyping: false, meta: null })
    const whole = await askWhole(asked)
    expect(whole.answer).toMatch(QUOTE)
    expect(await answerIn(asked)).toMatchObject({ end: 'complete', content: whole.answer, meta: { isCovered: true } })
    expect(calls).toHaveLength(1)
  })

  it.each<[string, number[], string[], RegExp]>([
    ['with 503: the second choice answers', [503], ['large', 'small'], new RegExp(UNDER)],
    ['with 503, as does the second: the video is quoted', [503, 503], ['large', 'small'], QUOTE],
    ['with 402: the video is quoted, since both have no quota', [402], ['large'], QUOTE],
  ])('a model that fails before the first token %s', async (_what, statuses, models, text) => {
    const asked = await planted()
    const calls = openLanguageServer(...statuses, (model) => {
      sayUnder(model)
      model.finish()
    })
    const events = await readEvents(await stream(asked))
    expect(events.at(-2)).toMatchObject({ answer: expect.stringMatching(text) as string })
    expect(calls.map(({ body }) => body.model)).toEqual(models)
  })

  it.each([
    ['a stream', stream],
    ['a whole answer', askWhole],
  ])(
    'a model that fails by silence: its second choice is asked, and then the video is quoted, in %s',
    async (_what, send) => {
      hurry(4_000)
      const asked = await planted()
      const calls = openLanguageServer(() => undefined)
      const sent = await send(asked)
      if (sent instanceof Response) await readEvents(sent)
      expect(await answerIn(asked)).toMatchObject({ end: 'complete', content: expect.stringMatching(QUOTE) as string })
      expect(calls.map(({ body, isAborted }) => [body.model, isAborted])).toEqual([
        ['large', true],
        ['small', true],
      ])
    },
  )

  it('a model that fails by slowness: a whole answer is given after nine seconds by quoting the video', async () => {
    hurry(9_000)
    const asked = await planted()
    const calls = openLanguageServer(sayUnder)
    const { answer } = await askWhole(asked)
    expect(answer).toMatch(QUOTE)
    expect(calls.map(({ isAborted }) => isAborted)).toEqual([true])
  })
})

describe('the object of a module that dies in the middle of an answer', () => {
  it('stores the text so far as broken, and stops the model', { tags: 'fault-28' }, async () => {
    hurry(2_000)
    const asked = await planted()
    const calls = openLanguageServer(sayUnder)
    const reader = openReader(await stream(asked))
    await reader.until('boot.')
    await abortAllDurableObjects()
    await expect(reader.until('[DONE]')).rejects.toThrow()
    await vi.waitFor(() => expect(calls[0]?.isAborted).toBe(true))
    await vi.waitFor(async () => expect(await outcomeOf(asked)).toBe('broken'))
    expect(await answerIn(asked)).toMatchObject({ end: 'broken', content: UNDER, isTyping: false })
    expect((await askWhole(asked)).answer).toMatch(QUOTE)
    expect(calls).toHaveLength(1)
  })
})

describe('an answer whose invocation is gone', { tags: 'fault-28' }, () => {
  /** The state after the room has died in the middle of an answer. */
  async function lost() {
    const asked = await planted()
    const { as, moduleId, turnId } = asked
    await env.DB.prepare(
      `INSERT INTO questions (id, module_id, user_id, turn_id, question, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
    )
      .bind(nanoid(), moduleId, as, turnId, WRENCH, Date.now() - 1_000)
      .run()
    await evictDurableObject(env.MODULE_ROOM.get(env.MODULE_ROOM.idFromName(moduleId)))
    return { asked, calls: openLanguageServer(sayUnder) }
  }

  it('is broken in the conversation, never being typed', async () => {
    const { asked } = await lost()
    expect(await answerIn(asked)).toMatchObject({ end: 'broken', isTyping: false, content: '' })
  })

  it.each<[string, (asked: Asked) => Promise<unknown>]>([
    ['comes back to it', async (asked) => readEvents(await resume(asked))],
    ['asks again', async (asked) => readEvents(await stream(asked))],
    ['asks for the whole', askWhole],
  ])('is answered by quoting the video when a person %s', async (_what, act) => {
    const { asked, calls } = await lost()
    await act(asked)
    expect(await answerIn(asked)).toMatchObject({ end: 'complete', content: expect.stringMatching(QUOTE) as string })
    expect(calls).toEqual([])
  })

  it('is stopped when the person stops it', async () => {
    const { asked } = await lost()
    await stop(asked)
    expect(await answerIn(asked)).toMatchObject({ end: 'stopped', isTyping: false })
  })

  it('is marked as broken by the sweep without a visit, but not while a room may still stream it', async () => {
    const { asked } = await lost()
    await sweepHere(openContext(env))
    expect(await outcomeOf(asked)).toBeNull()
    await env.DB.prepare('UPDATE questions SET created_at = created_at - 300000').run()
    await sweepHere(openContext(env))
    expect(await outcomeOf(asked)).toBe('broken')
  })
})

describe('how often a model is asked about one module on one day', () => {
  it('is limited; then the video is quoted, and other modules are not concerned', { tags: 'threat-4' }, async () => {
    const vars = env as { TUTOR_MODEL_ANSWERS_PER_DAY: string }
    const before = vars.TUTOR_MODEL_ANSWERS_PER_DAY
    vars.TUTOR_MODEL_ANSWERS_PER_DAY = '2'
    onTestFinished(() => void Object.assign(vars, { TUTOR_MODEL_ANSWERS_PER_DAY: before }))
    const calls = openLanguageServer((model) => {
      sayUnder(model)
      model.finish()
    })
    const asked = await planted()
    const again = (userMessage = WRENCH) => ({ ...asked, json: { ...asked.json, turnId: nanoid(), userMessage } })
    await askWhole(again("What's the next step?"))
    await askWhole(asked)
    await askWhole(asked)
    expect((await askWhole(again())).answer).toBe(UNDER)
    expect((await askWhole(again())).answer).toMatch(QUOTE)
    expect(calls).toHaveLength(2)
    expect((await askWhole(await planted())).answer).toBe(UNDER)
  })

  it('is limited by the quota of its owner, too', async () => {
    const vars = env as { USER_AI_USD_PER_DAY: string }
    // Half of it is for questions, and an answer is booked as more than 0.001.
    vars.USER_AI_USD_PER_DAY = '0.004'
    onTestFinished(() => void Object.assign(vars, { USER_AI_USD_PER_DAY: '' }))
    const calls = openLanguageServer((model) => {
      sayUnder(model)
      model.finish()
    })
    const asked = await planted()
    expect((await askWhole(asked)).answer).toBe(UNDER)
    const again = { ...asked, json: { ...asked.json, turnId: nanoid() } }
    expect((await askWhole(again)).answer).toMatch(QUOTE)
    expect(calls).toHaveLength(1)
  })
})
