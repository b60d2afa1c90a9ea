// Behaviour: videos as people have them are cut as ffmpeg decodes them, or refused for a listed reason.
import { describe, expect, it } from 'vitest'
import { pickSeed } from '#local/testing/seed.ts'
import { compareOddFiles } from '../testing/odd/compare-odd-files.ts'

/** Each kind of oddity by itself, and a fragment that breaks off; `npm run fuzz -- --media` puts them together. */
const FILES = 43

describe('videos as people have them', () => {
  it('videos as people have them are cut as ffmpeg decodes them, or refused for a reason that is listed', {
    tags: 'fault-6',
    timeout: 300_000,
  }, async () => {
    const { wrong, refused, right } = await compareOddFiles({ seed: pickSeed(), files: FILES })
    expect(wrong).toEqual([])
    expect(refused.length).toBeGreaterThan(0)
    expect(right.length).toBeGreaterThan(FILES / 2)
  })
})
