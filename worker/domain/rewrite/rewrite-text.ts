import type { RewriteRequest } from '#contract/step-editing.ts'
import { faultOf, untilAborted } from '#worker/core/errors.ts'
import { splitWords, stemWord } from '#worker/domain/step/extractive/sentences.ts'
import { wordSet } from '#worker/domain/step/extractive/word-lists.ts'
import { logLine } from '#worker/log/log.ts'
import type { TextRewriter } from '#worker/ports/language-model.ts'
import { cleanSpeech, extractiveTextRewriter } from './extractive-text-rewriter.ts'

/** What grammar may need: words that name nothing. Whatever else an answer has must have been in the text. */
const GRAMMAR_WORDS =
  wordSet(`a an the this that these those it its you your we our they their them he she his her him us i my me and or but so if
when while as then than to of in on at for from with by into onto about through is are was were be been being am do does
did done has have had having will would can could should may might must which who whose what where how there here also
it's that's you're we're they're you'll we'll it'll i'm i'll`)
/** Words on which the sense hangs: an answer has neither more nor fewer kinds of them than the text. */
const DECISIVE = /^(?:not|never|no|none|nothing|neither|nor|cannot|without|unless|until|except|only|off|\w+n't)$/
/** Letters for what a text may grow by: articles and full stops, in a text of a few words. */
const GROWTH_CHARS = 40
const GROWTH_FACTOR = 1.2

/**
 * What is wrong with a model's rewriting of a text: that it is empty or overlong, adds a word that names something or
 * a number, or changes a negation.
 * @returns null when it can be given to a person
 */
function findRewriteFault(text: string, answer: string): string | null {
  const words = splitWords(answer)
  if (words.length === 0) return 'it is empty'
  if (answer.length > text.length * GROWTH_FACTOR + GROWTH_CHARS) return 'it is too long'
  const originalWords = splitWords(text)
  const stems = new Set(originalWords.map(stemWord))
  const isGiven = (word: string) => stems.has(stemWord(word)) || GRAMMAR_WORDS.has(word) || DECISIVE.test(word)
  const added = words.find((word) => !isGiven(word))
  if (added !== undefined) return `it adds "${added}"`
  return decisiveOf(originalWords) === decisiveOf(words) ? null : 'it changes what is denied'
}

/** "don't", "cannot" and "do not" deny alike. */
function decisiveOf(words: readonly string[]): string {
  const kinds = words.filter((word) => DECISIVE.test(word)).map((word) => (/n't$|^cannot$/.test(word) ? 'not' : word))
  return [...new Set(kinds)].sort().join(' ')
}

/** What models put around an answer: a fence, quotes, thoughts. */
function unwrapAnswer(answer: string): string {
  const withoutThoughts = answer.replace(/^[\s\S]*<\/think>/, '').trim()
  const bare = /^```\w*\n([\s\S]*?)\n?```$/.exec(withoutThoughts)?.[1] ?? withoutThoughts
  const quoted = /^(["“])([^"“”]*)["”]$/.exec(bare.trim())?.[2] ?? bare
  return quoted.replace(/\s+/g, ' ').trim()
}

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
    const pendingRewrite = rewriter.rewrite({ text, instruction: instruction || USUAL_INSTRUCTION }, deadline)
    const answer = unwrapAnswer(
      await Promise.race([pendingRewrite, untilAborted(deadline, () => 'The rewriter did not answer in time.')]),
    )
    const fault = findRewriteFault(text, answer)
    if (fault === null) return answer
    logLine('warn', 'rewrite_refused', { model: rewriter.name, cause: fault.replace(/".*"/, 'a word') })
  } catch (error) {
    logLine('warn', 'rewriter_failed', { model: rewriter.name, ...faultOf(error) })
  }
  return cleanSpeech(text)
}
