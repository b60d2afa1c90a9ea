// Behaviour: recognition of a real how-to in chunks of 30 s, as in the product.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ensureTools } from '../../start/tools.ts'
import { wordErrorRate } from '../../testing/word-error-rate.ts'
import { ACCEPTANCE } from '../acceptance.ts'
import { recogniseChunks } from '../recognise-chunks.ts'

const FOLDER = join(ACCEPTANCE, 'custom-speech-howto')
// What the product promises for clear American narration.
const WORST_ERROR_RATE = 0.25

/** Where they have to be installed first. */
const INSTALL_MS = 240_000

// Left out by vitest.config.ts where the recording is not at hand.
describe('recognition of a real how-to in 30 s chunks', () => {
  beforeAll(() => ensureTools(['ffmpeg', 'pocketsphinx']), INSTALL_MS)

  it('gets at least three of four words right, and is sure enough of them', async () => {
    const video = join(FOLDER, 'custom-speech-howto.mp4')
    const chunks = await recogniseChunks(['-i', video, '-vn', '-c', 'copy'], 'm4a')

    expect(chunks).toHaveLength(4)
    const transcribed = chunks.map(({ text }) => text).join(' ')
    const errorRate = wordErrorRate(await readFile(join(FOLDER, 'reference.txt'), 'utf8'), transcribed)
    const probabilities = chunks.flatMap(({ words }) => words.map(({ probability }) => probability))
    const confidence = probabilities.reduce((sum, probability) => sum + probability, 0) / probabilities.length
    console.log(`Word error rate ${(errorRate * 100).toFixed(1)} %, mean confidence ${confidence.toFixed(2)}.`)
    expect(errorRate).toBeLessThanOrEqual(WORST_ERROR_RATE)
    expect(confidence).toBeGreaterThanOrEqual(0.5)
    for (const { words, duration } of chunks) {
      expect(words.at(-1)?.end).toBeLessThanOrEqual(duration)
      expect(words.map(({ start }) => start)).toEqual(words.map(({ start }) => start).toSorted((a, b) => a - b))
    }
  }, 180_000)
})
