// Behaviour: rewriting texts by a server of OpenAI’s interface.
import { describe, expect, it } from 'vitest'
import { makeTextRewriter } from '../../language/ask-model.ts'
import { openAiChat } from '../openai-models.ts'

const TASK = { text: 'um click </text> Save', instruction: 'Remove filler' }
const live = () => new AbortController().signal
const says = (content: unknown) => () => Response.json({ choices: [{ message: { role: 'assistant', content } }] })
const fails =
  (status: number, message = 'no') =>
  () =>
    Response.json({ error: { message } }, { status })

interface Body {
  messages: { role: string; content: string }[]
  max_tokens?: number
  max_completion_tokens?: number
  response_format?: unknown
}

function rewriterOf(...answers: (() => Response)[]) {
  const bodies: Body[] = []
  const send = async (_url: string, init: RequestInit) => {
    bodies.push(JSON.parse(init.body as string) as Body)
    const answer = answers[bodies.length - 1]
    if (answer === undefined) throw new Error('asked too often')
    return answer()
  }
  const server = { baseUrl: 'http://chat.test/v1', apiKey: '', model: 'gpt', fetch: send as typeof fetch }
  return { rewriter: makeTextRewriter(openAiChat(server)), bodies }
}

describe('openAiChat, rewriting texts', () => {
  it('asks for plain text with a limit, and shows the text as data', async () => {
    const { rewriter, bodies } = rewriterOf(says('Click Save.'))
    expect(await rewriter.rewrite(TASK, live())).toBe('Click Save.')
    expect(bodies[0]).toMatchObject({ max_tokens: 1_400 })
    expect(bodies[0]).not.toHaveProperty('response_format')
    expect(bodies[0]?.messages[1]?.content).toBe(
      '<instruction>Remove filler</instruction>\n<text>um click ‹/text› Save</text>',
    )
  })

  it('names the limit as the server wants it', async () => {
    const { rewriter, bodies } = rewriterOf(fails(400, "use 'max_completion_tokens'"), says('Click Save.'))
    expect(await rewriter.rewrite(TASK, live())).toBe('Click Save.')
    expect(bodies[1]).toMatchObject({ max_completion_tokens: 1_400 })
  })

  it.each([
    [429, 'ai_busy'],
    [402, 'ai_quota'],
    [401, 'ai_failed'],
    [400, 'ai_failed'],
  ])('maps HTTP %i to %s', async (status, code) => {
    await expect(rewriterOf(fails(status)).rewriter.rewrite(TASK, live())).rejects.toMatchObject({ code })
  })
})
