import type { HeardWord } from './heard-words.ts'

/** A stretch of speech between two pauses, with the fields of OpenAI's `verbose_json`. */
export interface TranscriptionSegment {
  id: number
  start: number
  end: number
  text: string
  avg_logprob: number
  no_speech_prob: number
}

/** OpenAI's `verbose_json`; `probability` on a word is the addition that other self-hosted servers make too. */
export interface Transcription {
  task: 'transcribe'
  language: 'en'
  duration: number
  text: string
  words: HeardWord[]
  segments: TranscriptionSegment[]
}

// Between the pause inside a phrase (0.2–0.4 s) and the one between sentences (from about 0.6 s).
const SEGMENT_PAUSE_S = 0.5
// A probability of 0 has no logarithm.
const LEAST_PROBABILITY = 1e-6

/** Puts what was heard into the answer's shape. */
export function makeTranscription(words: HeardWord[], durationS: number): Transcription {
  return {
    task: 'transcribe',
    language: 'en',
    duration: durationS,
    text: textOf(words),
    words,
    segments: splitAtPauses(words).map(makeSegment),
  }
}

function splitAtPauses(words: HeardWord[]): HeardWord[][] {
  const stretches: HeardWord[][] = []
  let last: HeardWord | undefined
  for (const word of words) {
    const stretch = stretches.at(-1)
    if (stretch && last && word.start - last.end < SEGMENT_PAUSE_S) stretch.push(word)
    else stretches.push([word])
    last = word
  }
  return stretches
}

function makeSegment(words: HeardWord[], id: number): TranscriptionSegment {
  const logs = words.map(({ probability }) => Math.log(Math.max(LEAST_PROBABILITY, probability)))
  return {
    id,
    start: words.at(0)?.start ?? 0,
    end: words.at(-1)?.end ?? 0,
    text: textOf(words),
    avg_logprob: logs.reduce((sum, log) => sum + log, 0) / words.length,
    no_speech_prob: 0,
  }
}

function textOf(words: HeardWord[]): string {
  return words.map(({ word }) => word).join(' ')
}
