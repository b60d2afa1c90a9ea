// Behaviour: stored answers of a real Whisper in ten languages, through all that reads them.
import { describe, expect, it } from 'vitest'
import { characterErrorRate, wordErrorRate } from '#local/testing/word-error-rate.ts'
import { endsSentence, formSegments } from '#worker/domain/transcript/form-segments.ts'
import { rateTranscription } from '#worker/domain/transcript/rate-transcription.ts'
import { joinWords } from '#worker/ports/speech-to-text.ts'
import { normaliseWhisper } from '../normalise-whisper.ts'
import { type StoredAnswer, toWorkersAi } from '../testing/workers-ai-answer.ts'

// Written by `npm run generate:answers` with voices of a computer. Whisper base understands some of them hardly at all, and
// writes what it writes for people: words in the script of the language, their parts, and signs.
const STORED = import.meta.glob('../testing/real-answers/*.json', { eager: true, import: 'default' }) as Record<
  string,
  { said: string; answer: StoredAnswer }
>

/** What was seen in each. */
interface Seen {
  /** The share of words that Whisper got wrong, in Chinese of characters. */
  errorRate: number
  /** What ends a sentence in it; a full stop everywhere where none is named. */
  sentenceEnd?: string
  /** Segments that end inside a sentence, because it has more than fifteen seconds or no end. */
  cuts?: number
}

const SEEN: Record<string, Seen> = {
  ar: { errorRate: 0.97, sentenceEnd: '؟' },
  cs: { errorRate: 0.38, cuts: 1 },
  de: { errorRate: 0.1 },
  en: { errorRate: 0.03 },
  es: { errorRate: 0.22 },
  fr: { errorRate: 0.1 },
  hi: { errorRate: 1.11, sentenceEnd: '।', cuts: 1 },
  it: { errorRate: 0.2 },
  pl: { errorRate: 0.55 },
  pt: { errorRate: 0.81 },
  ru: { errorRate: 0.14, cuts: 1 },
  tr: { errorRate: 0.75 },
  // In characters of Taiwan, for sentences in those of Beijing.
  zh: { errorRate: 0.87, sentenceEnd: '。' },
}

/** With more of its words wrong than this, an answer is no base for steps. */
const REFUSED_FROM = 0.6

const SHAPES: Record<string, (answer: StoredAnswer) => unknown> = {
  'verbose_json of faster-whisper': (answer) => answer,
  'the shape that Workers AI documents': toWorkersAi,
}

function findStored(code: string) {
  const stored = STORED[`../testing/real-answers/${code}.json`]
  if (stored === undefined) throw new Error(`There is no answer in ${code}.`)
  return stored
}

/**
 * The text of the answer's segments with single blanks. French has one before signs, which belong to the word before them;
 * Chinese has one after commas where Whisper writes those of other scripts.
 */
function textOf(code: string, { segments }: StoredAnswer): string {
  const text = segments.map((segment) => segment.text).join('')
  if (code === 'zh') return text.replace(/\s+/g, '')
  return text
    .replace(/\s+/g, ' ')
    .replace(/ (?=[?!:;])/g, '')
    .trim()
}

it('has what Whisper made of each stored answer', () => {
  expect(Object.keys(STORED).map((path) => path.replace(/^.*\/|\.json$/g, ''))).toEqual(Object.keys(SEEN).toSorted())
})

const CASES = Object.entries(SEEN).flatMap(([code, seen]) =>
  Object.keys(SHAPES).map((shape) => ({ code, shape, ...seen })),
)

describe.each(CASES)('an answer in $code, in $shape', ({ code, shape, errorRate, sentenceEnd = '.', cuts = 0 }) => {
  const { said, answer } = findStored(code)
  const durationMs = answer.duration * 1000
  const result = normaliseWhisper(SHAPES[shape]?.(answer), durationMs)
  const text = joinWords(result.words.map((word) => word.text))

  it('is taken for its language', () => {
    expect(result.language).toBe(code)
  })

  it('loses, tears and glues no word', () => {
    expect(text).toBe(textOf(code, answer))
  })

  it('has times that ascend inside the audio', () => {
    result.words.forEach(({ startMs, endMs }, at) => {
      expect(startMs).toBeGreaterThanOrEqual(result.words[at - 1]?.endMs ?? 0)
      expect(endMs).toBeGreaterThanOrEqual(startMs)
      expect(endMs).toBeLessThanOrEqual(durationMs)
    })
  })

  it('makes segments that end where sentences do', () => {
    const segments = formSegments(result.words).map((segment) => segment.text)
    expect(joinWords(segments)).toBe(text)
    const ends = result.words.filter((word) => endsSentence(word.text))
    expect(segments.filter(endsSentence)).toHaveLength(ends.length)
    expect(segments).toHaveLength(ends.length + cuts)
    expect(segments.some((segment) => segment.endsWith(sentenceEnd))).toBe(true)
  })

  it('is what was said, but for what Whisper did not understand', () => {
    const measure = code === 'zh' ? characterErrorRate : wordErrorRate
    expect(measure(said, text)).toBeLessThanOrEqual(errorRate)
  })

  it('is refused where most of it was not understood', () => {
    const confidenceSum = result.words.reduce((sum, { confidence }) => sum + (confidence ?? 1), 0)
    const sums = { transcribedMs: durationMs, wordCount: result.words.length, confidenceSum }
    const rating = rateTranscription(sums)
    expect(rating).toBe(errorRate < REFUSED_FROM ? 'understood' : 'not_understood')
  })
})
