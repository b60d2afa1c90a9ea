import { trimEndOf } from '#contract/trim-end.ts'

/** The spec allows 99; more than 70 characters no longer fit a line of the step list. */
export const TITLE_MAX_CHARS = 70

const TRAILING_WORDS =
  /(?:[\s,;:–-]+(?:a|an|the|and|or|but|so|to|of|in|on|at|for|from|with|by|as|into|onto|that|which|this|these|those|is|are|be|it|we|i|you|our|your|my|its|their|if|when|then|than|up to|just|also|here|there|now|right|okay|ok|again|really|very|well|going|like|some|any|one|actually|basically|maybe|please))+$/i

const TRAILING_ADVERB = /(?<=\s\S+\s\S+)\s+\w+(?:ably|ally|arly|tely|ntly|ously|ingly|ively)$/i

/** "Switch the printer on again" keeps its "on", which a title may not end with otherwise. */
const PARTICLE =
  /^(?:switch|turn|plug|put|push|slide|snap|screw|clip|log|sign)\s.*\S\s(?:in|on)(?=(?:\s+(?:again|now|then|and|here|there))*$)/i

/** Makes words into a title: sentence case, no trailing fillers or punctuation, short enough to read at a glance. */
export function polishTitle(words: string): string {
  const begun = words.replace(/\s+/g, ' ').replace(/^[\s"'“”‘’([{*#.,;:!?–-]+/, '')
  const clean = trimEndOf(begun, /[\s"“”‘([{*#.,;:!?…–-]/)
  const short = shortenAtWord(clean, TITLE_MAX_CHARS)
  const [particled] = PARTICLE.exec(short) ?? []
  const ended = particled ?? short.replace(TRAILING_ADVERB, '').replace(TRAILING_WORDS, '')
  return capitalize(trimEndOf(ended, /[\s,;:–-]/))
}

/** The text up to the last whole word that fits. */
export function shortenAtWord(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const cut = text.slice(0, maxChars + 1)
  const space = cut.lastIndexOf(' ')
  return (space > 0 ? cut.slice(0, space) : trimHalfCharacter(text.slice(0, maxChars))).trimEnd()
}

/** A cut between the two halves of an emoji would leave an invalid character. */
function trimHalfCharacter(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
}

/** Upper-cases the first letter, except of names such as "iPhone" or "npm.config". */
export function capitalize(text: string): string {
  const first = text.match(/^\S+/)?.[0] ?? ''
  if (/^\p{Ll}+[\p{Lu}.]\S/u.test(first)) return text
  return text.charAt(0).toUpperCase() + text.slice(1)
}
