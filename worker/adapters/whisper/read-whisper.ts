import { z } from 'zod'
import { languageCode } from './language-code.ts'
import { rateSegment } from './rate-words.ts'
import { readVtt } from './read-vtt.ts'

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

/** Reads an answer field by field; a field that is missing or has a wrong type is ignored. */
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
/** Times at the end of a chunk may be a little too late; later ones are not seconds in this chunk at all. */
const PAST_END_SLACK_MS = 2_000

function clamp(value: number, span: Span): number {
  return Math.min(span.endMs, Math.max(span.startMs, value))
}

function weightOf(item: SaidText): number {
  return item.text.length + 1
}

function forgetImpossible<Said extends SaidText>(items: Said[], span: Span): Said[] {
  const isOutside = (ms: number | null) => ms !== null && (ms < span.startMs || ms > span.endMs + PAST_END_SLACK_MS)
  const outside = items.filter((each) => isOutside(each.startMs)).length
  if (outside * 2 <= items.length) return items
  return items.map((each) => ({ ...each, startMs: null, endMs: null }))
}

/** Gives those without a start an even share, by length of text, of the time between their neighbours. */
function fillStarts<Said extends SaidText>(items: Said[], span: Span): Started<Said>[] {
  const filled: Started<Said>[] = []
  for (let index = 0; index < items.length; ) {
    const item = items[index]
    if (item !== undefined && item.startMs !== null) {
      filled.push({ ...item, startMs: clamp(item.startMs, span) })
      index += 1
      continue
    }
    const nextKnown = items.findIndex((each, i) => i >= index && each.startMs !== null)
    const run = items.slice(index, nextKnown === -1 ? items.length : nextKnown)
    const before = filled.at(-1)
    const fromMs = before === undefined ? span.startMs : clamp(before.endMs ?? before.startMs, span)
    const toMs = Math.max(fromMs, clamp(items[nextKnown]?.startMs ?? span.endMs, span))
    filled.push(...spread(run, { startMs: fromMs, endMs: toMs }))
    index += run.length
  }
  return filled
}

function spread<Said extends SaidText>(items: Said[], span: Span): Settled<Said>[] {
  const total = items.reduce((sum, each) => sum + weightOf(each), 0)
  let weight = 0
  const timeMs = () => span.startMs + ((span.endMs - span.startMs) * weight) / total
  return items.map((each) => {
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
export function settleTimes<Said extends SaidText>(items: Said[], span: Span): Settled<Said>[] {
  const starts = fillStarts(forgetImpossible(items, span), span)
  const ordered = starts.toSorted((a, b) => a.startMs - b.startMs)
  return ordered.map((each, i) => {
    const { startMs, endMs } = each
    const nextMs = ordered[i + 1]?.startMs ?? span.endMs
    const statedMs = endMs !== null && endMs >= startMs ? endMs : startMs + weightOf(each) * MS_PER_CHAR
    const untilMs = Math.max(startMs, Math.min(statedMs, nextMs, span.endMs))
    return { ...each, startMs: Math.round(startMs), endMs: Math.round(untilMs) }
  })
}
