import { languageCode } from './language-code.ts'
import { readVtt } from './read-vtt.ts'

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

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS) : []
}

function toText(value: unknown, maxChars: number): string {
  return typeof value === 'string' ? value.slice(0, maxChars).replace(/\s+/g, ' ').trim() : ''
}

function toNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

function toMs(seconds: unknown): number | null {
  const value = toNumber(seconds)
  return value === null ? null : value * 1000
}

function toShare(value: unknown): number | null {
  const number = toNumber(value)
  return number === null ? null : Math.min(1, Math.max(0, number))
}

function readWord(value: unknown): SaidText {
  const word = toRecord(value)
  return {
    text: toText(word['word'] ?? word['text'], WORD_MAX_CHARS),
    startMs: toMs(word['start']),
    endMs: toMs(word['end']),
    confidence: toShare(word['probability'] ?? word['confidence']),
  }
}

function readSegment(value: unknown): WhisperSegment {
  const segment = toRecord(value)
  const avgLogprob = toNumber(segment['avg_logprob'])
  return {
    text: toText(segment['text'], TEXT_MAX_CHARS),
    startMs: toMs(segment['start']),
    endMs: toMs(segment['end']),
    // The mean probability of a token, which is the nearest to a confidence that Whisper gives.
    confidence: avgLogprob === null ? null : toShare(Math.exp(avgLogprob)),
    avgLogprob,
    compressionRatio: toNumber(segment['compression_ratio']),
    noSpeechProb: toNumber(segment['no_speech_prob']),
    words: toList(segment['words']).map(readWord),
  }
}

/** Workers AI's schema has been a list and a single one. Subtitles have the times where segments are left out. */
function readSegments(segments: unknown, vtt: unknown): WhisperSegment[] {
  const reason = 'text' in toRecord(segments) ? [segments] : toList(segments)
  if (reason.length > 0 || typeof vtt !== 'string') return reason.map(readSegment)
  return readVtt(vtt)
    .slice(0, MAX_ITEMS)
    .map(({ text, startS, endS }) => readSegment({ text, start: startS, end: endS }))
}

/** Reads an answer field by field; whatever is missing or of a wrong type counts as not said. */
export function readWhisper(answer: unknown): WhisperAnswer {
  const fields = toRecord(answer)
  const info = toRecord(fields['transcription_info'])
  const words = toList(fields['words']).map(readWord)
  return {
    text: typeof fields['text'] === 'string' ? toText(fields['text'], TEXT_MAX_CHARS) : null,
    language: languageCode(fields['language'] ?? info['language']),
    words,
    segments: readSegments(fields['segments'], words.length === 0 ? fields['vtt'] : null),
  }
}
