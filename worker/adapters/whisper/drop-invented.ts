import { isClosingLine, isCredit, isEcho } from './closing-lines.ts'
import { isOnlyMarks, isSung } from './noise-marks.ts'
import type { SaidText, WhisperSegment } from './read-whisper.ts'

// Whisper's own thresholds (openai/whisper, transcribe.py): text over silence, and text that repeats itself.
const NO_SPEECH_PROB_MAX = 0.6
const AVG_LOGPROB_MIN = -1
const COMPRESSION_RATIO_MAX = 2.4

/** A person does not repeat one word, or several, so often in a row. */
const LOOP_ONE_WORD = 6
const LOOP_PHRASE = 4
/** The longest sentence that was seen in a loop, with some room. */
const LOOP_MAX_WORDS = 30
/** A part of which this share is a loop has nothing else in it worth keeping. */
const ALL_LOOP_SHARE = 0.8

/** In a shorter chunk the line may well be all that was said. */
const CLOSING_LINE_MIN_MS = 8_000

/**
 * Whether Whisper invented this segment: what Whisper itself would drop, the name of a noise, a closing line where it
 * detected no speech. Whisper is sure of its closing lines, so its confidence says nothing about those.
 */
export function isInvented({ text, noSpeechProb, avgLogprob, compressionRatio }: WhisperSegment): boolean {
  const isSilence = (noSpeechProb ?? 0) > NO_SPEECH_PROB_MAX
  if (isSilence && ((avgLogprob ?? 0) < AVG_LOGPROB_MIN || isClosingLine(text))) return true
  return (compressionRatio ?? 0) > COMPRESSION_RATIO_MAX || isOnlyMarks(text) || isSung(text) || isCredit(text)
}

function bareWord(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

function countRepeats(bare: string[], from: number, length: number): number {
  let repeats = 1
  for (let at = from + length; at + length <= bare.length; at += length) {
    for (let i = 0; i < length; i++) if (bare[from + i] !== bare[at + i]) return repeats
    repeats += 1
  }
  return repeats
}

function findLoop(bare: string[], from: number): { length: number; repeats: number } | null {
  for (let length = 1; length <= LOOP_MAX_WORDS; length++) {
    const repeats = countRepeats(bare, from, length)
    if (repeats >= (length === 1 ? LOOP_ONE_WORD : LOOP_PHRASE)) return { length, repeats }
  }
  return null
}

/** Keeps a phrase that repeats itself over and over once; drops everything when there is little else. */
export function dropLoops<Word extends SaidText>(words: Word[]): Word[] {
  const bare = words.map((word) => bareWord(word.text))
  const kept: Word[] = []
  let looped = 0
  for (let at = 0; at < words.length; ) {
    const loop = findLoop(bare, at)
    kept.push(...words.slice(at, at + (loop?.length ?? 1)))
    at += loop === null ? 1 : loop.length * loop.repeats
    looped += loop === null ? 0 : loop.length * loop.repeats
  }
  return looped > words.length * ALL_LOOP_SHARE ? [] : kept
}

/**
 * Drops what is all there is in a chunk and was not said: names of noises, closing lines, who made the subtitles, the
 * hint that the recogniser was given.
 */
export function dropLoneLines<Word extends SaidText>(
  words: Word[],
  chunk: { durationMs: number; prompt: string | null },
) {
  const text = words.map((word) => word.text).join(' ')
  const isLong = chunk.durationMs >= CLOSING_LINE_MIN_MS
  const isLine = isClosingLine(text) || isEcho(text, chunk.prompt ?? '')
  return isOnlyMarks(text) || isCredit(text) || (isLong && isLine) ? [] : words
}
