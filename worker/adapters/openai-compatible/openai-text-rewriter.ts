import { rewritePrompt } from '#worker/domain/rewrite/prompts/rewrite.v1.ts'
import type { TextRewriter } from '#worker/ports/text-rewriter.ts'
import { REWRITE_MAX_TOKENS, REWRITE_TIMEOUT_MS } from '../language/rewrite-limits.ts'
import type { OpenAiServer } from './call-open-ai.ts'
import { chatWithOpenAi } from './openai-chat.ts'

/** Rewriting by any server that has OpenAI's `/chat/completions`. */
export function openAiTextRewriter(server: OpenAiServer): TextRewriter {
  return {
    name: `openai:${server.model}`,
    rewrite: (task, signal) =>
      chatWithOpenAi(server, {
        messages: rewritePrompt(task),
        maxTokens: REWRITE_MAX_TOKENS,
        timeoutMs: REWRITE_TIMEOUT_MS,
        signal,
      }),
  }
}
