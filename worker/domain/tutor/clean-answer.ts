/** Lengths that no honest answer about a video has; what is longer is cut at a word. */
const MAX_ANSWER_CHARS = 4_000

/** A line that sends the viewer somewhere: "Start at 1:23", "[00:45] …", "at: 30 seconds". @see specification §5 */
const TIME = String.raw`(?:\d{1,3}:\d{2}(?::\d{2})?|\d+(?:\.\d+)?\s?(?:s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b)`
const MARKER = new RegExp(
  String.raw`^[\s\-*•>#_"'“(\[]*(?:(?:start(?:s|ing)?|begin(?:s|ning)?|jump|go|skip)?\s*(?:at|to|@)\b\s*(?:time(?:stamp)?)?|time(?:stamp)?|start(?:\s*time)?)[\s*_]*[:=\-–]?[\s*_(\[]*${TIME}`,
  'i',
)
const BARE_TIME = new RegExp(String.raw`^[\s\-*•>#_"'“]*[*_(\[]*\d{1,3}:\d{2}(?::\d{2})?`)

/** Characters that are not seen: controls, zero width, direction marks, tags (U+E0000), private use. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
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
    .filter((line) => !MARKER.test(line) && !BARE_TIME.test(line))
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
