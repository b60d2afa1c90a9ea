/** Named entities that caption tools write; the marks for text direction are dropped. */
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lrm: '',
  rlm: '',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
}

// A closed list: in a how-to, "cp <from> <to>" is something that was said.
const TAG =
  /<\/?(?:c|v|i|b|u|s|lang|ruby|rt|font|em|strong|span|br|p|div|a|img|small|big|center|strike|script|style|iframe)(?=[\s.>/])[^<>]*>/gi
/** `<00:00:01.500>`: when the next word is spoken (WebVTT, written by YouTube). */
const INNER_TIME = /<\d{1,3}:[\d:.]{1,15}>/g
/** `{\an8}`: an ASS position, which some tools leave in SRT. */
const ASS_OVERRIDE = /\{\\[^{}]{0,200}\}/g
const ENTITY = /&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6});/gi
/** Marks without width; Indic and Persian scripts need the two joiners. */
const HIDDEN = /(?![\u200c\u200d])\p{Cf}/gu
/** What captions say instead of speech; whole cue only. */
const NOISE =
  /^[[(*♪♫\s]*(?:music(?: playing)?|background music|applause|laughter|silence|noise|inaudible|no (?:speech|audio|sound)|blank[_ ]audio)[\])*♪♫\s.]*$/i

/** Longer text says something; it also bounds the cost of looking. */
const PLACEHOLDER_MAX_CHARS = 400
/** A form left unfilled, such as "contributed by ------(name of the translator)". */
const UNFILLED = /(?:-{5,}|_{4,})\s*[([]|(?:-{5,}|_{4,})[^-_]+(?:-{5,}|_{4,})/

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isCharacter = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : ''
}

/**
 * Makes a line of a cue readable text: WebVTT and HTML tags removed, entities decoded, blanks joined.
 * Tags go first, so that `&lt;b&gt;` stays as the text "<b>".
 */
export function cleanCueText(line: string): string {
  return line
    .replace(TAG, (tag) => (/^<\/?(?:br|p|div)/i.test(tag) ? ' ' : ''))
    .replace(INNER_TIME, '')
    .replace(ASS_OVERRIDE, '')
    .replace(ENTITY, decodeEntity)
    .replace(HIDDEN, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

/** Whether a cue says nothing: empty, only signs such as "-" or "♪", a noise such as "[Music]", an unfilled form. */
export function isPlaceholder(text: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return true
  return text.length < PLACEHOLDER_MAX_CHARS && (NOISE.test(text) || UNFILLED.test(text))
}
