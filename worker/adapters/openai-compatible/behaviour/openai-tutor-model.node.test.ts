// Behaviour: answering questions against a server on loopback that answers as OpenAI does.
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { TutorReply } from '#worker/ports/language-model.ts'
import { languageServices } from '../../language/speak.ts'
import { openAiChat } from '../openai-models.ts'
import { type Answer, hang, html, json, openServer } from '../testing/open-server.node.ts'

const TASK = { moduleId: 'm', messages: [{ role: 'user' as const, content: 'Wo ist das Öl?' }] }
const token = (content: string | null, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`
const WHOLE = `${token('Das Öl steht ')}${token('im Keller 🔧. [2')}${token(', 3]\n')}${token('Hol es. [3]')}${token(null, 'stop')}data: [DONE]\n\n`
const SAID = [
  { text: 'Das Öl steht im Keller 🔧.', segments: [2, 3] },
  { text: 'Hol es.', segments: [3] },
]

/** Streams so many bytes at a time; bytes of one character come apart. */
function streams(
  text: string,
  bytes: number,
  then: (response: Parameters<Answer>[0]) => unknown = (r) => r.end(),
): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const all = Buffer.from(text)
    for (let at = 0; at < all.length && !response.destroyed; at += bytes) {
      response.write(all.subarray(at, at + bytes))
      await wait(1)
    }
    then(response)
  }
}

async function serve(...answers: Answer[]) {
  const { baseUrl, requests, left } = await openServer(...answers)
  const { tutorModel } = languageServices(openAiChat({ baseUrl, apiKey: 'secret', model: 'm' }))
  const sentences: TutorReply[] = []
  return {
    left,
    sentences,
    bodies: () => requests.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>),
    readAnswer: async (signal = new AbortController().signal, most = 99) => {
      for await (const sentence of tutorModel.answer(TASK, signal)) if (sentences.push(sentence) === most) break
      return sentences
    },
  }
}

describe('openAiChat, answering questions at a real server', () => {
  it.each([1, 7, 1_000])('reads sentences out of a stream that comes %i bytes at a time', async (bytes) => {
    const { readAnswer, bodies } = await serve(streams(WHOLE, bytes))
    expect(await readAnswer()).toEqual(SAID)
    expect(bodies()[0]).toMatchObject({ model: 'm', stream: true, max_tokens: 400, messages: TASK.messages })
  })

  it('asks in the form that the server takes', async () => {
    const refusal = json({ error: { message: "Use 'max_completion_tokens' instead." } }, 400)
    const { readAnswer, bodies } = await serve(refusal, streams(WHOLE, 50))
    expect(await readAnswer()).toEqual(SAID)
    expect(bodies()[1]).toMatchObject({ max_completion_tokens: 400, stream: true })
  })

  it.each<[string, Answer, string]>([
    ['503', html(503), 'ai_busy'],
    ['402', json({ error: { message: 'Pay' } }, 402), 'ai_quota'],
    ['an answer that is no stream', json({ choices: [{ message: { content: 'Hm.' } }] }), 'ai_failed'],
    ['an error in the stream', streams('data: {"error":{"code":429,"message":"busy"}}\n\n', 99), 'ai_busy'],
    ['a line that ends', streams(token('Das Öl'), 99, (response) => response.destroy()), 'ai_failed'],
  ])('maps %s to its code', async (_what, answer, code) => {
    const { readAnswer } = await serve(answer)
    await expect(readAnswer()).rejects.toMatchObject({ code })
  })

  it('keeps the sentences before the line ended', async () => {
    const cut = WHOLE.slice(0, WHOLE.indexOf('Hol es'))
    const { readAnswer, sentences } = await serve(streams(cut, 99, (response) => response.destroy()))
    await expect(readAnswer()).rejects.toMatchObject({ code: 'ai_failed' })
    expect(sentences).toEqual(SAID.slice(0, 1))
  })

  it.each<[string, Answer]>([
    ['before it has answered', hang],
    ['in the middle of its answer', streams(token('Das Öl'), 99, () => undefined)],
  ])('takes its question back from a server %s', async (_when, answer) => {
    const { readAnswer, left, bodies } = await serve(answer)
    const controller = new AbortController()
    const reading = readAnswer(controller.signal)
    await expect.poll(() => bodies().length).toBe(1)
    await wait(50)
    controller.abort(new Error('stopped'))
    await expect(reading).rejects.toThrow()
    await expect.poll(left).toBe(1)
  })

  it('closes the connection to a server that keeps streaming once the caller stops reading', async () => {
    const { readAnswer, left } = await serve(streams(WHOLE.slice(0, -20), 99, () => undefined))
    expect(await readAnswer(undefined, 1)).toEqual(SAID.slice(0, 1))
    await expect.poll(left).toBe(1)
  })
})
