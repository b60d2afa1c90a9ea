import type { TextRewriter } from '#worker/ports/text-rewriter.ts'
import { cleanSpeech } from './clean-speech.ts'

/** Rewrites by leaving words out: the offline rewriter, and the degraded mode when a hosted model fails. */
export const extractiveTextRewriter: TextRewriter = {
  name: 'extractive',
  async rewrite({ text }, signal) {
    signal.throwIfAborted()
    return cleanSpeech(text)
  },
}
