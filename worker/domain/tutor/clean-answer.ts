import { isTimeMarker } from '#contract/time-marker.ts'

/** Lengths that no honest answer about a video has; what is longer is cut at a word. */
const MAX_ANSWER_CHARS = 4_000

/**
 * Characters that are not seen: controls, zero width, direction marks, tags (U+E0000), private use. Indic scripts and
 * Persian need the two joiners to be spelled right, and to be found in what was said.
 */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
const TAG = /<!--[\s\S]*?-->|<\/?[a-z!?][^<>]*>/gi
const OPEN_TAG = /<(?=[a-z/!?])/gi
const MARKDOWN_LINK = /!?\[([^\]\n]*)\]\([^)\n]*\)/g
const MARKDOWN_REFERENCE = /^\s*\[[^\]\n]+\]:\s*\S.*$/gm
const ADDRESS = /[a-z][a-z\d+.-]{0,20}:\/\/\S*|(?<![\p{L}\p{N}])(?:www\.|mailto:|javascript:|data:[a-z]+\/)\S*/giu

/**
 * What may be shown of an answer: text alone. Lines that begin with a start-at or time marker go, and so do markup,
 * links and characters that nobody sees.
 */
export function cleanAnswer(answer: string): string {
  const lines = removeMarkup(answer.normalize('NFC').replace(/\r\n?/g, '\n'))
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

/** Removing one piece may join two others to a new one, so it goes on until nothing changes. */
function removeMarkup(text: string): string {
  let before = ''
  let after = text.replace(INVISIBLE, (char) => (char === '\n' ? '\n' : char === '\t' ? ' ' : ''))
  while (after !== before) {
    before = after
    after = before.replace(TAG, '').replace(MARKDOWN_REFERENCE, '').replace(MARKDOWN_LINK, '$1').replace(ADDRESS, '')
  }
  return after.replace(OPEN_TAG, '‹')
}

function shorten(text: string): string {
  if (text.length <= MAX_ANSWER_CHARS) return text
  return `${text.slice(0, MAX_ANSWER_CHARS - 1).replace(/\s+\S*$/, '')}…`
}
