import type { Token, TutorIndex } from './open-index.ts'

const GIVES_CAUSE = /^(?:because|since|reason|cause|due|so)$/
/** Words beside a thing's name between which it is said what it is. */
const DEFINITION_WORDS = 3
const SAYS_WHAT_IT_IS = /^(?:is|are|was|means?|equals|called|refers|says|defined)$/
const SAYS_ITS_NAME = /^(?:called|call|known|named?|defined?|means?|term)$/

/** True where words have a number that the question itself does not have. */
export function hasNumber(said: readonly Token[], own: ReadonlySet<string>): boolean {
  return said.some(({ stem }) => /^\d/.test(stem) && !own.has(stem))
}

/** True where words give a reason. */
export function hasCause(said: readonly Token[]): boolean {
  return said.some(({ word }) => GIVES_CAUSE.test(word))
}

/** True where it is said what the word at a place is ("a callback is …") or what is called so ("known as the prior"). */
export function isDefinedAt({ tokens }: TutorIndex, place: number): boolean {
  const after = tokens.slice(place + 1, place + 1 + DEFINITION_WORDS)
  const before = tokens.slice(Math.max(0, place - DEFINITION_WORDS), place)
  return after.some(({ word }) => SAYS_WHAT_IT_IS.test(word)) || before.some(({ word }) => SAYS_ITS_NAME.test(word))
}
