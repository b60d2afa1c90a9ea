// Behaviour: answering questions by Workers AI.
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { TutorModel, TutorReply } from '#worker/ports/language-model.ts'
import { DOCUMENTED_FAULTS } from '../testing/faults.ts'
import { workersAiLanguage } from '../workers-ai-models.ts'

const LARGE = '@cf/meta/llama-3.3-70b-instruct-fp8-fast'
const SMALL = '@cf/meta/llama-3.1-8b-instruct-fast'
const TASK = { moduleId: 'module-1', messages: [{ role: 'user' as const, content: 'Where?' }] }
const SAID = [{ text: 'Under the carpet.', segments: [4, 5] }]

const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
afterEach(() => warn.mockClear())

type Answer = string[] | Error | ReadableStream<Uint8Array>

function streamOf(chunks: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk))
      controller.close()
    },
  })
}

/** Answers one call after the other. */
function modelOf(...answers: Answer[]) {
  const calls: { model: string; inputs: Record<string, unknown>; options: Record<string, unknown> }[] = []
  const run = async (model: string, inputs: Record<string, unknown>, options: Record<string, unknown>) => {
    calls.push({ model, inputs, options })
    const answer = answers[calls.length - 1]
    if (answer === undefined) throw new Error('asked too often')
    if (answer instanceof Error) throw answer
    return Array.isArray(answer) ? streamOf(answer) : answer
  }
  return {
    model: workersAiLanguage({ ai: { run } as unknown as Ai, pace: async () => undefined, models: env }).tutorModel,
    calls,
  }
}

async function readAnswer(model: TutorModel, signal = new AbortController().signal) {
  const sentences: TutorReply[] = []
  for await (const sentence of model.answer(TASK, signal)) sentences.push(sentence)
  return sentences
}

const own = (token: unknown) => `data: ${JSON.stringify({ response: token, p: 'abcdef' })}\n\n`
const openAi = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`
const DONE = 'data: [DONE]\n\n'

describe('workersAiLanguage, answering questions', () => {
  it.each([
    ['its own', own],
    ['that of OpenAI', openAi],
  ])('reads sentences in %s format', async (_name, token) => {
    const { model } = modelOf([token('Under the car'), token('pet. ['), token('4, 5'), token(']\n'), DONE])
    expect(await readAnswer(model)).toEqual(SAID)
  })

  it('asks for a stream, at once or not at all, and for the same cache for all questions of a module', async () => {
    const { model, calls } = modelOf([own('Under the carpet. [4, 5]'), DONE])
    await readAnswer(model)
    expect(calls[0]).toMatchObject({
      model: LARGE,
      inputs: { stream: true, messages: TASK.messages, max_tokens: 400 },
      options: { rejectIfBusy: true, extraHeaders: { 'x-session-affinity': 'module-1' } },
    })
    expect(calls[0]?.options['signal']).toBeInstanceOf(AbortSignal)
  })

  it.each(DOCUMENTED_FAULTS)('takes the second choice after "%s", but not for another quota', async (reason, code) => {
    const { model, calls } = modelOf(new Error(reason), [own('Under the carpet. [4, 5]'), DONE])
    if (code === 'ai_quota') await expect(readAnswer(model)).rejects.toMatchObject({ code })
    else expect(await readAnswer(model)).toEqual(SAID)
    expect(calls.map((call) => call.model)).toEqual(code === 'ai_quota' ? [LARGE] : [LARGE, SMALL])
  })

  it('takes the second choice when the first breaks off before a sentence, and fails when both do', async () => {
    const broken = [own('Under the'), 'data: {"resp']
    expect(await readAnswer(modelOf(broken, [own('Under the carpet. [4, 5]'), DONE]).model)).toEqual(SAID)
    await expect(readAnswer(modelOf(broken, broken).model)).rejects.toMatchObject({ code: 'ai_failed' })
    await expect(readAnswer(modelOf([DONE], []).model)).resolves.toEqual([])
  })

  it('does not start over in the middle of an answer', async () => {
    const { model, calls } = modelOf([own('Under the carpet. [4, 5]\nAnd'), 'data: {"error":"3040: busy"}\n\n'])
    await expect(readAnswer(model)).rejects.toMatchObject({ code: 'ai_busy' })
    expect(calls).toHaveLength(1)
  })

  it('cancels a stream that ignores its signal, when the caller aborts and when the caller stops reading', {
    tags: 'fault-28',
  }, async () => {
    const seen = { cancelled: 0 }
    const hanging = () =>
      new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode(own('Under the carpet. [4, 5]\n'))),
        cancel: () => {
          seen.cancelled += 1
        },
      })
    const controller = new AbortController()
    const running = readAnswer(modelOf(hanging()).model, controller.signal)
    setTimeout(() => controller.abort(), 20)
    await expect(running).rejects.toThrow()
    expect(seen.cancelled).toBe(1)
    for await (const sentence of modelOf(hanging()).model.answer(TASK, new AbortController().signal)) {
      expect(sentence).toEqual(SAID[0])
      break
    }
    await vi.waitFor(() => expect(seen.cancelled).toBe(2))
  })

  it('reports an answer that is no stream as ai_failed', async () => {
    const { model } = modelOf({ response: 'no' } as never, { response: 'no' } as never)
    await expect(readAnswer(model)).rejects.toMatchObject({ code: 'ai_failed' })
  })
})
