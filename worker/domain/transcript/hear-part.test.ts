import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makePart, numberOf, PART_TYPES, packetMsOf, readPackets } from '#media/testing/make-part.ts'
import { AppError } from '#worker/errors.ts'
import type { Heard, HeardWord, SpeechPart, SpeechToText } from '#worker/ports/speech-to-text.ts'
import { hearPart } from './hear-part.ts'

const AAC = 'audio/mp4'
const PACKET_MS = packetMsOf(AAC)
const VOCABULARY = ['open', 'the', 'File', 'menu', 'then', 'click', 'save,', 'twice.']
/** Frees nothing, so a reload returns the given part. */
const of = ({ audio }: SpeechPart) => ({ signal: new AbortController().signal, reload: async () => audio })

const narration = fc
  .array(fc.record({ lengthMs: fc.integer({ min: 160, max: 600 }), pauseMs: fc.oneof(fc.constant(0), fc.nat(1200)) }), {
    minLength: 20,
    maxLength: 60,
  })
  .map((draws) => {
    let atMs = 0
    return draws.map(({ lengthMs, pauseMs }, i): HeardWord => {
      const startMs = atMs + pauseMs
      atMs = startMs + lengthMs
      return { text: VOCABULARY[i % VOCABULARY.length] ?? '', startMs, endMs: atMs, confidence: (i % 10) / 10 }
    })
  })
  .filter((words) => (words.at(-1)?.endMs ?? 0) > 12_000)

/** A part that is loud while words are spoken. */
function partOf(words: HeardWord[]): SpeechPart {
  const count = Math.ceil(((words.at(-1)?.endMs ?? 0) + 500) / PACKET_MS)
  const loud = Array.from({ length: count }, (_, i) =>
    words.some((word) => word.startMs < (i + 1) * PACKET_MS && word.endMs > i * PACKET_MS) ? 120 : 4,
  )
  return { ...makePart(AAC, loud), language: null, prompt: 'Adapt' }
}

/** Transcribes the words whose whole sound is in the file that it gets, and refuses files over a limit. */
function recogniserOf(words: HeardWord[], largestBytes: number, languageOf = (_heard: HeardWord[]) => 'en') {
  const asked: SpeechPart[] = []
  const speech: SpeechToText = {
    name: 'fake',
    async transcribe(part) {
      asked.push(part)
      if (part.audio.byteLength > largestBytes) throw new AppError('ai_too_large', 'Refused.')
      const packets = (await readPackets(part.audio)).map((packet) => numberOf(AAC, packet))
      const beginMs = (packets[0] ?? 0) * PACKET_MS
      const endMs = ((packets.at(-1) ?? 0) + 1) * PACKET_MS
      const heard = words.filter((word) => word.startMs >= beginMs && word.endMs <= endMs)
      return {
        words: heard.map((word) => ({ ...word, startMs: word.startMs - beginMs, endMs: word.endMs - beginMs })),
        language: languageOf(heard),
        confidence: 1,
      }
    },
  }
  return { speech, asked }
}

function evenWords(count: number): HeardWord[] {
  return Array.from({ length: count }, (_, i) => ({
    text: `w${i}`,
    startMs: i * 500,
    endMs: i * 500 + 300,
    confidence: i < count / 2 ? 0.4 : 0.8,
  }))
}

describe('hearPart', () => {
  it('fetches sound once more that the recogniser has freed before it refused it', async () => {
    const words = evenWords(60)
    const part = partOf(words)
    const { speech } = recogniserOf(words, part.audio.byteLength / 2 + 1)
    const kept = part.audio.slice()
    const freeing: SpeechToText = {
      name: 'freeing',
      async transcribe({ audio, ...rest }, signal) {
        const taken = audio.slice()
        audio.buffer.transfer(0)
        return speech.transcribe({ ...rest, audio: taken }, signal)
      },
    }
    const reload = async () => kept.slice()
    const heard = await hearPart(freeing, part, { signal: new AbortController().signal, reload })
    expect(heard.words).toEqual(words)
  })

  it('asks once for a part that is not too large', async () => {
    const words = evenWords(60)
    const part = partOf(words)
    const { speech, asked } = recogniserOf(words, part.audio.byteLength)
    expect((await hearPart(speech, part, of(part))).words).toEqual(words)
    expect(asked).toEqual([part])
  })

  it('case 23: loses no word and doubles none, however often it has to halve', async () => {
    await fc.assert(
      fc.asyncProperty(narration, fc.integer({ min: 10_500, max: 40_000 }), async (words, largestMs) => {
        const part = partOf(words)
        const largestBytes = part.audio.byteLength * (largestMs / part.durationMs)
        const { speech } = recogniserOf(words, largestBytes)
        expect((await hearPart(speech, part, of(part))).words).toEqual(words)
      }),
      { numRuns: 40 },
    )
  })

  it('case 23: halves the halves that are refused as well', async () => {
    const words = evenWords(60)
    const part = partOf(words)
    const { speech, asked } = recogniserOf(words, part.audio.byteLength * 0.4)
    expect((await hearPart(speech, part, of(part))).words).toEqual(words)
    // The whole, two halves, and two of each.
    expect(asked).toHaveLength(7)
  })

  it('gives each half what the whole was given', async () => {
    const words = evenWords(60)
    const part = { ...partOf(words), language: 'hi' }
    const { speech, asked } = recogniserOf(words, part.audio.byteLength * 0.7)
    await hearPart(speech, part, of(part))
    expect(asked.map(({ language, prompt, contentType }) => [language, prompt, contentType])).toEqual(
      Array(3).fill(['hi', 'Adapt', AAC]),
    )
    for (const half of asked.slice(1)) expect(half.durationMs).toBeLessThan(part.durationMs * 0.7)
  })

  it('returns the language of most words, and the mean confidence of all words', async () => {
    const words = [...evenWords(60).slice(0, 12), ...evenWords(60).slice(30)]
    const part = partOf(words)
    const isEarly = (heard: HeardWord[]) => (heard[0]?.startMs ?? 0) === 0
    const { speech } = recogniserOf(words, part.audio.byteLength * 0.7, (heard) => (isEarly(heard) ? 'de' : 'en'))
    const heard = await hearPart(speech, part, of(part))
    expect(heard.language).toBe('en')
    expect(heard.confidence).toBeCloseTo((12 * 0.4 + 30 * 0.8) / 42)
  })

  it('returns neither language nor confidence for a silent part', async () => {
    const part = { ...makePart(AAC, Array<number>(400).fill(100)), language: null, prompt: null }
    const silent: Heard = { words: [], language: null, confidence: null }
    const speech: SpeechToText = {
      name: 'fake',
      async transcribe({ audio }) {
        if (audio === part.audio) throw new AppError('ai_too_large', 'Refused.')
        return silent
      },
    }
    expect(await hearPart(speech, part, of(part))).toEqual(silent)
  })

  it('keeps words inside the part when its halves measure longer than it was said to be', async () => {
    const words = evenWords(60)
    const part = { ...partOf(words), durationMs: 29_600 }
    const { speech } = recogniserOf(words, part.audio.byteLength * 0.7)
    const heard = await hearPart(speech, part, of(part))
    expect(heard.words.at(-1)).toMatchObject({ startMs: 29_500, endMs: 29_600 })
  })

  it.each(PART_TYPES)('fails with ai_too_large when %s cannot be halved any more', async (contentType) => {
    const loud = Array<number>(Math.round(30_000 / packetMsOf(contentType))).fill(100)
    const part = { ...makePart(contentType, loud), language: null, prompt: null }
    const { speech, asked } = recogniserOf([], 0)
    await expect(hearPart(speech, part, of(part))).rejects.toMatchObject({ code: 'ai_too_large' })
    // The whole, and the first half of each that was halved.
    expect(asked).toHaveLength(4)
  })

  it('passes on every other failure at once, of the whole or of a half', async () => {
    const part = partOf(evenWords(60))
    const busy = new AppError('ai_busy', 'Busy.')
    const failures = [busy, new AppError('ai_too_large', 'Refused.'), busy]
    const speech: SpeechToText = { name: 'fake', transcribe: () => Promise.reject(failures.shift()) }
    await expect(hearPart(speech, part, of(part))).rejects.toBe(busy)
    expect(failures).toHaveLength(2)
    await expect(hearPart(speech, part, of(part))).rejects.toBe(busy)
    expect(failures).toEqual([])
  })
})
