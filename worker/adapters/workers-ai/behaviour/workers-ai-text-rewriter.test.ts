// Behaviour: rewriting texts by Workers AI.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { DOCUMENTED_FAULTS } from '../testing/faults.ts'
import { workersAiLanguage } from '../workers-ai-models.ts'

const TASK = { text: 'um click Save', instruction: 'Remove filler' }
const live = () => new AbortController().signal

function rewriterOf(answer: unknown) {
  const run = async () => {
    if (answer instanceof Error) throw answer
    return answer
  }
  return workersAiLanguage({ ai: { run } as unknown as Ai, pace: async () => undefined, models: env }).textRewriter
}

describe('workersAiLanguage, rewriting texts', () => {
  it.each([
    ['of its own', { response: 'Click Save.', usage: {} }],
    ['as OpenAI does', { choices: [{ message: { content: 'Click Save.' } }] }],
  ])('reads an answer %s', async (_form, answer) => {
    expect(await rewriterOf(answer).rewrite(TASK, live())).toBe('Click Save.')
  })

  it('refuses an answer that is no text', async () => {
    await expect(rewriterOf({ usage: {} }).rewrite(TASK, live())).rejects.toMatchObject({ code: 'ai_failed' })
  })

  it.each(DOCUMENTED_FAULTS)('maps "%s" to %s', async (message, code) => {
    await expect(rewriterOf(new Error(message)).rewrite(TASK, live())).rejects.toMatchObject({ code })
  })
})
