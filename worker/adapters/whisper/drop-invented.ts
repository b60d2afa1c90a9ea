import type { SaidText, WhisperSegment } from './read-whisper.ts'

// Whisper's own thresholds (openai/whisper, transcribe.py): text over silence, and text that repeats itself.
const NO_SPEECH_PROB_MAX = 0.6
const AVG_LOGPROB_MIN = -1
const COMPRESSION_RATIO_MAX = 2.4

/** "[BLANK_AUDIO]", "(music)", "♪ … ♪": a name for what is not speech. */
const NOT_SPEECH = /^(?:\[[^\]]*\]|\([^)]*\)|[♪♫*].*[♪♫*])$/
/** So often in a row nobody says one word, or several. */
const LOOP_ONE_WORD = 6
const LOOP_PHRASE = 4
const LOOP_MAX_WORDS = 12
/** A part of which this share is a loop has nothing else in it worth keeping. */
const ALL_LOOP_SHARE = 0.8

/** What Whisper writes over silence and music: the closing lines of the subtitles that it learned from. */
const CLOSING_LINES = new Set([
  'you',
  'thank you',
  'thanks',
  'thanks for watching',
  'thank you for watching',
  'thank you so much for watching',
  'thank you very much',
  'please subscribe',
  'subtitles by the amaraorg community',
  'the end',
  'bye',
])
/** In a shorter part the line may well be all that was said. */
const CLOSING_LINE_MIN_MS = 8_000

/** Whether Whisper itself would throw this segment away. */
export function isInvented(segment: WhisperSegment): boolean {
  const isSilence = (segment.noSpeechProb ?? 0) > NO_SPEECH_PROB_MAX && (segment.avgLogprob ?? 0) < AVG_LOGPROB_MIN
  const isLoop = (segment.compressionRatio ?? 0) > COMPRESSION_RATIO_MAX
  return isSilence || isLoop || NOT_SPEECH.test(segment.text)
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

/** Drops a closing line that is all there is in a part, and marks that are no words. */
export function dropClosingLine<Word extends SaidText>(words: Word[], durationMs: number): Word[] {
  const spoken = words.filter((word) => !NOT_SPEECH.test(word.text))
  const line = spoken.map((word) => bareWord(word.text)).join(' ')
  return durationMs >= CLOSING_LINE_MIN_MS && CLOSING_LINES.has(line) ? [] : spoken
}
