import { trimEndOf } from '#worker/domain/trim-end.ts'
import { joinWords } from '#worker/ports/speech-to-text.ts'
import { bareText, isClosingLine, isCredit } from './closing-lines.ts'
import type { SaidText, WhisperSegment } from './read-whisper.ts'

/** Over silence a recogniser reads out the hint that it was given; a word or two of it may well have been said. */
const ECHO_MIN_SHARE = 0.5

/** Whether a text is nothing but a good piece of the hint. */
function isEcho(text: string, prompt: string): boolean {
  const [bare, hint] = [bareText(text), bareText(prompt)]
  return bare !== '' && bare.length >= hint.length * ECHO_MIN_SHARE && hint.includes(bare)
}

/** "[BLANK_AUDIO]", "(upbeat music)", "*sighs*" name what is not speech; between two notes stands what is sung. */
const MARKS =
  /\[[^[\]]*\]|\([^()]*\)|（[^（）]*）|【[^【】]*】|\*[^*]*\*|[♪♫🎵🎶](?:[\s.,!?-]*[^\s.,!?♪♫🎵🎶-][^♪♫🎵🎶]*[♪♫🎵🎶])?/gu
/** Signs that open a mark, each with the signs after the last letter of a word that close it. */
const ENDS: Record<string, string> = {
  '[': ']',
  '【': '】',
  '(': ')',
  '（': '）',
  '♪': '♪♫',
  '♫': '♪♫',
  '🎵': '🎵🎶',
  '🎶': '🎵🎶',
}
/** A verse; the name of a noise is shorter. */
const MARK_MAX_WORDS = 30
/** In a transcript, round brackets may hold speech: only these words make them the name of a noise. */
const NOISES =
  /music|applau|laugh|chuckl|silence|noise|inaudible|unintelligible|blank|audio|speaking|foreign|beep|typing|clicking|breath|sigh|cough|ding|chime|musik|musique|música|musica|muzyka|müzik|موسيقى|संगीत|音楽|音乐|음악|музыка|拍手|掌声/iu

/** Whether a text is only the names of noises, or only sung. */
export function isOnlyMarks(text: string): boolean {
  const rest = text.replace(MARKS, '')
  return rest !== text && /^[\s.,!?-]*$/.test(rest)
}

/** Whether a segment is sung; a song over several segments has its closing mark in a later one. */
function isSung(text: string): boolean {
  return /^[♪♫🎵🎶]/u.test(text)
}

/** Finds the end of the mark that begins with a word; null where none begins. */
function findEnd(words: readonly SaidText[], from: number): number | null {
  const first = words[from]?.text ?? ''
  const [open = ''] = first
  const ends = ENDS[open]
  if (ends === undefined) return null
  const begin = first === open ? from + 1 : from
  const end = words.slice(begin, from + MARK_MAX_WORDS).findIndex(({ text }) => {
    const tail = text.slice(trimEndOf(text, /[^\p{L}\p{N}]/u).length)
    return Array.from(ends).some((sign) => tail.includes(sign))
  })
  return end === -1 ? null : begin + end
}

/** Drops the names of noises from between words that were said; they may be one word or several. */
export function dropMarks<Word extends SaidText>(words: Word[]): Word[] {
  const keptWords: Word[] = []
  for (let index = 0; index < words.length; index++) {
    const end = findEnd(words, index)
    const mark = words.slice(index, (end ?? index) + 1)
    const text = joinWords(mark.map((word) => word.text))
    if (end !== null && (!/^[(（]/u.test(text) || NOISES.test(text))) index = end
    else if (!/^\*\p{L}+\*\W*$/u.test(text)) keptWords.push(...mark.slice(0, 1))
  }
  return keptWords
}

// Whisper's own thresholds (openai/whisper, transcribe.py): text over silence, and text that repeats itself.
const NO_SPEECH_PROB_MAX = 0.6
const AVG_LOGPROB_MIN = -1
const COMPRESSION_RATIO_MAX = 2.4

/** A person does not repeat one word, or several, so often in a row. */
const LOOP_ONE_WORD = 6
const LOOP_PHRASE = 4
/** The longest sentence that was seen in a loop, with some room. */
const LOOP_MAX_WORDS = 30
/** Where a larger share of a part is a loop, the whole part is dropped. */
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
  if ((compressionRatio ?? 0) > COMPRESSION_RATIO_MAX && (isSilence || !hasMoreThanLoop(text))) return true
  return isOnlyMarks(text) || isSung(text) || isCredit(text)
}

/** Whether a segment's text is compressed so well that it says the same over and over, and not over silence. */
export function repeatsItself({ compressionRatio, noSpeechProb }: WhisperSegment): boolean {
  return (compressionRatio ?? 0) > COMPRESSION_RATIO_MAX && (noSpeechProb ?? 0) <= NO_SPEECH_PROB_MAX
}

/** Whether a text contains a loop and has words left without it. */
function hasMoreThanLoop(text: string): boolean {
  const words = text.split(' ').map((word) => ({ text: word }))
  const keptWords = dropLoops(words)
  return keptWords.length > 0 && keptWords.length < words.length
}

function countRepeats(bare: string[], from: number, length: number): number {
  let repeats = 1
  for (let index = from + length; index + length <= bare.length; index += length) {
    for (let i = 0; i < length; i++) if (bare[from + i] !== bare[index + i]) return repeats
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
export function dropLoops<Word extends Pick<SaidText, 'text'>>(words: Word[]): Word[] {
  const bare = words.map((word) => bareText(word.text))
  const keptWords: Word[] = []
  let looped = 0
  for (let index = 0; index < words.length; ) {
    const loop = findLoop(bare, index)
    keptWords.push(...words.slice(index, index + (loop?.length ?? 1)))
    index += loop === null ? 1 : loop.length * loop.repeats
    looped += loop === null ? 0 : loop.length * loop.repeats
  }
  return looped > words.length * ALL_LOOP_SHARE ? [] : keptWords
}

/**
 * Drops what is all there is in a chunk and was not said: names of noises, closing lines, who made the subtitles, the
 * hint that the recogniser was given.
 */
export function dropLoneLines<Word extends SaidText>(
  words: Word[],
  chunk: { durationMs: number; prompt: string | null },
) {
  const text = joinWords(words.map((word) => word.text))
  const isLong = chunk.durationMs >= CLOSING_LINE_MIN_MS
  const isLine = isClosingLine(text) || isEcho(text, chunk.prompt ?? '')
  return isOnlyMarks(text) || isCredit(text) || (isLong && isLine) ? [] : words
}
