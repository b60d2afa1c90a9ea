import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeWords, type TranscribedChunk } from './merge-words.ts'

const VOCABULARY = ['click', 'the', 'File', 'menu', 'then', 'press', 'save,', 'it.']
const JITTER_MS = 80
/** Equal words nearer than this are one word transcribed twice, by the rule under test. */
const REPEAT_MIN_MS = 1_200

interface Spoken {
  text: string
  startMs: number
  endMs: number
}

const speech = fc
  .array(
    fc.record({
      text: fc.nat(VOCABULARY.length - 1),
      lengthMs: fc.integer({ min: 160, max: 600 }),
      pauseMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_200 })),
    }),
    { maxLength: 150 },
  )
  .map((draws) => {
    const words: Spoken[] = []
    let atMs = 0
    for (const draw of draws) {
      const startMs = atMs + draw.pauseMs
      const before = words.at(-1)
      const text = VOCABULARY[draw.text] as string
      const repeats = before?.text === text && startMs - before.startMs < REPEAT_MIN_MS
      words.push({ text: repeats ? 'different' : text, startMs, endMs: startMs + draw.lengthMs })
      if (repeats && before.text === 'different') words.pop()
      atMs = startMs + draw.lengthMs
    }
    return words
  })

const cutting = fc.record({
  lengthsMs: fc.array(fc.integer({ min: 1_000, max: 20_000 }), { minLength: 1, maxLength: 40 }),
  leadMs: fc.integer({ min: 1_000, max: 3_000 }),
  trailMs: fc.integer({ min: 0, max: 3_000 }),
  jitter: fc.infiniteStream(fc.integer({ min: -JITTER_MS, max: JITTER_MS })),
  order: fc.infiniteStream(fc.nat()),
})

function transcribeCut(
  words: Spoken[],
  cut: { startMs: number; endMs: number; leadMs: number; trailMs: number },
  jitter: () => number,
) {
  const audioStartMs = Math.max(0, cut.startMs - cut.leadMs)
  const audioEndMs = cut.endMs + cut.trailMs
  const inChunk = (ms: number) => Math.min(Math.max(ms + jitter(), audioStartMs), audioEndMs) - audioStartMs
  return words
    .filter((word) => word.startMs >= audioStartMs && word.endMs <= audioEndMs)
    .map(({ text, startMs, endMs }) => ({ text, startMs: inChunk(startMs), endMs: inChunk(endMs), confidence: null }))
    .map((word) => ({ ...word, endMs: Math.max(word.startMs, word.endMs) }))
}

interface Plan {
  lengthsMs: number[]
  leadMs: number
  trailMs: number
  jitter: IterableIterator<number>
  order: IterableIterator<number>
}

function cutUp(words: Spoken[], plan: Plan): TranscribedChunk[] {
  const totalMs = (words.at(-1)?.endMs ?? 0) + 500
  const chunks: TranscribedChunk[] = []
  let startMs = 0
  const jitter = () => plan.jitter.next().value as number
  for (let i = 0; startMs < totalMs; i++) {
    const lengthMs = plan.lengthsMs[i % plan.lengthsMs.length] as number
    const endMs = Math.min(totalMs, startMs + lengthMs)
    const transcribed = transcribeCut(words, { startMs, endMs, leadMs: plan.leadMs, trailMs: plan.trailMs }, jitter)
    chunks.push({ audioStartMs: Math.max(0, startMs - plan.leadMs), startMs, endMs, words: transcribed })
    startMs = endMs
  }
  const keys = chunks.map(() => plan.order.next().value as number)
  return chunks
    .map((chunk, i) => ({ chunk, key: keys[i] as number }))
    .sort((a, b) => a.key - b.key)
    .map(({ chunk }) => chunk)
}

function chunk(audioStartMs: number, spanMs: [number, number], words: [string, number, number][]): TranscribedChunk {
  return {
    audioStartMs,
    startMs: spanMs[0],
    endMs: spanMs[1],
    words: words.map(([text, startMs, endMs]) => ({ text, startMs, endMs, confidence: 0.8 })),
  }
}

function textOf(chunks: TranscribedChunk[]): string {
  return mergeWords(chunks)
    .map((word) => word.text)
    .join(' ')
}

describe('mergeWords', () => {
  it('loses no word and doubles none, however the audio is cut', () => {
    fc.assert(
      fc.property(speech, cutting, (words, plan) => {
        const merged = mergeWords(cutUp(words, plan))
        expect(merged.map((word) => word.text)).toEqual(words.map((word) => word.text))
        merged.forEach((word, i) => {
          expect(Math.abs(word.startMs - (words[i]?.startMs ?? 0))).toBeLessThanOrEqual(JITTER_MS)
          expect(word.endMs).toBeGreaterThanOrEqual(word.startMs)
          expect(word.startMs).toBeGreaterThanOrEqual(merged[i - 1]?.endMs ?? 0)
        })
      }),
      { numRuns: 300 },
    )
  })

  it('gives times in the video', () => {
    expect(mergeWords([chunk(58_000, [60_000, 90_000], [['click', 2_500, 2_900]])])).toEqual([
      { text: 'click', startMs: 60_500, endMs: 60_900, confidence: 0.8 },
    ])
  })

  it('keeps one copy of a word that both chunks have, whatever its case and punctuation', () => {
    const left = chunk(
      0,
      [0, 10_000],
      [
        ['Open', 9_000, 9_300],
        ['file.', 9_500, 9_950],
      ],
    )
    const right = chunk(
      8_000,
      [10_000, 20_000],
      [
        ['open', 1_050, 1_300],
        ['File', 1_600, 2_050],
        ['menu', 2_100, 2_500],
      ],
    )
    expect(textOf([right, left])).toMatch(/^open file\.? menu$/i)
  })

  it('takes the whole word where the other chunk has it cut in half', () => {
    const left = chunk(
      0,
      [0, 10_000],
      [
        ['new', 9_000, 9_400],
        ['pro', 9_500, 10_000],
      ],
    )
    const right = chunk(
      8_000,
      [10_000, 20_000],
      [
        ['new', 1_000, 1_400],
        ['project', 1_500, 2_200],
        ['now', 2_300, 2_600],
      ],
    )
    expect(textOf([left, right])).toBe('new project now')
  })

  it('keeps a word that only one chunk has, on either side of the boundary', () => {
    const left = chunk(0, [0, 10_000], [['press', 8_500, 8_900]])
    const right = chunk(
      8_000,
      [10_000, 20_000],
      [
        ['control', 1_200, 1_700],
        ['s', 1_750, 1_950],
      ],
    )
    expect(textOf([left, right])).toBe('press control s')
    expect(textOf([chunk(0, [0, 10_000], []), right])).toBe('control s')
  })

  it('joins a chunk that lies inside the one before, and the same chunk given twice', () => {
    const long = chunk(
      0,
      [0, 10_000],
      [
        ['one', 7_200, 7_600],
        ['two', 9_300, 9_800],
      ],
    )
    const short = chunk(
      7_000,
      [10_000, 10_100],
      [
        ['one', 250, 640],
        ['two', 2_310, 2_800],
      ],
    )
    expect(textOf([long, short, short])).toBe('one two')
  })

  it('leaves out what lies before the first span and after the last', () => {
    const words: [string, number, number][] = [
      ['before', 500, 900],
      ['in', 3_000, 3_300],
      ['after', 13_000, 13_400],
    ]
    expect(textOf([chunk(8_000, [10_000, 20_000], words)])).toBe('in')
  })

  it('falls back to the boundary between spans when an overlap cannot be real', () => {
    const many = Array.from({ length: 1_000 }, (_, i): [string, number, number] => [`w${i}`, i * 10, i * 10 + 10])
    const merged = mergeWords([chunk(0, [0, 5_000], many), chunk(0, [5_000, 10_000], many)])
    expect(merged).toHaveLength(1_000)
  })
})

/** What Whisper answered around a cut, with times from the cut on: words, starts and ends in seconds, probabilities. */
type Answered = [text: string, startS: number, endS: number, probability: number][]

function mergeAnswers(left: Answered, right: Answered): string {
  const cutMs = 60_000
  const chunkAt = (audioStartMs: number, [startMs, endMs]: [number, number], answered: Answered): TranscribedChunk => ({
    audioStartMs,
    startMs,
    endMs,
    words: answered.map(([text, startS, endS, confidence]) => {
      return {
        text,
        startMs: cutMs + startS * 1_000 - audioStartMs,
        endMs: cutMs + endS * 1_000 - audioStartMs,
        confidence,
      }
    }),
  })
  return textOf([chunkAt(36_000, [36_000, cutMs], left), chunkAt(cutMs - 1_000, [cutMs, 84_000], right)])
}

describe('mergeWords, what Whisper writes at a cut', () => {
  it.each<[string, Answered, Answered, string]>([
    [
      'makes of half a word at the end',
      [
        ['quality', 0.2, 0.6, 0.98],
        ['of', 0.6, 0.9, 1],
        ['micro...', 0.9, 1, 0.46],
      ],
      [
        ['quality', 0.1, 0.6, 0.93],
        ['of', 0.6, 0.9, 1],
        ["Microsoft's", 0.9, 1.9, 0.99],
      ],
      "quality of Microsoft's",
    ],
    [
      'ends a sentence with that goes on',
      [
        ['commands', -0.7, -0.1, 0.74],
        ['in', -0.1, 0.9, 0.61],
        ['him?', 0.9, 1, 0.11],
      ],
      [
        ['commands.', -0.7, -0.4, 0.57],
        ['In', 0.8, 0.9, 0.96],
        ['simplest', 0.9, 1.3, 0.97],
        ['terms,', 1.3, 1.9, 0.99],
      ],
      'commands In simplest terms,',
    ],
    [
      'begins with, where it does not know what came before',
      [
        ['allows', -1.2, -0.9, 1],
        ['you', -0.9, -0.8, 1],
        ['to', -0.8, -0.6, 1],
        ['quickly', -0.6, -0.3, 1],
      ],
      [
        ['As', -1, -0.9, 0.1],
        ['you', -0.9, -0.8, 0.98],
        ['to', -0.8, -0.6, 0.79],
        ['quickly', -0.6, -0.3, 0.99],
        ['inspect', -0.3, 0.1, 1],
      ],
      'allows you to quickly inspect',
    ],
    [
      'repeats because its times differ',
      [
        ['shell,', -0.7, 0, 0.87],
        ['there', 0.4, 0.5, 0.98],
        ['are', 0.5, 0.7, 0.96],
        ['these.', 0.7, 1, 0.52],
      ],
      [
        ['There', -1, 0.4, 0.36],
        ['are', 0.4, 0.6, 0.98],
        ['ways', 0.6, 1.3, 0.96],
      ],
      'shell, There are ways',
    ],
    [
      'invents over the last moment',
      [
        ['is', -0.8, -0.4, 0.99],
        ['given.', -0.4, 0, 0.97],
        ['Thank', 0.8, 0.9, 0.9],
        ['you.', 0.9, 1, 0.95],
      ],
      [
        ['given.', -0.5, 0, 0.96],
        ['The', 0.8, 0.82, 0.92],
        ['list', 0.82, 1, 0.95],
        ['of', 1, 1.3, 0.99],
      ],
      'is given. The list of',
    ],
  ])('leaves out what it %s', (_what, left, right, merged) => {
    expect(mergeAnswers(left, right).toLowerCase()).toBe(merged.toLowerCase())
  })
})
