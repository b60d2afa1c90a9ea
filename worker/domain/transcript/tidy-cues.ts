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

/** A longer text is no placeholder; the limit also bounds the cost of the check. */
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
function isPlaceholder(text: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return true
  return text.length < PLACEHOLDER_MAX_CHARS && (NOISE.test(text) || UNFILLED.test(text))
}

/** One caption: what is shown between two moments. Milliseconds from the beginning of the video. */
export interface Cue {
  startMs: number
  endMs: number
  text: string
}

/** A cue as it stands in a file, its lines already cleaned. */
export interface CueLines {
  startMs: number
  endMs: number
  lines: string[]
}

/** How long a cue without length is shown when nothing follows it. */
const DEFAULT_LENGTH_MS = 2_000
/** Above this share of cues that repeat the line before, a file rolls up, as automatic captions do. */
const ROLLING_SHARE = 1 / 3

function repeatsLineBefore(cue: CueLines, before: CueLines | undefined): boolean {
  return before !== undefined && cue.lines.length > 0 && cue.lines[0] === before.lines.at(-1)
}

function dropRolledLines(cues: CueLines[]): CueLines[] {
  const repeats = cues.filter((cue, i) => repeatsLineBefore(cue, cues[i - 1])).length
  if (repeats < 2 || repeats <= cues.length * ROLLING_SHARE) return cues
  return cues.map((cue, i) => (repeatsLineBefore(cue, cues[i - 1]) ? { ...cue, lines: cue.lines.slice(1) } : cue))
}

function joinSameStart(cues: Cue[]): Cue[] {
  const joined: { startMs: number; endMs: number; texts: string[] }[] = []
  for (const cue of cues) {
    const last = joined.at(-1)
    if (last === undefined || last.startMs !== cue.startMs) {
      joined.push({ startMs: cue.startMs, endMs: cue.endMs, texts: [cue.text] })
      continue
    }
    if (last.texts.at(-1) !== cue.text) last.texts.push(cue.text)
    last.endMs = Math.max(last.endMs, cue.endMs)
  }
  return joined.map(({ startMs, endMs, texts }) => ({ startMs, endMs, text: texts.join(' ') }))
}

/**
 * Puts cues in order without overlap: sorted by start, those with one start joined, each ended where the next one
 * begins, lines of rolling captions kept once, cues that say nothing dropped.
 */
export function tidyCues(cues: CueLines[]): Cue[] {
  const spoken = cues
    .map((cue) => ({ ...cue, lines: cue.lines.filter((line) => line !== '') }))
    .filter((cue) => cue.lines.length > 0)
    .sort((a, b) => a.startMs - b.startMs)
  const textCues = dropRolledLines(spoken)
    .map(({ startMs, endMs, lines }) => ({ startMs, endMs, text: lines.join(' ') }))
    .filter((cue) => !isPlaceholder(cue.text))
  const ordered = joinSameStart(textCues)
  return ordered.map((cue, i) => {
    const nextMs = ordered[i + 1]?.startMs ?? Number.POSITIVE_INFINITY
    const endMs = cue.endMs > cue.startMs ? cue.endMs : cue.startMs + DEFAULT_LENGTH_MS
    return { ...cue, endMs: Math.min(endMs, nextMs) }
  })
}
