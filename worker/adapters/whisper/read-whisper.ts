import { z } from 'zod'
import { rateSegment } from './rate-words.ts'

/** Workers AI has written `00.820 --> 01.520`, without the minutes that WebVTT asks for. */
const TIME = String.raw`(?:(?:(\d+):)?(\d+):)?(\d+(?:[.,]\d+)?)`
const TIMING = new RegExp(`^\\s*${TIME}\\s*-->\\s*${TIME}`)

function toSeconds([hours = '0', minutes = '0', seconds = '0']: (string | undefined)[]): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'))
}

/** Reads the subtitles that a Whisper server writes of its own segments, in seconds; what is not a cue is passed over. */
export function readVtt(vtt: string): { text: string; start: number; end: number }[] {
  const blocks = vtt.replace(/\r\n?/g, '\n').split(/\n{2,}/)
  return blocks.flatMap((block) => {
    const lines = block.split('\n')
    const at = lines.findIndex((line) => TIMING.test(line))
    const [, ...times] = TIMING.exec(lines[at] ?? '') ?? []
    const text = lines
      .slice(at + 1)
      .join(' ')
      .trim()
    if (at === -1 || text === '') return []
    return [{ text, start: toSeconds(times.slice(0, 3)), end: toSeconds(times.slice(3)) }]
  })
}

/** The languages that Whisper knows and ISO 639-1 has a code for. */
const CODES =
  'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha he hi hr ht hu hy id is it ja jv ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh'.split(
    ' ',
  )

/** Where Whisper's name is not the one of the Unicode tables. */
const OTHER_NAMES: Record<string, string> = {
  bengali: 'bn',
  burmese: 'my',
  castilian: 'es',
  flemish: 'nl',
  haitian: 'ht',
  mandarin: 'zh',
  moldavian: 'ro',
  myanmar: 'my',
  nynorsk: 'nn',
  punjabi: 'pa',
  pushto: 'ps',
  sinhalese: 'si',
  tagalog: 'tl',
  valencian: 'ca',
}

let codeByName: Map<string, string> | null = null

function namesToCodes(): Map<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'language' })
  const pairs = CODES.map((code): [string, string] => [(names.of(code) ?? code).toLowerCase(), code])
  return new Map([...pairs, ...Object.entries(OTHER_NAMES)])
}

/** ISO 639-1 of what a server calls the language: "en", "en-US" or "english". Null for anything else. */
export function languageCode(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const plain = name.trim().toLowerCase()
  const code = plain.split(/[-_]/)[0] ?? ''
  if (CODES.includes(code)) return code
  codeByName ??= namesToCodes()
  return codeByName.get(plain) ?? null
}

/** A section of text with its time, as the server says; null where it says nothing usable. */
export interface SaidText {
  text: string
  startMs: number | null
  endMs: number | null
  /** 0–1. */
  confidence: number | null
}

/** A word as it stands in the answer. */
export interface SaidWord extends SaidText {
  /** faster-whisper begins each word with a blank, except where it continues the word before it. */
  beginsWithBlank: boolean
}

/** A segment with the values by which Whisper itself recognises invented text. */
export interface WhisperSegment extends SaidText {
  avgLogprob: number | null
  compressionRatio: number | null
  noSpeechProb: number | null
  words: SaidWord[]
}

/** An answer of any Whisper server: `verbose_json` of OpenAI and its likes, or of Workers AI. */
export interface WhisperAnswer {
  /** Null when the answer has no text at all, which is not the same as an empty one. */
  text: string | null
  language: string | null
  words: SaidWord[]
  segments: WhisperSegment[]
}

/** More words than in a quarter of an hour; chunks are a few minutes at most. */
const MAX_ITEMS = 3_000
/** The longest place name has 85 letters. */
const WORD_MAX_CHARS = 100
/** Twenty times what a person says in half a minute; a longer text means that the recogniser is in a loop. */
const TEXT_MAX_CHARS = 10_000

const record = z.record(z.string(), z.unknown()).catch({})
const list = z
  .array(z.unknown())
  .catch([])
  .transform((items) => items.slice(0, MAX_ITEMS))
const number = z
  .union([z.number(), z.string().regex(/\S/).transform(Number).pipe(z.number())])
  .nullable()
  .catch(null)
const ms = number.transform((seconds) => seconds && seconds * 1000)
const share = number.transform((value) => value && Math.min(1, Math.max(0, value)))

function toText(value: unknown, maxChars: number): string {
  return typeof value === 'string' ? value.slice(0, maxChars).replace(/\s+/g, ' ').trim() : ''
}

function readWord(value: unknown): SaidWord {
  const word = record.parse(value)
  const text = word['word'] ?? word['text']
  return {
    text: toText(text, WORD_MAX_CHARS),
    beginsWithBlank: typeof text === 'string' && /^\s/.test(text),
    startMs: ms.parse(word['start']),
    endMs: ms.parse(word['end']),
    confidence: share.parse(word['probability'] ?? word['confidence']),
  }
}

function readSegment(value: unknown): WhisperSegment {
  const segment = record.parse(value)
  const avgLogprob = number.parse(segment['avg_logprob'])
  return {
    text: toText(segment['text'], TEXT_MAX_CHARS),
    startMs: ms.parse(segment['start']),
    endMs: ms.parse(segment['end']),
    confidence: avgLogprob === null ? null : rateSegment(avgLogprob),
    avgLogprob,
    compressionRatio: number.parse(segment['compression_ratio']),
    noSpeechProb: number.parse(segment['no_speech_prob']),
    words: list.parse(segment['words']).map(readWord),
  }
}

/** Workers AI's schema has been a list and a single one. Subtitles have the times where segments are left out. */
function readSegments(segments: unknown, vtt: unknown): WhisperSegment[] {
  const given = 'text' in record.parse(segments) ? [segments] : list.parse(segments)
  const cues = given.length > 0 || typeof vtt !== 'string' ? given : readVtt(vtt).slice(0, MAX_ITEMS)
  return cues.map(readSegment)
}

/** Reads an answer field by field; whatever is missing or of a wrong type counts as not said. */
export function readWhisper(answer: unknown): WhisperAnswer {
  const fields = record.parse(answer)
  const info = record.parse(fields['transcription_info'])
  const words = list.parse(fields['words']).map(readWord)
  return {
    text: typeof fields['text'] === 'string' ? toText(fields['text'], TEXT_MAX_CHARS) : null,
    language: languageCode(fields['language'] ?? info['language']),
    words,
    segments: readSegments(fields['segments'], words.length === 0 ? fields['vtt'] : null),
  }
}

/** With a time that can be relied on. */
export type Settled<Said extends SaidText> = Said & { startMs: number; endMs: number }
type Started<Said extends SaidText> = Said & { startMs: number }

interface Span {
  startMs: number
  endMs: number
}

/** Slow speech; bounds the length of a word without an end. */
const MS_PER_CHAR = 120
/** Times are a little off at the end of a chunk; farther out they mean something else than seconds in this chunk. */
const PAST_END_SLACK_MS = 2_000

function clamp(value: number, span: Span): number {
  return Math.min(span.endMs, Math.max(span.startMs, value))
}

function weightOf(said: SaidText): number {
  return said.text.length + 1
}

function forgetImpossible<Said extends SaidText>(said: Said[], span: Span): Said[] {
  const isOutside = (ms: number | null) => ms !== null && (ms < span.startMs || ms > span.endMs + PAST_END_SLACK_MS)
  const outside = said.filter((each) => isOutside(each.startMs)).length
  if (outside * 2 <= said.length) return said
  return said.map((each) => ({ ...each, startMs: null, endMs: null }))
}

/** Gives those without a start an even share, by length of text, of the time between their neighbours. */
function fillStarts<Said extends SaidText>(said: Said[], span: Span): Started<Said>[] {
  const filled: Started<Said>[] = []
  for (let at = 0; at < said.length; ) {
    const known = said[at]
    if (known !== undefined && known.startMs !== null) {
      filled.push({ ...known, startMs: clamp(known.startMs, span) })
      at += 1
      continue
    }
    const nextKnown = said.findIndex((each, i) => i >= at && each.startMs !== null)
    const run = said.slice(at, nextKnown === -1 ? said.length : nextKnown)
    const before = filled.at(-1)
    const fromMs = before === undefined ? span.startMs : clamp(before.endMs ?? before.startMs, span)
    const toMs = Math.max(fromMs, clamp(said[nextKnown]?.startMs ?? span.endMs, span))
    filled.push(...spread(run, { startMs: fromMs, endMs: toMs }))
    at += run.length
  }
  return filled
}

function spread<Said extends SaidText>(said: Said[], span: Span): Settled<Said>[] {
  const total = said.reduce((sum, each) => sum + weightOf(each), 0)
  let weight = 0
  const timeMs = () => span.startMs + ((span.endMs - span.startMs) * weight) / total
  return said.map((each) => {
    const startMs = timeMs()
    weight += weightOf(each)
    return { ...each, startMs, endMs: timeMs() }
  })
}

/**
 * Makes times out of whatever a recogniser said about them. Missing ones are shared out between their neighbours,
 * those outside are drawn in, overlaps end where the next begins. When most lie outside, none is believed.
 * @returns whole milliseconds inside the span, starts ascending, without overlap
 */
export function settleTimes<Said extends SaidText>(said: Said[], span: Span): Settled<Said>[] {
  const starts = fillStarts(forgetImpossible(said, span), span)
  const ordered = starts.toSorted((a, b) => a.startMs - b.startMs)
  return ordered.map((each, i) => {
    const { startMs, endMs } = each
    const nextMs = ordered[i + 1]?.startMs ?? span.endMs
    const statedMs = endMs !== null && endMs >= startMs ? endMs : startMs + weightOf(each) * MS_PER_CHAR
    const untilMs = Math.max(startMs, Math.min(statedMs, nextMs, span.endMs))
    return { ...each, startMs: Math.round(startMs), endMs: Math.round(untilMs) }
  })
}
