import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FormedSection, formSection, planFormation } from './form-section.ts'
import { mergeWords, type TranscribedChunk } from './merge-words.ts'

/** Half of what neighbouring chunks share. */
const SHARED_MS = 1_250
const JITTER_MS = 80

interface Spoken {
  text: string
  startMs: number
  endMs: number
}

/** Every word is another one, so that none can stand in for one that is lost. */
const speech = fc
  .array(
    fc.record({
      lengthMs: fc.oneof(fc.constant(0), fc.integer({ min: 100, max: 700 })),
      pauseMs: fc.oneof(fc.constant(0), fc.integer({ max: 1_200, min: 0 }), fc.integer({ min: 2_000, max: 20_000 })),
      endsSentence: fc.boolean(),
    }),
    { maxLength: 400 },
  )
  .map((draws) => {
    let atMs = 0
    return draws.map(({ lengthMs, pauseMs, endsSentence }, n): Spoken => {
      const startMs = atMs + pauseMs
      atMs = startMs + lengthMs
      return { text: `w${n}${endsSentence ? '.' : ''}`, startMs, endMs: atMs }
    })
  })

const cutting = fc.record({
  chunks: fc.array(
    fc.record({
      lengthMs: fc.oneof(fc.integer({ min: 25_000, max: 35_000 }), fc.integer({ min: 4_000, max: 12_000 })),
      // Audio that has a gap is cut there, and nothing is shared across it.
      gapMs: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: 600, max: 9_000 }) },
      ),
      isTranscribed: fc.oneof(
        { weight: 6, arbitrary: fc.constant(true) },
        { weight: 1, arbitrary: fc.constant(false) },
      ),
    }),
    { minLength: 1, maxLength: 16 },
  ),
  jitter: fc.infiniteStream(fc.integer({ min: -JITTER_MS, max: JITTER_MS })),
})

interface Cut {
  startMs: number
  endMs: number
  audioStartMs: number
  audioEndMs: number
}

function transcribeCut(
  words: Spoken[],
  { audioStartMs, audioEndMs, startMs, endMs }: Cut,
  jitter: () => number,
): TranscribedChunk {
  const inside = (ms: number) => Math.min(Math.max(ms, audioStartMs), audioEndMs) - audioStartMs
  const transcribed = words
    // A word that is cut in half is transcribed as another word, or not at all.
    .filter((word) => word.endMs > audioStartMs + 150 && word.startMs < audioEndMs - 150)
    .map((word) => {
      const isWhole = word.startMs >= audioStartMs && word.endMs <= audioEndMs
      const text = isWhole ? word.text : `half-${word.text}`
      return { text, startMs: inside(word.startMs + jitter()), endMs: inside(word.endMs + jitter()), confidence: null }
    })
    .toSorted((a, b) => a.startMs - b.startMs)
    .map((word) => ({ ...word, endMs: Math.max(word.startMs, word.endMs) }))
  return { audioStartMs, startMs, endMs, words: transcribed }
}

const chunks = fc.tuple(speech, cutting).map(([words, { chunks: planned, jitter }]) => {
  const next = jitter[Symbol.iterator]()
  let startMs = 0
  return planned.map(({ lengthMs, gapMs, isTranscribed }, at) => {
    const hasGapBefore = at > 0 && (planned[at - 1]?.gapMs ?? 0) > 0
    const endMs = startMs + lengthMs + gapMs
    const cut = {
      startMs,
      endMs,
      audioStartMs: at === 0 || hasGapBefore ? startMs : startMs - SHARED_MS,
      audioEndMs: gapMs > 0 || at === planned.length - 1 ? startMs + lengthMs : endMs + SHARED_MS,
    }
    startMs = endMs
    return transcribeCut(isTranscribed ? words : [], cut, () => next.next().value ?? 0)
  })
})

/** All sections, one after the other, as `advanceRun` forms them. */
function formAll(transcribed: TranscribedChunk[]): FormedSection[] {
  const formed: FormedSection[] = []
  for (let fromMs = 0; ; fromMs = formed.at(-1)?.untilMs ?? 0) {
    const plan = planFormation(formed.length, transcribed.length)
    formed.push(
      formSection({
        chunks: transcribed.slice(plan.firstNeeded, plan.lastNeeded + 1),
        fromMs,
        boundaryMs: plan.isLast ? null : (transcribed[plan.to]?.startMs ?? null),
        lastChunkMs: transcribed[Math.min(plan.to, transcribed.length) - 1]?.startMs ?? 0,
      }),
    )
    if (plan.isLast) return formed
  }
}

function wordsOf(formed: FormedSection[]): string[] {
  return formed.flatMap(({ segments }) => segments.flatMap(({ text }) => text.toLowerCase().split(' ')))
}

describe('formSection', () => {
  it('divides the words of all chunks among the sections: none is lost, none is doubled', () => {
    fc.assert(
      fc.property(chunks, (transcribed) => {
        const formed = formAll(transcribed)
        expect(wordsOf(formed)).toEqual(mergeWords(transcribed).map((word) => word.text.toLowerCase()))
        const times = formed.flatMap(({ segments }) => segments.map((segment) => segment.startMs))
        expect(times).toEqual(times.toSorted((a, b) => a - b))
      }),
      { numRuns: 1000 },
    )
  })
})
