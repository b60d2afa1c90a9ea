import { STEP_RULES } from '#contract/limits.ts'
import { cleanText } from './extractive/name-step.ts'
import { isContentWord, stemWord } from './extractive/sentences.ts'
import { wordSet } from './extractive/word-lists.ts'

/** How a note speaks of teaching; the narration need not say these words. */
const ABOUT_TEACHING = wordSet(`learner learners trainee trainees student students beginner beginners trainer teacher
narrator speaker narration question questions asks asked often mistake mistakes error errors common forget forgets
confuse confuses confused mix skip skips warn warns warned warning caution note remind reminder stress emphasize
explain answer answers`)
/** Of the other words of a sentence, how many the narration has to say. */
const SUPPORTED_SHARE = 2 / 3
/** Words that turn a sentence into its opposite. */
const DENIES = /^(?:not|never|no|none|nothing|cannot|without|\p{L}+n['’]t)$/u
/** More of an answer is not a note. */
const MAX_READ_CHARS = 2_000

const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })

function splitNote(note: string): string[] {
  const read = Array.from(sentences.segment(cleanText(note.slice(0, MAX_READ_CHARS))), ({ segment }) => segment.trim())
  return note.length > MAX_READ_CHARS ? read.slice(0, -1) : read
}

function readWords(text: string): string[] {
  return [...words.segment(text.toLowerCase())].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []))
}

const isNumber = (word: string) => /^\p{N}/u.test(word)
const stemsOf = (of: readonly string[]) => of.filter(isContentWord).map(stemWord)
const isDenied = (of: readonly string[]) => of.some((word) => DENIES.test(word))

/**
 * Keeps of a note the sentences that the narration supports: most of their words are said, each of their numbers is,
 * and the sentence of the narration that they are closest to denies something where they do.
 * @param transcript the narration of the step
 * @param unsureStems stems of words that may not have been said; no sentence rests on them
 * @returns no more than a note may have; empty where nothing is supported
 */
export function groundNote(note: string, transcript: string, unsureStems: ReadonlySet<string> = new Set()): string {
  if (note === '') return ''
  const narration = splitSaid(transcript)
  const saidWords = new Set(narration.flatMap((sentence) => [...sentence.stems, ...sentence.words.filter(isNumber)]))
  const isSupported = (sentence: string) => {
    const own = readWords(sentence)
    const stems = stemsOf(own.filter((word) => !ABOUT_TEACHING.has(word)))
    if (stems.length === 0 || stems.some((stem) => unsureStems.has(stem))) return false
    if (own.some((word) => isNumber(word) && !saidWords.has(word))) return false
    if (stems.filter((stem) => saidWords.has(stem)).length < stems.length * SUPPORTED_SHARE) return false
    return isDenied(own) === isDenied(findClosest(narration, stems))
  }
  return joinNotes(splitNote(note).filter(isSupported))
}

function splitSaid(transcript: string) {
  return Array.from(sentences.segment(transcript), ({ segment }) => {
    const own = readWords(segment)
    return { words: own, stems: new Set(stemsOf(own)) }
  })
}

/** The words of the sentence that has most of the stems. */
function findClosest(narration: ReturnType<typeof splitSaid>, stems: readonly string[]): readonly string[] {
  let closest: readonly string[] = []
  let most = 0
  for (const sentence of narration) {
    const shared = stems.filter((stem) => sentence.stems.has(stem)).length
    if (shared > most) [closest, most] = [sentence.words, shared]
  }
  return closest
}

/** Joins notes, each once, as many whole ones as a note may hold. */
export function joinNotes(notes: readonly string[]): string {
  let joined = ''
  for (const note of new Set(notes)) {
    const longer = joined === '' ? note : `${joined} ${note}`
    if (longer.length <= STEP_RULES.notesMaxChars) joined = longer
  }
  return joined
}

/** Divides a note between two parts of its step, each with the sentences that its narration supports. */
export function divideNote(note: string, [before, after]: readonly [string, string]): [string, string] {
  const first = groundNote(note, before)
  const others = splitNote(note).filter((sentence) => !first.includes(sentence))
  return [first, groundNote(others.join(' '), after)]
}
