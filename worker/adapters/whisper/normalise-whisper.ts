import { AppError } from '#worker/errors.ts'
import type { SpeechResult } from '#worker/ports/speech-to-text.ts'
import { dropLoneLines, dropLoops, dropMarks, isInvented } from './drop-invented.ts'
import { readWhisper, type SaidText, type WhisperAnswer, type WhisperSegment } from './read-whisper.ts'

/** With a time that can be relied on. */
type Settled<Said extends SaidText> = Said & { startMs: number; endMs: number }
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
function settleTimes<Said extends SaidText>(said: Said[], span: Span): Settled<Said>[] {
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

/** Between blanks, and between characters of scripts that are written without. */
const WORD_BORDER =
  /\s+|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])/u
/** More words than this in a second are no speech; an answer loses the rest. */
const MAX_WORDS_PER_SECOND = 12

type PlacedSegment = Settled<WhisperSegment>

function splitText(said: SaidText): SaidText[] {
  return said.text
    .split(WORD_BORDER)
    .filter((text) => text !== '')
    .map((text) => ({ text, startMs: null, endMs: null, confidence: said.confidence }))
}

function wordsOfSegment(segment: PlacedSegment): SaidText[] {
  const reason = segment.words.filter((word) => word.text !== '')
  const words = reason.length > 0 ? reason : splitText(segment)
  const known = words.map((word) => ({ ...word, confidence: word.confidence ?? segment.confidence }))
  return words.some((word) => word.startMs !== null) ? known : settleTimes(known, segment)
}

/** Words that stand beside the segments belong to the one that their middle lies in. */
function wordsBeside(words: SaidText[], segments: PlacedSegment[]): SaidText[] {
  return words.flatMap((word) => {
    const middleMs = word.startMs === null ? null : (word.startMs + (word.endMs ?? word.startMs)) / 2
    const around = segments.filter(
      (segment) => middleMs !== null && segment.startMs <= middleMs && middleMs <= segment.endMs,
    )
    const kept = around.find((segment) => !isInvented(segment))
    if (around.length > 0 && kept === undefined) return []
    return [{ ...word, confidence: word.confidence ?? kept?.confidence ?? null }]
  })
}

function collectWords(answer: WhisperAnswer, durationMs: number): SaidText[] {
  const segments = settleTimes(answer.segments, { startMs: 0, endMs: durationMs })
  const words = answer.words.filter((word) => word.text !== '')
  if (words.some((word) => word.startMs !== null)) return wordsBeside(words, segments)
  const said = segments.filter((segment) => segment.text !== '' || segment.words.length > 0)
  if (said.length > 0) return said.filter((segment) => !isInvented(segment)).flatMap(wordsOfSegment)
  if (words.length > 0) return words
  return splitText({ text: answer.text ?? '', startMs: null, endMs: null, confidence: null })
}

/** A sign that stands alone belongs to the word before it; one without letters after nothing says nothing. */
function joinLoneSigns(words: SaidText[]): SaidText[] {
  const joined: SaidText[] = []
  for (const word of words) {
    const before = joined.at(-1)
    if (/[\p{L}\p{N}]/u.test(word.text)) joined.push({ ...word })
    else if (before !== undefined && /^[.,!?…;:。！？、，]+$/.test(word.text)) before.text += word.text
  }
  return joined
}

/**
 * Makes what the port promises out of whatever a Whisper server answered: words in order inside the chunk, without
 * what Whisper makes up over silence or repeats in a loop. No words means that the chunk has no speech.
 * @param prompt the hint that the recogniser was given; null when there was none
 * @throws {AppError} `ai_failed` when the answer has neither text nor words nor segments
 */
export function normaliseWhisper(raw: unknown, durationMs: number, prompt: string | null = null): SpeechResult {
  const answer = readWhisper(raw)
  if (answer.text === null && answer.words.length === 0 && answer.segments.length === 0) {
    throw new AppError('ai_failed', 'The speech service gave an answer that is no transcript.')
  }
  const maxWords = Math.ceil((durationMs / 1000) * MAX_WORDS_PER_SECOND)
  const collected = dropLoneLines(dropMarks(collectWords(answer, durationMs)), { durationMs, prompt })
  const spoken = dropLoops(joinLoneSigns(collected)).slice(0, maxWords)
  const words = settleTimes(spoken, { startMs: 0, endMs: durationMs })
  // Over silence the language is a guess too, and guesses must not win the vote over the chunks.
  return { words, language: words.length === 0 ? null : answer.language }
}
