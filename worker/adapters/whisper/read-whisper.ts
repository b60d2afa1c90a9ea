import { z } from 'zod'

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

/** A segment with the values by which Whisper itself recognises invented text. */
export interface WhisperSegment extends SaidText {
  avgLogprob: number | null
  compressionRatio: number | null
  noSpeechProb: number | null
  words: SaidText[]
}

/** An answer of any Whisper server: `verbose_json` of OpenAI and its likes, or of Workers AI. */
export interface WhisperAnswer {
  /** Null when the answer has no text at all, which is not the same as an empty one. */
  text: string | null
  language: string | null
  words: SaidText[]
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

function readWord(value: unknown): SaidText {
  const word = record.parse(value)
  return {
    text: toText(word['word'] ?? word['text'], WORD_MAX_CHARS),
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
    // The mean probability of a token, which is the nearest to a confidence that Whisper gives.
    confidence: avgLogprob === null ? null : share.parse(Math.exp(avgLogprob)),
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
