import { removeDrawings } from './caption-formats/ass.ts'
import { readTime } from './caption-formats/read-times.ts'
import { markVoice, VOICE_MARKS } from './speaker-names.ts'

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
const SUB_VIEWER_BREAK = /\[br\]/gi
/** `{\an8}`: an ASS position, which some tools leave in SRT. */
const ASS_OVERRIDE = /\{\\[^{}]*\}/g
/** `{y:i}`, `{c:$0000ff}`: styles of MicroDVD, left in SRT. */
const MICRO_DVD = /\{(?:y:[bius,]{1,8}|c:\$[\da-f]{6}|s:\d{1,3}|f:[\w ]{1,40})\}/gi
/** Decoded twice where it was encoded twice: `&amp;quot;`. */
const ENTITY = /&(?:amp;){0,5}(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6});/gi
/** Marks without width; Indic and Persian scripts need the two joiners. */
const HIDDEN = /(?![\u200c\u200d])\p{Cf}/gu

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isCharacter = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : ''
}

/** `<v Ada Example>`, `<v.loud Ada>`: who says what follows (WebVTT). */
const VOICE = /^<v(?:\.[^\s>]{1,60})?\s([^>]*)>$/i

function replaceTag(tag: string): string {
  const name = VOICE.exec(tag)?.[1]
  if (name !== undefined) return markVoice(name)
  return /^<\/?(?:br|p|div)/i.test(tag) ? ' ' : ''
}

/** Removes what is no text, and leaves the blanks at the ends. */
function removeMarkup(text: string): string {
  return removeDrawings(text.replace(VOICE_MARKS, ''))
    .replace(TAG, replaceTag)
    .replace(INNER_TIME, '')
    .replace(SUB_VIEWER_BREAK, ' ')
    .replace(ASS_OVERRIDE, '')
    .replace(MICRO_DVD, '')
    .replace(ENTITY, decodeEntity)
    .replace(HIDDEN, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
}

/** A line of a cue, and when its words are spoken, where the file says so. */
export interface StampedLine {
  text: string
  /** In order; `at` counts characters of the text. */
  stamps: { at: number; ms: number }[]
}

/**
 * Makes a line of a cue readable text: tags removed, entities decoded, blanks joined. Tags go first, so that `&lt;b&gt;`
 * stays as the text "<b>".
 */
export function cleanStampedLine(line: string): StampedLine {
  const stamps: StampedLine['stamps'] = []
  let text = ''
  let from = 0
  for (const stamp of line.matchAll(INNER_TIME)) {
    text = (text + removeMarkup(line.slice(from, stamp.index))).trimStart()
    from = stamp.index + stamp[0].length
    const ms = readTime(stamp[0].slice(1, -1), 1)
    if (ms !== null) stamps.push({ at: text.length, ms })
  }
  return { text: (text + removeMarkup(line.slice(from))).trim().replace(/ {2,}/g, ' '), stamps }
}
