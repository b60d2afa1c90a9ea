import type { EarlierTurn } from '#contract/tutor.ts'
import { findWords, isAskingWord, isTerm, stemTerm } from './words.ts'

/** A question that means something only with what was answered before. */
export interface FollowUp {
  /**
   * `next`: what comes after the moment that was cited; `again`: that moment once more; `more`: the question has no
   * subject of its own; `joined`: it has words of its own beside a "that" or "it".
   */
  kind: 'next' | 'again' | 'more' | 'joined'
  /** The last turn that was answered from the video; null where there is none. */
  of: EarlierTurn | null
  /** The words of the question that name what it is about. */
  own: readonly string[]
  /** The question with the words of the subject that it refers to. */
  question: string
}

const START = String.raw`^(?:(?:ok|okay|and|so|but|great|right|got it|please|well) )*`
const END = '(?: please)?$'
const AFTER = '(?: after (?:that|this|it))'
const NEXT = new RegExp(
  `${START}(?:(?:and )?then(?: what)?|what then|what(?:'s| is| comes| happens| do i do| should i do)? (?:next|then|now)|what(?:'s| is| comes| happens| do i do| should i do)${AFTER}|next|${AFTER.slice(4, -1)}|go on|continue|what else)${END}`,
)
const SAY = '(?:explain|repeat|show|say|tell|play)'
const AGAIN = new RegExp(
  `${START}(?:(?:can|could|would|will) you )?(?:please )?(?:(?:${SAY}(?: me)?(?: (?:that|this|it))?(?: to me)? )?(?:again|once more|one more time)|repeat(?: (?:that|this|it))?|i (?:don't|didn't|do not|did not) (?:understand|get|follow)(?: (?:that|this|it))?|come again|pardon)${END}`,
)
/** Points at what was said; "this" and "here" point at the video as it is shown. */
const POINTS_BACK = /\b(?:it|its|that|they|them|those|the other one|what about|how about)\b/
/** Asks about the video itself, whose subject it names. */
const OF_VIDEO =
  /\b(?:video|recording|clip|lesson|tutorial|training|presenter|speaker|author|narrator|trainer|teacher)\b/
const POINTS_AT_NOW = /\b(?:this|here)\b/
/** Words by which people ask that name no subject; "one" stands for what was named. */
const EMPTY = new Set(
  'one ones long often important necessary matter come please sure exactly'.split(' ').map(stemTerm),
)
/** A question with more words of its own needs no other subject. */
const MAX_OWN_WORDS = 2

/**
 * Reads whether a question refers to what was answered before. Refusals and thanks are no subject.
 * @param earlier oldest first
 * @returns null for a question that stands for itself
 */
export function readFollowUp(question: string, earlier: readonly EarlierTurn[]): FollowUp | null {
  const text = tidy(question)
  const of = earlier.findLast(isAnswered) ?? null
  const own = listSubjectWords(text)
  const read = { of, own, question: joinSubject(question, earlier) }
  if (NEXT.test(text)) return { kind: 'next', ...read }
  if (AGAIN.test(text)) return { kind: 'again', ...read }
  if (of === null || !isDependent(text, own)) return null
  return { kind: own.length === 0 ? 'more' : 'joined', ...read }
}

function tidy(question: string): string {
  return question
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}' ]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function isAnswered({ meta }: EarlierTurn): boolean {
  return meta !== null && meta.isCovered && (meta.citations.length > 0 || meta.step !== null)
}

function isDependent(text: string, own: readonly string[]): boolean {
  if (findWords(text).length === 0 || OF_VIDEO.test(text)) return false
  if (own.length === 0) return !POINTS_AT_NOW.test(text)
  return own.length <= MAX_OWN_WORDS && POINTS_BACK.test(text)
}

function listSubjectWords(question: string): string[] {
  return findWords(question).filter(
    (word) => isTerm(word) && !isAskingWord(stemTerm(word)) && !EMPTY.has(stemTerm(word)),
  )
}

/** The subject is that of the last answered question which names one. */
function joinSubject(question: string, earlier: readonly EarlierTurn[]): string {
  const subjects = earlier.filter(isAnswered).map((turn) => listSubjectWords(turn.question))
  const subject = subjects.findLast((words) => words.length > 0) ?? []
  return [question, ...subject].join(' ')
}
