// Behaviour: real Whisper on recordings that are cut and merged as in the product.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mergeWords } from '#worker/domain/transcript/merge-words.ts'
import { parseCaptions } from '#worker/domain/transcript/parse-captions.ts'
import { wordErrorRate } from '../../testing/word-error-rate.ts'
import { ACCEPTANCE } from '../acceptance.ts'
import { cutRecording, transcribeChunks } from '../testing/transcribe-recording.ts'
import { judgeWords, openTestedWhisper } from '../whisper/testing/tested-whisper.ts'
import type { WhisperRecogniser } from '../whisper-recogniser.ts'

// Left out by vitest.config.ts where the engine is not in the cache, or the recordings are not at hand.

/** Loading takes seconds, on a busy machine many. */
const LOADED_WITHIN_MS = 240_000
/** No figure of the product: four minutes of audio take half of one on two quiet cores. */
const TRANSCRIBED_WITHIN_MS = 1_200_000

let dir: string
let whisper: WhisperRecogniser

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'adapt-real-whisper-'))
  whisper = await openTestedWhisper(dir)
}, LOADED_WITHIN_MS)

afterAll(async () => {
  await whisper.close()
  await rm(dir, { recursive: true })
})

/** Its first minutes: all twelve take a quarter of the time of all unit tests, and are no harder. */
const LINUX_UNTIL_MS = 240_000

const RECORDINGS = [
  {
    folder: 'custom-speech-howto',
    file: 'custom-speech-howto.mp4',
    worst: 0.06,
    untilMs: Infinity,
    readSaid: async (dir: string) => readFile(join(dir, 'reference.txt'), 'utf8'),
  },
  {
    folder: 'linux-basic-commands',
    file: 'linux-basic-commands.webm',
    worst: 0.12,
    untilMs: LINUX_UNTIL_MS,
    readSaid: async (dir: string, endMs: number) => {
      const { cues } = parseCaptions(await readFile(join(dir, 'original.srt'), 'utf8'))
      return cues.flatMap(({ startMs, text }) => (startMs < endMs ? [text] : [])).join(' ')
    },
  },
]

describe('real Whisper, tiny.en, on recordings that are cut and merged as in the product', () => {
  it.each(RECORDINGS)(
    'gets at most $worst of the words of $folder wrong, and understands it',
    async ({ folder, file, worst, untilMs, readSaid }) => {
      const { chunks: all } = await cutRecording(join(ACCEPTANCE, folder, file))
      const chunks = all.filter(({ endMs }) => endMs <= untilMs)
      const endMs = chunks.at(-1)?.endMs ?? 0
      const said = await readSaid(join(ACCEPTANCE, folder), endMs)
      const words = mergeWords(await transcribeChunks(whisper, chunks))
      const errorRate = wordErrorRate(said, words.map(({ text }) => text).join(' '))
      console.log(`Word error rate of ${file}: ${(errorRate * 100).toFixed(1)} %, ${chunks.length} chunks.`)
      expect(errorRate).toBeLessThanOrEqual(worst)
      expect(judgeWords(words, endMs)).toBe('understood')
    },
    TRANSCRIBED_WITHIN_MS,
  )
})
