/** A word from the recogniser; times in seconds from the beginning of the audio, probability 0–1. */
interface RecognisedWord {
  word: string
  start: number
  end: number
  probability: number
}

// `-time yes` prints one line per word: text, begin and end in seconds, posterior probability.
const WORD_LINE = /^(\S+) (\d+\.\d{3}) (\d+\.\d{3}) (\d+\.\d{6})$/
// Silence, sentence marks and fillers: <s>, </s>, <sil>, [NOISE], [SPEECH], ++COUGH++.
const NOT_A_WORD = /^(?:<.*>|\[.*\]|\+\+.*\+\+)$/
const PRONUNCIATION_VARIANT = /\(\d+\)$/

/**
 * Reads what `pocketsphinx_continuous -time yes` prints. Lines of whole sentences are left out, and so is a last line
 * that was cut off because the recogniser was stopped while printing it.
 */
export function readRecognisedWords(output: string): RecognisedWord[] {
  const wholeLines = output.slice(0, output.lastIndexOf('\n') + 1).split('\n')
  return wholeLines.flatMap((line) => {
    const [, token = '', start = '', end = '', probability = ''] = WORD_LINE.exec(line) ?? []
    const word = token.replace(PRONUNCIATION_VARIANT, '')
    if (word === '' || NOT_A_WORD.test(word)) return []
    return [{ word, start: Number(start), end: Number(end), probability: Math.min(1, Number(probability)) }]
  })
}

/** Speech between two pauses. Without `avg_logprob`, which is a figure of Whisper's: words are rated one by one. */
interface TranscriptionSegment {
  id: number
  start: number
  end: number
  text: string
  no_speech_prob: number
}

/** OpenAI's `verbose_json`, as far as it is known; `probability` on a word is the addition that other self-hosted servers make too. */
export interface Transcription {
  task: 'transcribe'
  language: 'en'
  duration: number
  text: string
  words: RecognisedWord[]
  segments: TranscriptionSegment[]
}

// Between the pause inside a phrase (0.2–0.4 s) and the one between sentences (from about 0.6 s).
const SEGMENT_PAUSE_S = 0.5

export function makeTranscription(words: RecognisedWord[], durationS: number): Transcription {
  return {
    task: 'transcribe',
    language: 'en',
    duration: durationS,
    text: textOf(words),
    words,
    segments: splitAtPauses(words).map(makeSegment),
  }
}

function splitAtPauses(words: RecognisedWord[]): RecognisedWord[][] {
  const groups: RecognisedWord[][] = []
  let last: RecognisedWord | undefined
  for (const word of words) {
    const group = groups.at(-1)
    if (group && last && word.start - last.end < SEGMENT_PAUSE_S) group.push(word)
    else groups.push([word])
    last = word
  }
  return groups
}

function makeSegment(words: RecognisedWord[], id: number): TranscriptionSegment {
  return {
    id,
    start: words.at(0)?.start ?? 0,
    end: words.at(-1)?.end ?? 0,
    text: textOf(words),
    no_speech_prob: 0,
  }
}

function textOf(words: RecognisedWord[]): string {
  return words.map(({ word }) => word).join(' ')
}
