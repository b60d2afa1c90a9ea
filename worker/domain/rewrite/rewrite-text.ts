import type { RewriteRequest } from '#contract/rewrite.ts'
import { AppError, faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import type { TextRewriter } from '#worker/ports/text-rewriter.ts'
import { cleanSpeech } from './clean-speech.ts'
import { extractiveTextRewriter } from './extractive-text-rewriter.ts'
import { findRewriteFault, unwrapAnswer } from './judge-rewrite.ts'

/** The instruction of a request that has none. @see specification §7 */
const USUAL_INSTRUCTION = 'Remove filler and fix grammar without adding information.'

/**
 * Rewrites a text so that it reads well and says nothing new. Never fails: what the rewriter does not do in time, or
 * does wrongly, is done by leaving words out.
 * @param deadline fires when the answer has to be given, whatever there is
 */
export async function rewriteText(
  rewriter: TextRewriter,
  { text, instruction }: RewriteRequest,
  deadline: AbortSignal,
): Promise<string> {
  if (rewriter === extractiveTextRewriter) return cleanSpeech(text)
  try {
    const asked = rewriter.rewrite({ text, instruction: instruction || USUAL_INSTRUCTION }, deadline)
    const answer = unwrapAnswer(await Promise.race([asked, untilAborted(deadline)]))
    const fault = findRewriteFault(text, answer)
    if (fault === null) return answer
    logLine('warn', 'rewrite_refused', { model: rewriter.name, cause: fault.replace(/".*"/, 'a word') })
  } catch (error) {
    logLine('warn', 'rewriter_failed', { model: rewriter.name, ...faultOf(error) })
  }
  return cleanSpeech(text)
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new AppError('ai_timeout', 'The rewriter did not answer in time.'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
