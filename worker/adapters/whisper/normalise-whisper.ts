import { trimEndOf } from '#worker/domain/step/extractive/sentences.ts'
import { AppError } from '#worker/errors.ts'
import type { SpeechResult } from '#worker/ports/speech-to-text.ts'
import {
  readWhisper,
  type SaidText,
  type Settled,
  settleTimes,
  type WhisperAnswer,
  type WhisperSegment,
} from './read-whisper.ts'

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

/** What Whisper writes over silence and music: the closing lines of the subtitles that it learned from. */
const CLOSING_LINES = [
  'you',
  'thanks',
  'thank you',
  'thank you so much',
  'thank you very much',
  'thanks for watching',
  'thank you for watching',
  'thank you so much for watching',
  'thank you for watching this video',
  'thank you for your attention',
  'please subscribe',
  'please subscribe to my channel',
  'please like and subscribe',
  'like and subscribe',
  'dont forget to like and subscribe',
  'see you next time',
  'see you in the next video',
  'ill see you in the next video',
  'the end',
  'bye',
  'vielen dank',
  'vielen dank fürs zuschauen',
  'bis zum nächsten mal',
  'merci',
  'merci davoir regardé cette vidéo',
  'gracias',
  'gracias por ver el video',
  'obrigado',
  'obrigado por assistir',
  'grazie per la visione',
  'dziękuję za oglądanie',
  'продолжение следует',
  'спасибо за просмотр',
  'ご視聴ありがとうございました',
  'ありがとうございました',
  '시청해주셔서 감사합니다',
  '谢谢观看',
  '謝謝觀看',
  '请不吝点赞订阅转发打赏支持明镜与点点栏目',
]

/** How a line begins that names who made the subtitles, and who that is said to be. */
const CREDIT_BEGINS =
  /^\W*(?:(?:subtitles|captions|captioned|transcribed|transcription|translated)(?: (?:made|provided|edited))? by|untertitel(?:ung)?|sous-titr(?:es|age)|subt[ií]tulos|legendas|sottotitoli|napisy|ondertitel(?:s|ing)|субтитры|редактор субтитров|字幕)/iu
const CREDIT_NAMES =
  /(?<!\p{L})(?:amara\.?org|castingwords|otter\.ai|zdf|swr|wdr|srf|funk|radio-canada|dimatorzok|семкин|tv gelderland)(?!\p{L})|amara\.org/iu

/** Text as it is compared: without case, blanks and punctuation, since some scripts are split at every character. */
function bareText(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

const ONLY_CLOSING_LINES = new RegExp(`^(?:${CLOSING_LINES.map(bareText).join('|')})+$`, 'u')

/** Whether a text is a line that ends a video, or several of them, and nothing else. */
function isClosingLine(text: string): boolean {
  return ONLY_CLOSING_LINES.test(bareText(text))
}

/** Whether a text names who made the subtitles, which no narration does. */
function isCredit(text: string): boolean {
  return CREDIT_BEGINS.test(text) && CREDIT_NAMES.test(text)
}

/** Over silence a recogniser reads out the hint that it was given; a word or two of it may well have been said. */
const ECHO_MIN_SHARE = 0.5

/** Whether a text is nothing but a good piece of the hint. */
function isEcho(text: string, prompt: string): boolean {
  const [said, hint] = [bareText(text), bareText(prompt)]
  return said !== '' && said.length >= hint.length * ECHO_MIN_SHARE && hint.includes(said)
}

/** "[BLANK_AUDIO]", "(upbeat music)", "*sighs*" name what is not speech; between two notes stands what is sung. */
const MARKS =
  /\[[^[\]]*\]|\([^()]*\)|（[^（）]*）|【[^【】]*】|\*[^*]*\*|[♪♫🎵🎶](?:[\s.,!?-]*[^\s.,!?♪♫🎵🎶-][^♪♫🎵🎶]*[♪♫🎵🎶])?/gu
/** What opens a mark, and which signs behind the last letter of a word end it. */
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
  /music|applau|laugh|chuckl|silence|noise|inaudible|unintelligible|blank|audio|speaking|foreign|beep|typing|clicking|breath|sigh|cough|ding|chime|musik|musique|música|musica|音楽|音乐|음악|музыка|拍手/iu

/** Whether a text is only the names of noises, or only sung. */
export function isOnlyMarks(text: string): boolean {
  const rest = text.replace(MARKS, '')
  return rest !== text && /^[\s.,!?-]*$/.test(rest)
}

/** Whether a segment is sung; a song over several segments has its closing mark in a later one. */
function isSung(text: string): boolean {
  return /^[♪♫🎵🎶]/u.test(text)
}

/** Where the mark ends that begins with a word; null where none does. */
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
function dropMarks<Word extends SaidText>(words: Word[]): Word[] {
  const kept: Word[] = []
  for (let at = 0; at < words.length; at++) {
    const end = findEnd(words, at)
    const mark = words.slice(at, (end ?? at) + 1)
    const text = mark.map((word) => word.text).join(' ')
    if (end !== null && (!/^[(（]/u.test(text) || NOISES.test(text))) at = end
    else if (!/^\*\p{L}+\*\W*$/u.test(text)) kept.push(...mark.slice(0, 1))
  }
  return kept
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
/** A part of which this share is a loop has nothing else in it worth keeping. */
const ALL_LOOP_SHARE = 0.8

/** In a shorter chunk the line may well be all that was said. */
const CLOSING_LINE_MIN_MS = 8_000

/**
 * Whether Whisper invented this segment: what Whisper itself would drop, the name of a noise, a closing line where it
 * detected no speech. Whisper is sure of its closing lines, so its confidence says nothing about those.
 */
function isInvented({ text, noSpeechProb, avgLogprob, compressionRatio }: WhisperSegment): boolean {
  const isSilence = (noSpeechProb ?? 0) > NO_SPEECH_PROB_MAX
  if (isSilence && ((avgLogprob ?? 0) < AVG_LOGPROB_MIN || isClosingLine(text))) return true
  return (compressionRatio ?? 0) > COMPRESSION_RATIO_MAX || isOnlyMarks(text) || isSung(text) || isCredit(text)
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
function dropLoops<Word extends SaidText>(words: Word[]): Word[] {
  const bare = words.map((word) => bareText(word.text))
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
function dropLoneLines<Word extends SaidText>(words: Word[], chunk: { durationMs: number; prompt: string | null }) {
  const text = words.map((word) => word.text).join(' ')
  const isLong = chunk.durationMs >= CLOSING_LINE_MIN_MS
  const isLine = isClosingLine(text) || isEcho(text, chunk.prompt ?? '')
  return isOnlyMarks(text) || isCredit(text) || (isLong && isLine) ? [] : words
}
