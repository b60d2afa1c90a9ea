import { describe, expect, it } from 'vitest'
import { fuzzMedia } from './testing/fuzz/fuzz-media.ts'
import { makeSeeds } from './testing/fuzz/media-seeds.ts'

const CASES = 2_000

describe('damaged videos', () => {
  it('are cut or refused with a reason, soon and without asking for memory that a file only claims', async () => {
    const seed = Math.floor(Math.random() * 1_000_000)
    const { faults, ends } = await fuzzMedia(await makeSeeds(), { seed, cases: CASES })
    expect(faults).toEqual([])
    expect(Object.keys(ends)).toEqual(expect.arrayContaining(['cut', 'unreadable', 'truncated']))
  }, 60_000)
})
