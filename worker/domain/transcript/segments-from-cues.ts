import { CAPTION_CUES_MAX, SEGMENT_MAX_CHARS } from '#contract/limits.ts'
import type { FormedSegment } from '#worker/db/schema.ts'
import { joinWords } from '#worker/ports/speech-to-text.ts'
import { refuseCueCount, refuseLongCue } from './caption-limits.ts'
import type { Cue } from './cue.ts'
import { endsSentence, SENTENCE_MAX_MS } from './form-segments.ts'
import { isSoundMark } from './sound-marks.ts'

/** Captions of which fewer end a sentence than this are not punctuated; joining them would be guessing. */
const PUNCTUATED_CUES_MIN = 0.2
/** A pause after which the next cue does not go on with the sentence. */
const CUE_PAUSE_MS = 1_500

/** A capital letter begins a sentence even where the point before it is missing; "I" is no sign of that. */
const NEW_SENTENCE = /^["'“‘(]*(?!I\b)\p{Lu}/u

function splitLongCue(cue: Cue): Cue[] {
  const lengthMs = cue.endMs - cue.startMs
  if (lengthMs <= SENTENCE_MAX_MS && cue.text.length <= SEGMENT_MAX_CHARS) return [cue]
  const sentences = cutAfterSentences(cue.text)
  const totalChars = sentences.reduce((sum, text) => sum + text.length, 0)
  let chars = 0
  const timeMs = () => cue.startMs + Math.round((lengthMs * chars) / totalChars)
  return sentences.map((text, at) => {
    const startMs = timeMs()
    chars += text.length
    const { isTurn = false, ...said } = cue
    return { ...said, startMs, endMs: timeMs(), text, ...(isTurn && at === 0 && { isTurn }) }
  })
}

function cutAfterSentences(text: string): string[] {
  const sentences: string[][] = [[]]
  for (const word of text.split(' ')) {
    sentences.at(-1)?.push(word)
    if (endsSentence(word)) sentences.push([])
  }
  return sentences.filter((words) => words.length > 0).map((words) => words.join(' '))
}

/** A name stands where its owner begins to speak, and may be left out while the sentence goes on. */
function isSameSpeaker(before: FormedSegment, { speaker, isTurn = false }: Cue): boolean {
  return speaker === undefined ? !isTurn : speaker === before.speaker
}

function goesOn(before: FormedSegment, next: Cue): boolean {
  return (
    isSameSpeaker(before, next) &&
    !isSoundMark(before.text) &&
    !isSoundMark(next.text) &&
    next.startMs - before.endMs < CUE_PAUSE_MS &&
    next.endMs - before.startMs <= SENTENCE_MAX_MS &&
    before.text.length + next.text.length < SEGMENT_MAX_CHARS &&
    !endsSentence(before.text) &&
    !NEW_SENTENCE.test(next.text)
  )
}

/** Two megabytes of one-letter sentences would be hundreds of thousands of pieces, so those beyond the limit are only counted. */
function splitLongCues(cues: Cue[]): Cue[] {
  const pieces: Cue[] = []
  let found = 0
  for (const cue of cues) {
    const ofCue = splitLongCue(cue)
    found += ofCue.length
    const long = ofCue.find(({ text }) => text.length > SEGMENT_MAX_CHARS)
    if (long !== undefined) throw refuseLongCue(long)
    if (found <= CAPTION_CUES_MAX) pieces.push(...ofCue)
  }
  if (found > CAPTION_CUES_MAX) throw refuseCueCount(found, 'sentences')
  return pieces
}

/**
 * Makes segments out of captions: cues that break a sentence are joined, up to 15 s; a longer cue with several
 * sentences is split, its time shared out by length. Captions without punctuation stay one segment per cue.
 * @throws {AppError} captions_invalid when the cues have too many sentences, or one that is too long
 */
export function segmentsFromCues(cues: Cue[]): FormedSegment[] {
  const pieces = splitLongCues(cues)
  const ends = pieces.filter((cue) => endsSentence(cue.text)).length
  const isPunctuatedFile = ends >= pieces.length * PUNCTUATED_CUES_MIN
  const segments: FormedSegment[] = []
  for (const cue of pieces) {
    const before = segments.at(-1)
    if (before === undefined || !isPunctuatedFile || !goesOn(before, cue)) {
      const { startMs, endMs, text, speaker } = cue
      segments.push({ startMs, endMs, text, ...(speaker !== undefined && { speaker }), confidence: null })
      continue
    }
    before.endMs = cue.endMs
    before.text = joinWords([before.text, cue.text])
  }
  return segments
}
