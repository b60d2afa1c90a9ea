// Behaviour: real Whisper on recordings that are cut and merged as in the product.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mergeWords } from '#worker/domain/transcript/merge-words.ts'
import { wordErrorRate } from '../../testing/word-error-rate.ts'
import { ACCEPTANCE } from '../acceptance.ts'
import { cutRecording, transcribeChunks } from '../testing/transcribe-recording.ts'
import { judgeWords, openTestedWhisper } from '../whisper/testing/tested-whisper.ts'
import type { WhisperRecogniser } from '../whisper-recogniser.ts'

// Left out by vitest.config.ts where the engine is not in the cache, or the recordings are not at hand.

/** Loading takes seconds, on a busy machine many. */
const LOADED_WITHIN_MS = 240_000
/** No figure of the product: twelve minutes of audio take one on two quiet cores. */
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

describe('real Whisper, tiny.en, on recordings that are cut and merged as in the product', () => {
  it.each([
    { folder: 'custom-speech-howto', file: 'custom-speech-howto.mp4', worst: 0.06 },
    { folder: 'linux-basic-commands', file: 'linux-basic-commands.webm', worst: 0.12 },
  ])(
    'gets at most $worst of the words of $folder wrong, and understands it',
    async ({ folder, file, worst }) => {
      const said = await readFile(join(ACCEPTANCE, folder, 'reference.txt'), 'utf8')
      const { chunks } = await cutRecording(join(ACCEPTANCE, folder, file))
      const words = mergeWords(await transcribeChunks(whisper, chunks))
      const errorRate = wordErrorRate(said, words.map(({ text }) => text).join(' '))
      console.log(`Word error rate of ${file}: ${(errorRate * 100).toFixed(1)} %, ${chunks.length} chunks.`)
      expect(errorRate).toBeLessThanOrEqual(worst)
      expect(judgeWords(words, chunks.at(-1)?.endMs ?? 0)).toBe('understood')
    },
    TRANSCRIBED_WITHIN_MS,
  )
})
