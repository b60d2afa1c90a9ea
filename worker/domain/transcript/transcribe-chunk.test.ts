import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CHUNK_TYPES, makeChunk, numberOf, packetMsOf, readPackets } from '#media/testing/make-chunk.ts'
import { writeChunk } from '#media/write-chunk.ts'
import { AppError } from '#worker/core/errors.ts'
import type { SpeechChunk, SpeechResult, SpeechToText, TranscribedWord } from '#worker/ports/speech-to-text.ts'
import { meanConfidence } from './mean-confidence.ts'
import { transcribeChunk } from './transcribe-chunk.ts'

const AAC = 'audio/mp4'
const PACKET_MS = packetMsOf(AAC)
const VOCABULARY = ['open', 'the', 'File', 'menu', 'then', 'click', 'save,', 'twice.']
/** Frees nothing, so a reload returns the given chunk. */
const of = ({ audio }: SpeechChunk) => ({ signal: new AbortController().signal, reload: async () => audio })

const narration = fc
  .array(fc.record({ lengthMs: fc.integer({ min: 160, max: 600 }), pauseMs: fc.oneof(fc.constant(0), fc.nat(1200)) }), {
    minLength: 20,
    maxLength: 60,
  })
  .map((draws) => {
    let atMs = 0
    return draws.map(({ lengthMs, pauseMs }, i): TranscribedWord => {
      const startMs = atMs + pauseMs
      atMs = startMs + lengthMs
      return { text: VOCABULARY[i % VOCABULARY.length] ?? '', startMs, endMs: atMs, confidence: (i % 10) / 10 }
    })
  })
  .filter((words) => (words.at(-1)?.endMs ?? 0) > 12_000)

/** A chunk that is loud while words are spoken. */
function chunkOf(words: TranscribedWord[]): SpeechChunk {
  const count = Math.ceil(((words.at(-1)?.endMs ?? 0) + 500) / PACKET_MS)
  const loud = Array.from({ length: count }, (_, i) =>
    words.some((word) => word.startMs < (i + 1) * PACKET_MS && word.endMs > i * PACKET_MS) ? 120 : 4,
  )
  return { ...makeChunk(AAC, loud), language: null, prompt: 'Adapt' }
}

/** Transcribes the words whose whole audio is in the file that it gets, and refuses files over a limit. */
function recogniserOf(
  words: TranscribedWord[],
  largestBytes: number,
  languageOf = (_transcribed: TranscribedWord[]) => 'en',
) {
  const asked: SpeechChunk[] = []
  const speech: SpeechToText = {
    name: 'fake',
    async transcribe(chunk) {
      asked.push(chunk)
      if (chunk.audio.byteLength > largestBytes) throw new AppError('ai_too_large', 'Refused.')
      const packets = (await readPackets(chunk.audio)).map((packet) => numberOf(AAC, packet))
      const beginMs = (packets[0] ?? 0) * PACKET_MS
      const endMs = ((packets.at(-1) ?? 0) + 1) * PACKET_MS
      const spoken = words.filter((word) => word.startMs >= beginMs && word.endMs <= endMs)
      return {
        words: spoken.map((word) => ({ ...word, startMs: word.startMs - beginMs, endMs: word.endMs - beginMs })),
        language: languageOf(spoken),
        confidence: 1,
      }
    },
  }
  return { speech, asked }
}

function evenWords(count: number): TranscribedWord[] {
  return Array.from({ length: count }, (_, i) => ({
    text: `w${i}`,
    startMs: i * 500,
    endMs: i * 500 + 300,
    confidence: i < count / 2 ? 0.4 : 0.8,
  }))
}

describe('transcribeChunk', () => {
  it('fetches audio once more that the recogniser has freed before it refused it', async () => {
    const words = evenWords(60)
    const chunk = chunkOf(words)
    const { speech } = recogniserOf(words, chunk.audio.byteLength / 2 + 1)
    const kept = chunk.audio.slice()
    const freeing: SpeechToText = {
      name: 'freeing',
      async transcribe({ audio, ...rest }, signal) {
        const taken = audio.slice()
        audio.buffer.transfer(0)
        return speech.transcribe({ ...rest, audio: taken }, signal)
      },
    }
    const reload = async () => kept.slice()
    const result = await transcribeChunk(freeing, chunk, { signal: new AbortController().signal, reload })
    expect(result.words).toEqual(words)
  })

  it('asks once for a chunk that is not too large', async () => {
    const words = evenWords(60)
    const chunk = chunkOf(words)
    const { speech, asked } = recogniserOf(words, chunk.audio.byteLength)
    expect((await transcribeChunk(speech, chunk, of(chunk))).words).toEqual(words)
    expect(asked).toEqual([chunk])
  })

  it('loses no word and doubles none, however often it has to halve', { tags: 'fault-23' }, async () => {
    await fc.assert(
      fc.asyncProperty(narration, fc.integer({ min: 10_500, max: 40_000 }), async (words, largestMs) => {
        const chunk = chunkOf(words)
        const largestBytes = chunk.audio.byteLength * (largestMs / chunk.durationMs)
        const { speech } = recogniserOf(words, largestBytes)
        expect((await transcribeChunk(speech, chunk, of(chunk))).words).toEqual(words)
      }),
      { numRuns: 40 },
    )
  })

  it('halves the halves that are refused as well', { tags: 'fault-23' }, async () => {
    const words = evenWords(60)
    const chunk = chunkOf(words)
    const { speech, asked } = recogniserOf(words, chunk.audio.byteLength * 0.4)
    expect((await transcribeChunk(speech, chunk, of(chunk))).words).toEqual(words)
    // The whole, two halves, and two of each.
    expect(asked).toHaveLength(7)
  })

  it('gives each half what the whole was given', async () => {
    const words = evenWords(60)
    const chunk = { ...chunkOf(words), language: 'hi' }
    const { speech, asked } = recogniserOf(words, chunk.audio.byteLength * 0.7)
    await transcribeChunk(speech, chunk, of(chunk))
    expect(asked.map(({ language, prompt, contentType }) => [language, prompt, contentType])).toEqual(
      Array(3).fill(['hi', 'Adapt', AAC]),
    )
    for (const half of asked.slice(1)) expect(half.durationMs).toBeLessThan(chunk.durationMs * 0.7)
  })

  it('returns the language of most words, and the mean confidence of all words', async () => {
    const words = [...evenWords(60).slice(0, 12), ...evenWords(60).slice(30)]
    const chunk = chunkOf(words)
    const isEarly = (spoken: TranscribedWord[]) => (spoken[0]?.startMs ?? 0) === 0
    const { speech } = recogniserOf(words, chunk.audio.byteLength * 0.7, (spoken) => (isEarly(spoken) ? 'de' : 'en'))
    const result = await transcribeChunk(speech, chunk, of(chunk))
    expect(result.language).toBe('en')
    expect(meanConfidence(result.words)).toBeCloseTo((12 * 0.4 + 30 * 0.8) / 42)
  })

  it('returns neither language nor confidence for a silent chunk', async () => {
    const chunk = { ...makeChunk(AAC, Array<number>(400).fill(100)), language: null, prompt: null }
    const silent: SpeechResult = { words: [], language: null }
    const speech: SpeechToText = {
      name: 'fake',
      async transcribe({ audio }) {
        if (audio === chunk.audio) throw new AppError('ai_too_large', 'Refused.')
        return silent
      },
    }
    expect(await transcribeChunk(speech, chunk, of(chunk))).toEqual(silent)
  })

  it('keeps words inside the chunk when its halves measure longer than it was said to be', async () => {
    const words = evenWords(60)
    const chunk = { ...chunkOf(words), durationMs: 29_600 }
    const { speech } = recogniserOf(words, chunk.audio.byteLength * 0.7)
    const result = await transcribeChunk(speech, chunk, of(chunk))
    expect(result.words.at(-1)).toMatchObject({ startMs: 29_500, endMs: 29_600 })
  })

  it.each(CHUNK_TYPES)('fails with ai_too_large when %s cannot be halved any more', async (contentType) => {
    const loud = Array<number>(Math.round(30_000 / packetMsOf(contentType))).fill(100)
    const chunk = { ...makeChunk(contentType, loud), language: null, prompt: null }
    const { speech, asked } = recogniserOf([], 0)
    await expect(transcribeChunk(speech, chunk, of(chunk))).rejects.toMatchObject({ code: 'ai_too_large' })
    // The whole, and the first half of each that was halved.
    expect(asked).toHaveLength(4)
  })

  it('passes on every other failure at once, of the whole or of a half', async () => {
    const chunk = chunkOf(evenWords(60))
    const busy = new AppError('ai_busy', 'Busy.')
    const failures = [busy, new AppError('ai_too_large', 'Refused.'), busy]
    const speech: SpeechToText = { name: 'fake', transcribe: () => Promise.reject(failures.shift()) }
    await expect(transcribeChunk(speech, chunk, of(chunk))).rejects.toBe(busy)
    expect(failures).toHaveLength(2)
    await expect(transcribeChunk(speech, chunk, of(chunk))).rejects.toBe(busy)
    expect(failures).toEqual([])
  })
})

describe('two channels without words', () => {
  const packets = Array.from({ length: 200 }, (_, i) => ({
    startMs: i * 64,
    endMs: (i + 1) * 64,
    // A pair of channels with one window, coded as left and right.
    bytes: new Uint8Array(40).fill(0x21, 0, 1).fill(i, 10),
    loudness: null,
  }))
  const description = new Uint8Array([0x14, 0x10])
  const audio = writeChunk(AAC, { codec: 'aac', sampleRate: 16_000, channels: 2, description }, packets)
  const chunk = { audio, contentType: AAC, durationMs: 12_800, language: null, prompt: null } as const

  /** Finds no words in both, and answers with an error where it is asked for one. */
  function recogniserThatFails(code: 'ai_busy' | 'ai_timeout' | 'ai_quota' | 'ai_failed' | 'ai_refused_audio') {
    const { speech, asked } = recogniserOf([], Number.POSITIVE_INFINITY)
    const failing: SpeechToText = {
      name: 'failing',
      async transcribe(given, signal) {
        if (asked.length > 0) throw new AppError(code, 'Failed.')
        return speech.transcribe(given, signal)
      },
    }
    return failing
  }

  it('are followed by a question for one of them alone', async () => {
    const { speech, asked } = recogniserOf([], Number.POSITIVE_INFINITY)
    await transcribeChunk(speech, chunk, of(chunk))
    expect(asked).toHaveLength(2)
    const [both, one] = await Promise.all(asked.map(({ audio }) => readPackets(audio)))
    expect(one).toHaveLength(200)
    expect(one).not.toEqual(both)
  })

  it.each(['ai_busy', 'ai_timeout', 'ai_quota'] as const)(
    'are asked again later where one of them gives %s, rather than stored without words',
    async (code) => {
      await expect(transcribeChunk(recogniserThatFails(code), chunk, of(chunk))).rejects.toMatchObject({ code })
    },
  )

  it.each(['ai_failed', 'ai_refused_audio'] as const)('stay without words where one of them gives %s', async (code) => {
    expect((await transcribeChunk(recogniserThatFails(code), chunk, of(chunk))).words).toEqual([])
  })
})

describe('a recogniser that repeats itself', () => {
  /** Answers with a loop first, and then as `second` says. */
  function loopingRecogniser(words: TranscribedWord[], second: (answer: SpeechResult) => SpeechResult = (it) => it) {
    const { speech, asked } = recogniserOf(words, Number.POSITIVE_INFINITY)
    const looping: SpeechToText = {
      name: 'looping',
      async transcribe(chunk, signal) {
        const answer = await speech.transcribe(chunk, signal)
        return asked.length > 1 ? second(answer) : { ...answer, words: words.slice(0, 6), isLooped: true }
      },
    }
    return { speech: looping, asked }
  }

  it('is asked once more, from a second later on and without the hint', async () => {
    const words = evenWords(60)
    const chunk = { ...chunkOf(words), language: 'hi' }
    const { speech, asked } = loopingRecogniser(words)
    const result = await transcribeChunk(speech, chunk, of(chunk))
    expect(result.words).toEqual(words)
    expect(result.isLooped).toBeUndefined()
    expect(asked.map(({ language, prompt }) => [language, prompt])).toEqual([
      ['hi', 'Adapt'],
      ['hi', null],
    ])
    const [first, second] = asked.map(({ durationMs }) => durationMs)
    expect((first ?? 0) - (second ?? 0)).toBeGreaterThan(900)
    expect((first ?? 0) - (second ?? 0)).toBeLessThan(1_100)
  })

  it.each([
    ['says nothing', (): SpeechResult => ({ words: [], language: null })],
    ['says less', (answer: SpeechResult): SpeechResult => ({ ...answer, words: answer.words.slice(0, 2) })],
    ['says more, but repeats itself as well', (answer: SpeechResult): SpeechResult => ({ ...answer, isLooped: true })],
    [
      'fails',
      (): SpeechResult => {
        throw new AppError('ai_busy', 'Busy.')
      },
    ],
  ])('keeps its first answer where the second one %s', async (_, second) => {
    const words = evenWords(60)
    const chunk = chunkOf(words)
    const { speech, asked } = loopingRecogniser(words, second)
    expect((await transcribeChunk(speech, chunk, of(chunk))).words).toEqual(words.slice(0, 6))
    expect(asked).toHaveLength(2)
  })

  it('is not asked again about less than two seconds', async () => {
    const words = evenWords(3)
    const chunk = chunkOf(words)
    const { speech, asked } = loopingRecogniser(words)
    await transcribeChunk(speech, chunk, of(chunk))
    expect(asked).toHaveLength(1)
  })
})

describe('a recogniser that leaves out much with a hint', () => {
  const words = evenWords(60)
  const [gapFrom, gapTo] = [20, 34]
  const withGap = words.filter((_, at) => at < gapFrom || at >= gapTo)

  /** Leaves words out wherever it has a hint, and otherwise answers as `second` says. */
  function hintedRecogniser(second: (answer: SpeechResult) => SpeechResult = (it) => it) {
    const { speech, asked } = recogniserOf(words, Number.POSITIVE_INFINITY)
    const hinted: SpeechToText = {
      name: 'hinted',
      async transcribe(chunk, signal) {
        const answer = await speech.transcribe(chunk, signal)
        return chunk.prompt === null ? second(answer) : { ...answer, words: withGap }
      },
    }
    return { speech: hinted, asked }
  }

  it('is asked once more without it', async () => {
    const chunk = { ...chunkOf(words), language: 'hi' }
    const { speech, asked } = hintedRecogniser()
    expect((await transcribeChunk(speech, chunk, of(chunk))).words).toEqual(words)
    expect(asked.map(({ language, prompt }) => [language, prompt])).toEqual([
      ['hi', 'Adapt'],
      ['hi', null],
    ])
  })

  it.each([
    ['has no more words', (answer: SpeechResult): SpeechResult => ({ ...answer, words: withGap.slice(1) })],
    ['repeats itself', (answer: SpeechResult): SpeechResult => ({ ...answer, isLooped: true })],
    [
      'fails',
      (): SpeechResult => {
        throw new AppError('ai_busy', 'Busy.')
      },
    ],
  ])('keeps its first answer where the second one %s', async (_, second) => {
    const chunk = chunkOf(words)
    const { speech, asked } = hintedRecogniser(second)
    expect((await transcribeChunk(speech, chunk, of(chunk))).words).toEqual(withGap)
    expect(asked).toHaveLength(2)
  })

  it('is asked once where pauses are short, or where it had no hint', async () => {
    const chunk = chunkOf(words)
    const { speech, asked } = recogniserOf(words, Number.POSITIVE_INFINITY)
    await transcribeChunk(speech, chunk, of(chunk))
    const pausing = recogniserOf(withGap, Number.POSITIVE_INFINITY)
    await transcribeChunk(pausing.speech, { ...chunk, prompt: null }, of(chunk))
    expect([asked.length, pausing.asked.length]).toEqual([1, 1])
  })
})
