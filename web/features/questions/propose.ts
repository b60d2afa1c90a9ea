import { STEP_HARD_LIMITS, STEP_RULES } from '#contract/limits.ts'
import { trimEndOf } from '#contract/trim-end.ts'

const GREETING = /^(?:(?:hi|hello|hey|ok|okay|so|and|but|sorry|excuse me|please)\b[\s,!.:-]*)+/i
const COURTESY = /[\s,]*(?:please|thanks|thank you)[\s!.]*$/i
/** How questions begin that ask for a way, a thing or a place, and what is left of them as the name of a step. */
const OPENINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:can|could|would) you (?:please )?(?:show|tell|explain to) (?:me|us) how (?:to|i|we|you) (?:can )?/i, ''],
  [/^how (?:do|does|can|could|should|would|must) (?:i|we|you|one) /i, ''],
  [/^how to /i, ''],
  [/^where (?:do|can|could|should) (?:i|we|you|one) /i, ''],
  [/^where(?:'s|’s| is) (.+)$/i, 'Where $1 is'],
  [/^where are (.+)$/i, 'Where $1 are'],
  [/^what(?:'s|’s| is| are| was| were) /i, ''],
]

/** A question as a step could be called: "How do I lift the car?" becomes "Lift the car". */
export function proposeTitle(question: string): string {
  const asked = bare(question)
  const opening = OPENINGS.find(([begins]) => begins.test(asked))
  const named = opening === undefined ? asked : asked.replace(...opening)
  const title = named.length >= STEP_RULES.titleMinChars ? named : asked
  return cutAtWord(title.charAt(0).toUpperCase() + title.slice(1), STEP_RULES.titleMaxChars)
}

/** A question as another name of its step. Commas separate aliases. */
export function proposeAlias(question: string): string {
  return cutAtWord(bare(question.replaceAll(',', ' ')), STEP_HARD_LIMITS.aliasMaxChars)
}

/** A question as a note of its step. */
export function proposeNote(question: string): string {
  return bare(question)
}

function bare(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim()
  const plain = trimEndOf(line.replace(GREETING, ''), /[\s?!.…]/)
    .replace(COURTESY, '')
    .trim()
  return plain === '' ? line : plain
}

function cutAtWord(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const cut = text.slice(0, maxChars)
  const border = cut.lastIndexOf(' ')
  // A text without blanks is cut anywhere, but not through a character.
  return border > maxChars / 2 ? cut.slice(0, border) : cut.replace(/[\uD800-\uDBFF]$/, '')
}
