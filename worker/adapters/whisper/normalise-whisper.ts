import { AppError } from '#worker/core/errors.ts'
import {
  type SpeechResult,
  UNSPACED,
  UNSPACED_BORDER,
  UNSPACED_END,
  UNSPACED_START,
} from '#worker/ports/speech-to-text.ts'
import { dropLoneLines, dropLoops, dropMarks, isInvented, repeatsItself } from './invented-text.ts'
import { rateWord } from './rate-words.ts'
import {
  readWhisper,
  type SaidText,
  type SaidWord,
  type Settled,
  settleTimes,
  type WhisperAnswer,
  type WhisperSegment,
} from './read-whisper.ts'

/** Between blanks, and between characters of scripts that are written without, with the signs that belong to them. */
const WORD_BORDER = new RegExp(`\\s+|${UNSPACED_BORDER.source}`, 'u')
/** Speech has fewer words in a second, so further ones are dropped. */
const MAX_WORDS_PER_SECOND = 12

type PlacedSegment = Settled<WhisperSegment>

function splitText(segment: SaidText): SaidText[] {
  return segment.text
    .split(WORD_BORDER)
    .filter((text) => text !== '')
    .map((text) => ({ text, startMs: null, endMs: null, confidence: segment.confidence }))
}

/** Contains the words: a segment, or the answer where it has no segments. */
type Frame = { text: string | null } | undefined

/** Whether two words are one in the text around them, in a script that has no blanks by which that could be known. */
function isOneWord(before: string, after: string, frame: Frame): boolean {
  const text = frame?.text ?? ''
  return UNSPACED.test(text) && text.includes(before + after)
}

/** Joins each word that continues the one before it, in segments whose words begin with blanks. */
function joinContinued(words: SaidWord[], segmentOf: (word: SaidWord) => Frame): SaidText[] {
  const spaced = new Set(words.filter(({ beginsWithBlank }) => beginsWithBlank).map(segmentOf))
  const joined: SaidText[] = []
  words.forEach((word, index) => {
    const { beginsWithBlank, ...plainWord } = word
    const before = joined.at(-1)
    const neighbour = words[index - 1]
    const segment = segmentOf(word)
    const isFirst = before === undefined || neighbour === undefined || segmentOf(neighbour) !== segment
    const isUnspaced = UNSPACED_END.test(before?.text ?? '') || UNSPACED_START.test(plainWord.text)
    const isNext = !isFirst && !beginsWithBlank && !isUnspaced
    if (isNext && (spaced.has(segment) || isOneWord(before.text, plainWord.text, segment)))
      joined[joined.length - 1] = joinSaid(before, plainWord)
    else joined.push(plainWord)
  })
  return joined
}

function joinSaid(before: SaidText, after: SaidText): SaidText {
  const [fore, aft] = [before.text.length, after.text.length]
  const confidence =
    before.confidence === null || after.confidence === null
      ? (before.confidence ?? after.confidence)
      : (before.confidence * fore + after.confidence * aft) / (fore + aft)
  return { text: before.text + after.text, startMs: before.startMs, endMs: after.endMs ?? before.endMs, confidence }
}

function wordsOfSegment(segment: PlacedSegment): SaidText[] {
  const stated = joinContinued(
    segment.words.filter((word) => word.text !== ''),
    () => segment,
  )
  const words = stated.length > 0 ? stated : splitText(segment)
  const ratedWords = words.map((word) => ({ ...word, confidence: rateWord(word.confidence, segment.confidence) }))
  return words.some((word) => word.startMs !== null) ? ratedWords : settleTimes(ratedWords, segment)
}

/** Words that are listed apart from the segments belong to the segment around their middle. */
function wordsBeside(words: SaidWord[], segments: PlacedSegment[]): SaidText[] {
  const findAround = (word: SaidText) => {
    const middleMs = word.startMs === null ? null : (word.startMs + (word.endMs ?? word.startMs)) / 2
    return segments.filter((each) => middleMs !== null && each.startMs <= middleMs && middleMs <= each.endMs)
  }
  return joinContinued(words, (word) => findAround(word)[0]).flatMap((word) => {
    const around = findAround(word)
    const realSegment = around.find((segment) => !isInvented(segment))
    if (around.length > 0 && realSegment === undefined) return []
    return [{ ...word, confidence: rateWord(word.confidence, realSegment?.confidence ?? null) }]
  })
}

function collectWords(answer: WhisperAnswer, durationMs: number): SaidText[] {
  const segments = settleTimes(answer.segments, { startMs: 0, endMs: durationMs })
  const words = answer.words.filter((word) => word.text !== '')
  if (words.some((word) => word.startMs !== null)) return wordsBeside(words, segments)
  const segmentsWithText = segments.filter((segment) => segment.text !== '' || segment.words.length > 0)
  if (segmentsWithText.length > 0)
    return segmentsWithText.filter((segment) => !isInvented(segment)).flatMap(wordsOfSegment)
  if (words.length > 0) return joinContinued(words, () => answer)
  return splitText({ text: answer.text ?? '', startMs: null, endMs: null, confidence: null })
}

/** Signs that end a sentence or a part of it, in the scripts that Whisper writes. */
const LONE_SIGNS = /^[.,!?…;:。！？、，；：।॥؟،؛۔]+$/
/** "80 %", "2 + 2 = 4": signs that are read out. */
const SAID_SIGNS = /^(?:[%‰٪&+=×÷°§#@]|\p{Sc})+$/u

/** A sign that stands alone belongs to the word before it, unless it is read out; any other, and one after nothing, says nothing. */
function joinLoneSigns(words: SaidText[]): SaidText[] {
  const joined: SaidText[] = []
  for (const word of words) {
    const before = joined.at(-1)
    const isSaid = /[\p{L}\p{N}]/u.test(word.text) || (before !== undefined && SAID_SIGNS.test(word.text))
    if (isSaid) joined.push({ ...word })
    else if (before !== undefined && LONE_SIGNS.test(word.text)) before.text += word.text
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
  const collected = joinLoneSigns(dropLoneLines(dropMarks(collectWords(answer, durationMs)), { durationMs, prompt }))
  const spoken = dropLoops(collected)
  const words = settleTimes(spoken.slice(0, maxWords), { startMs: 0, endMs: durationMs })
  const given = [...answer.words, ...answer.segments.flatMap((segment) => segment.words)]
  const isLooped = spoken.length < collected.length || answer.segments.some(repeatsItself)
  return {
    words,
    // Over silence the language is a guess too, and guesses must not win the vote over the chunks.
    language: words.length === 0 ? null : answer.language,
    ...(isLooped ? { isLooped } : {}),
    ...(words.length > 0 && given.length > 0
      ? { hasBlanks: given.some(({ beginsWithBlank }) => beginsWithBlank) }
      : {}),
  }
}
