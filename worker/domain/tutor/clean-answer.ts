import { isTimeMarker } from '#contract/time-marker.ts'
import { removeMarkup } from './remove-markup.ts'

/** Lengths that no honest answer about a video has; what is longer is cut at a word. */
const MAX_ANSWER_CHARS = 4_000
/** What is looked at of a text; four times what may be left of it. */
const MAX_LOOKED_AT_CHARS = 4 * MAX_ANSWER_CHARS

/**
 * What may be shown of an answer: text alone. Lines that begin with a start-at or time marker go, and so do markup,
 * links and invisible characters.
 */
export function cleanAnswer(answer: string): string {
  const looked = answer.slice(0, MAX_LOOKED_AT_CHARS)
  const lines = removeMarkup(looked.normalize('NFC').replace(/\r\n?/g, '\n'))
    .split('\n')
    .filter((line) => !isTimeMarker(line))
    .map((line) => line.replace(/[ \t]+/g, ' ').trimEnd())
  return shorten(
    lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  )
}

function shorten(text: string): string {
  if (text.length <= MAX_ANSWER_CHARS) return text
  const cut = text.slice(0, MAX_ANSWER_CHARS - 1)
  const space = cut.search(/\s\S*$/)
  return `${space === -1 ? cut : cut.slice(0, space).trimEnd()}…`
}
