// Behaviour: damaged videos are cut or refused with a reason, soon and without much memory.
import { describe, expect, it } from 'vitest'
import { pickSeed } from '#local/testing/seed.ts'
import { fuzzMedia } from '../testing/fuzz/fuzz-media.ts'
import { makeSeeds } from '../testing/fuzz/media-seeds.ts'

const CASES = 2_000

describe('damaged videos', () => {
  it('damaged videos are cut or refused with a reason, soon and without asking for memory that a file only claims', {
    tags: 'fault-6',
    timeout: 60_000,
  }, async () => {
    const run = { seed: pickSeed(), cases: CASES, longestMs: Number.POSITIVE_INFINITY }
    const { faults, ends } = await fuzzMedia(await makeSeeds(), run)
    expect(faults).toEqual([])
    expect(Object.keys(ends)).toEqual(expect.arrayContaining(['cut', 'unreadable', 'truncated']))
  })
})
