// Behaviour: writing steps by Workers AI.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { WRITE_STEPS_MAX_TOKENS } from '#worker/domain/step/prompts/write-steps.v5.ts'
import type { StepWindow } from '#worker/ports/language-model.ts'
import { DOCUMENTED_FAULTS } from '../testing/faults.ts'
import { workersAiLanguage } from '../workers-ai-models.ts'

const WINDOW: StepWindow = {
  moduleTitle: 'Menus',
  durationMs: null,
  language: 'en',
  glossary: null,
  before: [],
  segments: [
    { id: 's0', startMs: 0, endMs: 4_000, text: 'Open the File menu.' },
    { id: 's1', startMs: 4_000, endMs: 9_000, text: 'Click Save.' },
  ],
}
const STEPS = { steps: [{ first: 1, last: 2, title: 'Save the file', description: 'Open File, click Save.' }] }
const DRAFTS = [{ segmentIds: ['s0', 's1'], title: 'Save the file', description: 'Open File, click Save.' }]
const live = () => new AbortController().signal

interface Inputs {
  messages: { role: string; content: string }[]
  max_tokens: number
  response_format: { type: string; json_schema: object }
}

/** A model that gives its answers one after the other; an Error is thrown. */
function writerOf(...answers: unknown[]) {
  const calls: { model: string; inputs: Inputs }[] = []
  const run = async (model: string, inputs: Inputs) => {
    calls.push({ model, inputs })
    const answer = answers[calls.length - 1]
    if (answer instanceof Error) throw answer
    return answer
  }
  return {
    writer: workersAiLanguage({ ai: { run } as unknown as Ai, pace: async () => undefined, models: env }).stepWriter,
    calls,
  }
}

describe('workersAiLanguage, writing steps', () => {
  it('asks for JSON by schema with a limit of its own', async () => {
    const { writer, calls } = writerOf({ response: STEPS, usage: { prompt_tokens: 300 } })
    expect(await writer.writeSteps(WINDOW, live())).toEqual(DRAFTS)
    expect(calls[0]?.model).toBe('@cf/meta/llama-3.3-70b-instruct-fp8-fast')
    expect(calls[0]?.inputs.max_tokens).toBe(WRITE_STEPS_MAX_TOKENS)
    expect(calls[0]?.inputs.response_format).toMatchObject({ type: 'json_schema', json_schema: { type: 'object' } })
  })

  it.each([
    ['as text', { response: JSON.stringify(STEPS) }],
    ['as fenced text', { response: `\`\`\`json\n${JSON.stringify(STEPS)}\n\`\`\`` }],
    ['as OpenAI does', { choices: [{ message: { content: JSON.stringify(STEPS) } }] }],
    ['bare', JSON.stringify(STEPS)],
    ['bare as an object', STEPS],
    ['as an object with other fields', { response: STEPS, tool_calls: [], usage: { total_tokens: 9 }, p: 'abc' }],
    ['as fenced text after some words', { response: `Here you go:\n\`\`\`\n${JSON.stringify(STEPS)}\n\`\`\`` }],
    ['as a list of steps', { response: STEPS.steps }],
    [
      'as OpenAI does, with thoughts beside it',
      {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: JSON.stringify(STEPS), reasoning_content: 'Hm.', tool_calls: [] },
            finish_reason: 'stop',
          },
        ],
      },
    ],
    ['as OpenAI does, as an object', { choices: [{ message: { content: STEPS } }] }],
    [
      'in both dialects, one of them empty',
      { response: null, choices: [{ message: { content: JSON.stringify(STEPS) } }] },
    ],
  ])('reads an answer %s', async (_form, answer) => {
    expect(await writerOf(answer).writer.writeSteps(WINDOW, live())).toEqual(DRAFTS)
  })

  it('shows the model once what is wrong', async () => {
    const { writer, calls } = writerOf({ response: { steps: [{ ...STEPS.steps[0], last: 9 }] } }, { response: STEPS })
    expect(await writer.writeSteps(WINDOW, live())).toEqual(DRAFTS)
    const repair = calls[1]?.inputs.messages ?? []
    expect(repair.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(repair[2]?.content).toContain('"last":9')
    expect(repair[3]?.content).toContain('step 1 goes from line 1 to 9, but lines go from 1 to 2')
  })

  it('asks once more when the model missed the schema', async () => {
    const { writer, calls } = writerOf(new Error("5025: JSON Mode couldn't be met"), { response: STEPS })
    expect(await writer.writeSteps(WINDOW, live())).toEqual(DRAFTS)
    expect(calls).toHaveLength(2)
  })

  it.each([
    ["JSON Mode couldn't be met"],
    ["5024: JSON Mode couldn't be met"],
    ['InferenceUpstreamError: 5025: JSON Mode couldn’t be met: {"error":"..."}'],
  ])('takes "%s" for a bad answer', async (message) => {
    const { writer, calls } = writerOf(new Error(message), new Error(message), { response: STEPS })
    await expect(writer.writeSteps(WINDOW, live())).rejects.toMatchObject({ code: 'ai_failed' })
    expect(calls).toHaveLength(2)
  })

  it.each([
    ['nothing', null],
    ['an empty object', {}],
    ['no choice', { choices: [] }],
    ['an empty response', { response: '' }],
    ['text that was cut off', { response: '{"steps":[{"first":1,"la' }],
  ])('asks once more after %s', async (_, answer) => {
    const { writer, calls } = writerOf(answer, { response: STEPS })
    expect(await writer.writeSteps(WINDOW, live())).toEqual(DRAFTS)
    expect(calls).toHaveLength(2)
  })

  it('gives up after the second bad answer', async () => {
    const { writer, calls } = writerOf({ response: 'Sorry.' }, { response: { steps: [] } }, { response: STEPS })
    await expect(writer.writeSteps(WINDOW, live())).rejects.toMatchObject({ code: 'ai_failed' })
    expect(calls).toHaveLength(2)
  })

  it.each(DOCUMENTED_FAULTS)('maps "%s" to %s without a retry', async (message, code) => {
    const { writer, calls } = writerOf(new Error(message), { response: STEPS })
    await expect(writer.writeSteps(WINDOW, live())).rejects.toMatchObject({ code })
    expect(calls).toHaveLength(1)
  })
})
