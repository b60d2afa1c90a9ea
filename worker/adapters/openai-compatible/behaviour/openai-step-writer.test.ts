// Behaviour: writing steps by a server of OpenAI’s interface: requests, answers, failures.
import { describe, expect, it } from 'vitest'
import { WRITE_STEPS_MAX_TOKENS } from '#worker/domain/step/prompts/write-steps.v5.ts'
import type { StepWindow } from '#worker/ports/language-model.ts'
import { makeStepWriter } from '../../language/ask-model.ts'
import { openAiChat } from '../openai-models.ts'

const WINDOW: StepWindow = {
  moduleTitle: 'Menus',
  durationMs: null,
  language: null,
  glossary: null,
  before: [],
  segments: [{ id: 's0', startMs: 0, endMs: 9_000, text: 'Open the File menu.' }],
}
const STEPS = { steps: [{ first: 1, last: 1, title: 'Open the File menu', description: 'Click File.' }] }
const DRAFTS = [{ segmentIds: ['s0'], title: 'Open the File menu', description: 'Click File.' }]
const live = () => new AbortController().signal

interface Body {
  model: string
  messages: { role: string; content: string }[]
  temperature: number
  max_tokens: number
  response_format?: { type: string; json_schema: { strict: boolean } }
}

const says = (content: unknown) => () => Response.json({ choices: [{ message: { role: 'assistant', content } }] })
const fails = (status: number) => () => Response.json({ error: { message: 'no' } }, { status })

function writerOf(...answers: (() => Response | Promise<Response>)[]) {
  const bodies: Body[] = []
  const urls: string[] = []
  const send = async (url: string, init: RequestInit) => {
    urls.push(url)
    bodies.push(JSON.parse(init.body as string) as Body)
    const answer = answers[bodies.length - 1]
    if (answer === undefined) throw new Error('asked too often')
    return await answer()
  }
  const server = { baseUrl: 'http://chat.test/v1', apiKey: 'secret', model: 'gpt', fetch: send as typeof fetch }
  return { writer: makeStepWriter(openAiChat(server), 200), bodies, urls }
}

describe('openAiChat, writing steps', () => {
  it('asks for JSON by schema, cool and with a limit', async () => {
    const { writer, bodies, urls } = writerOf(says(JSON.stringify(STEPS)))
    expect(await writer.writeSteps(WINDOW, live())).toEqual(DRAFTS)
    expect(urls).toEqual(['http://chat.test/v1/chat/completions'])
    expect(bodies[0]).toMatchObject({
      model: 'gpt',
      temperature: 0.1,
      max_tokens: WRITE_STEPS_MAX_TOKENS,
      response_format: { type: 'json_schema', json_schema: { strict: true } },
    })
  })

  it('asks without a schema when the server knows none', async () => {
    const { writer, bodies } = writerOf(fails(400), says(`\`\`\`\n${JSON.stringify(STEPS)}\n\`\`\``))
    expect(await writer.writeSteps(WINDOW, live())).toEqual(DRAFTS)
    expect(bodies[1]).not.toHaveProperty('response_format')
  })

  it('reads content in pieces', async () => {
    const { writer } = writerOf(
      says([
        { type: 'text', text: '{"steps":' },
        { type: 'text', text: `${JSON.stringify(STEPS.steps)}}` },
      ]),
    )
    expect(await writer.writeSteps(WINDOW, live())).toEqual(DRAFTS)
  })

  it('shows the model once what is wrong, then gives up', async () => {
    const repaired = writerOf(says('{"steps":[{'), says(JSON.stringify(STEPS)))
    expect(await repaired.writer.writeSteps(WINDOW, live())).toEqual(DRAFTS)
    expect(repaired.bodies[1]?.messages.at(-1)?.content).toContain('not complete JSON')
    const hopeless = writerOf(says('Sorry.'), says(null))
    await expect(hopeless.writer.writeSteps(WINDOW, live())).rejects.toMatchObject({ code: 'ai_failed' })
  })

  it.each([
    [429, 'ai_busy'],
    [503, 'ai_busy'],
    [402, 'ai_quota'],
    [408, 'ai_timeout'],
    [401, 'ai_failed'],
    [404, 'ai_failed'],
  ])('maps HTTP %i to %s without a retry', async (status, code) => {
    const { writer, bodies } = writerOf(fails(status))
    await expect(writer.writeSteps(WINDOW, live())).rejects.toMatchObject({ code })
    expect(bodies).toHaveLength(1)
  })

  it('reports a request that is refused in both forms, and an answer of another form, as ai_failed', async () => {
    await expect(writerOf(fails(400), fails(400)).writer.writeSteps(WINDOW, live())).rejects.toMatchObject({
      code: 'ai_failed',
    })
    const odd = writerOf(() => Response.json({ choices: [] }))
    await expect(odd.writer.writeSteps(WINDOW, live())).rejects.toMatchObject({ code: 'ai_failed' })
  })

  it('does not wait for ever', async () => {
    const { writer } = writerOf(() => new Promise<Response>(() => {}))
    await expect(writer.writeSteps(WINDOW, live())).rejects.toMatchObject({ code: 'ai_timeout' })
  })
})
