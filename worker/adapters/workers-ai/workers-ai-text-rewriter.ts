import { rewritePrompt } from '#worker/domain/rewrite/prompts/rewrite.v1.ts'
import { AppError } from '#worker/errors.ts'
import type { TextRewriter } from '#worker/ports/text-rewriter.ts'
import { REWRITE_MAX_TOKENS, REWRITE_TIMEOUT_MS } from '../language/rewrite-limits.ts'
import { readResponse } from './read-response.ts'
import { runWorkersAi } from './run-workers-ai.ts'

const MODEL = '@cf/meta/llama-3.3-70b-instruct-fp8-fast'
const TEMPERATURE = 0.1
const WHO = 'The language model'

/** Rewriting by Llama on Workers AI. */
export function workersAiTextRewriter(ai: Ai): TextRewriter {
  return {
    name: `workers-ai:${MODEL}`,
    async rewrite(task, signal) {
      const inputs = { messages: rewritePrompt(task), temperature: TEMPERATURE, max_tokens: REWRITE_MAX_TOKENS }
      const call = { model: MODEL, inputs, timeoutMs: REWRITE_TIMEOUT_MS, signal, who: WHO }
      const answer = readResponse(await runWorkersAi(ai, call))
      if (typeof answer !== 'string') throw new AppError('ai_failed', `${WHO} gave an answer of an unknown form.`)
      return answer
    },
  }
}
