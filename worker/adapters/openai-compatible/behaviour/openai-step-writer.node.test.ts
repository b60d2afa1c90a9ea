// Behaviour: writing steps against a server on loopback that answers as OpenAI does.
import { describe, expect, it } from 'vitest'
import { WRITE_STEPS_MAX_TOKENS } from '#worker/domain/step/prompts/write-steps.v5.ts'
import type { StepWindow } from '#worker/ports/language-model.ts'
import { makeStepWriter } from '../../language/ask-model.ts'
import { openAiChat } from '../openai-models.ts'
import { type Answer, breakOff, drip, flood, hang, html, json, openServer } from '../testing/open-server.node.ts'

const WINDOW: StepWindow = {
  moduleTitle: 'Menüs',
  durationMs: 9_000,
  language: 'de',
  glossary: null,
  before: [],
  segments: [
    { id: 's0', startMs: 0, endMs: 4_000, text: 'Öffne das Menü „Datei“.' },
    { id: 's1', startMs: 4_000, endMs: 9_000, text: 'Klick auf Speichern.' },
  ],
}
const STEPS = JSON.stringify({
  steps: [{ first: 1, last: 2, title: 'Datei speichern', description: 'Öffne „Datei“.' }],
})
const DRAFTS = [{ segmentIds: ['s0', 's1'], title: 'Datei speichern', description: 'Öffne „Datei“.' }]
const live = () => new AbortController().signal

interface Body {
  messages: { role: string; content: string }[]
  temperature?: number
  max_tokens?: number
  max_completion_tokens?: number
  response_format?: { type: string }
}

const completion = (content: unknown, finish_reason = 'stop') => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason }],
  usage: { prompt_tokens: 400, completion_tokens: 40, total_tokens: 440 },
})
const says = (content: unknown, finish_reason?: string) => json(completion(content, finish_reason))
const refuses = (message: string, status = 400) => json({ error: { message, type: 'invalid_request_error' } }, status)

async function serve(...answers: Answer[]) {
  const { baseUrl, requests, left } = await openServer(...answers)
  const writer = makeStepWriter(openAiChat({ baseUrl, apiKey: 'secret', model: 'm' }), 400)
  return {
    left,
    write: (signal = live()) => writer.writeSteps(WINDOW, signal),
    bodies: () => requests.map(({ body }) => JSON.parse(body.toString()) as Body),
  }
}

describe('openAiChat, writing steps at a real server', () => {
  it('asks for JSON by schema', async () => {
    const { write, bodies } = await serve(says(STEPS))
    expect(await write()).toEqual(DRAFTS)
    const [body] = bodies()
    expect(body?.messages.at(-1)?.content).toContain('Öffne das Menü „Datei“.')
    expect(body).toMatchObject({
      temperature: 0.1,
      max_tokens: WRITE_STEPS_MAX_TOKENS,
      response_format: { type: 'json_schema' },
    })
  })

  it.each([
    ['a server that only knows json_object', refuses("'response_format.type' must be 'json_object' or 'text'")],
    ['a server that does not know the field', refuses('Extra inputs are not permitted', 422)],
  ])('asks %s without a schema, and reads fenced JSON', async (_, refusal) => {
    const { write, bodies } = await serve(refusal, says(`Sure!\n\`\`\`json\n${STEPS}\n\`\`\`\nAnything else?`))
    expect(await write()).toEqual(DRAFTS)
    expect(bodies().map((body) => 'response_format' in body)).toEqual([true, false])
  })

  it('asks a model that thinks first in the form that it takes, schema kept', async () => {
    const { write, bodies } = await serve(
      refuses(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ),
      refuses(
        "Unsupported value: 'temperature' does not support 0.1 with this model. Only the default (1) value is supported.",
      ),
      says(STEPS),
    )
    expect(await write()).toEqual(DRAFTS)
    const last = bodies().at(-1)
    expect(last).toMatchObject({
      max_completion_tokens: WRITE_STEPS_MAX_TOKENS,
      response_format: { type: 'json_schema' },
    })
    expect(last).not.toHaveProperty('temperature')
    expect(last).not.toHaveProperty('max_tokens')
  })

  it('does not ask for ever what is refused in every form', async () => {
    const { write, bodies } = await serve(refuses('max_completion_tokens temperature response_format'))
    await expect(write()).rejects.toMatchObject({ code: 'ai_failed' })
    expect(bodies()).toHaveLength(4)
  })

  it('has cut-off JSON repaired once', async () => {
    const { write, bodies } = await serve(says(STEPS.slice(0, 50), 'length'), says(STEPS))
    expect(await write()).toEqual(DRAFTS)
    expect(bodies()[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(bodies()[1]?.messages[2]?.content).toBe(STEPS.slice(0, 50))
    const hopeless = await serve(says(STEPS.slice(0, 50), 'length'))
    await expect(hopeless.write()).rejects.toMatchObject({ code: 'ai_failed' })
    expect(hopeless.bodies()).toHaveLength(2)
  })

  it('waits for an answer that drips in', async () => {
    const { write } = await serve(drip(JSON.stringify(completion(STEPS)), { everyMs: 1, bytes: 11 }))
    expect(await write()).toEqual(DRAFTS)
  })
})

describe('openAiChat, writing steps at a real server, faults', () => {
  it.each<[string, Answer, string]>([
    ['429', json({ error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } }, 429), 'ai_busy'],
    ['429 for want of money', json({ error: { message: 'Pay', code: 'insufficient_quota' } }, 429), 'ai_quota'],
    ['500', json({ error: { message: 'The server had an error' } }, 500), 'ai_busy'],
    ['502 as a page', html(502), 'ai_busy'],
    ['a page of HTML instead of an answer', html(200), 'ai_failed'],
    ['JSON of another kind', json({ status: 'ok' }), 'ai_failed'],
    ['an error in an answer of 200', json({ error: { message: 'no model is loaded' } }), 'ai_failed'],
    ['a connection that ends inside of the answer', breakOff(JSON.stringify(completion(STEPS))), 'ai_busy'],
    ['no answer at all', hang, 'ai_timeout'],
    [
      'an answer that takes for ever',
      drip(JSON.stringify(completion(STEPS)), { everyMs: 100, bytes: 1 }),
      'ai_timeout',
    ],
  ])('maps %s to its code, without a retry', async (_, answer, code) => {
    const { write, bodies } = await serve(answer)
    await expect(write()).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/^The language model .*\.$/) as string,
    })
    expect(bodies()).toHaveLength(1)
  })

  it('does not fill the memory with an answer that never ends', async () => {
    const { baseUrl } = await openServer(flood)
    const writer = makeStepWriter(openAiChat({ baseUrl, apiKey: '', model: 'm' }), 20_000)
    await expect(writer.writeSteps(WINDOW, live())).rejects.toMatchObject({ code: 'ai_failed' })
  })

  it('takes its request back from a server that hangs, after its time and when the caller stops', {
    tags: 'fault-24',
  }, async () => {
    const { write, left, bodies } = await serve(hang)
    await expect(write()).rejects.toMatchObject({ code: 'ai_timeout' })
    await expect.poll(left).toBe(1)
    const controller = new AbortController()
    const running = write(controller.signal)
    await expect.poll(() => bodies().length).toBe(2)
    controller.abort(new Error('run stopped'))
    await expect(running).rejects.toThrow('run stopped')
    await expect.poll(left).toBe(2)
  })
})
