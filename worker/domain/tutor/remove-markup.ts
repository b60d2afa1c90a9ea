/**
 * Characters that are not seen: controls, zero width, direction marks, tags (U+E0000), private use. Indic scripts and
 * Persian need the two joiners to be spelled right, and to be found in the transcript.
 */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
// Each of these stops where another one of its kind may begin, so that no text is looked through twice.
const TAG = /<\/?[a-z!?][^<>]*>/gi
const OPEN_TAG = /<(?=[a-z/!?])/gi
const MARKDOWN_LINK = /!?\[([^[\]\n]*)\]\([^[)\n]*\)/g
const MARKDOWN_REFERENCE = /^[ \t]*\[[^[\]\n]+\]:[ \t]*\S.*$/gm
const ADDRESS = /[a-z][a-z\d+.-]{0,20}:\/\/\S*/gi
const SHORT_ADDRESS = /(?<![\p{L}\p{N}])(?:www\.|mailto:|javascript:|data:[a-z]{1,20}\/)\S*/giu

/** Markup inside of markup that honest text has at most. */
const MOST_PASSES = 8

/** Removes markup, links and invisible characters. Takes time by the length of the text, whatever is in it. */
export function removeMarkup(text: string): string {
  let before = ''
  let after = text.replace(INVISIBLE, (char) => (char === '\n' ? '\n' : char === '\t' ? ' ' : ''))
  // Removing one piece may join two others to a new one.
  for (let pass = 0; after !== before; pass += 1) {
    before = after
    after = removeOnce(pass < MOST_PASSES ? before : before.replace(/[<>[\]():]/g, ' '))
  }
  return after.replace(OPEN_TAG, '‹').replaceAll('](', '] (')
}

function removeOnce(text: string): string {
  return removeComments(text)
    .replace(TAG, '')
    .replace(MARKDOWN_REFERENCE, '')
    .replace(MARKDOWN_LINK, '$1')
    .replace(ADDRESS, '')
    .replace(SHORT_ADDRESS, '')
}

function removeComments(text: string): string {
  let kept = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('<!--', at)
    const end = start === -1 ? -1 : text.indexOf('-->', start + 4)
    if (end === -1) return kept + text.slice(at)
    kept += text.slice(at, start)
    at = end + 3
  }
}
