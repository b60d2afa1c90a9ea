// Behaviour: damaged chunks are halved or refused, never silently shortened.
import { describe, expect, it } from 'vitest'
import { pickSeed } from '#local/testing/seed.ts'
import { fuzzMedia } from '#media/testing/fuzz/fuzz-media.ts'
import { makeChunkSeeds } from '../testing/chunk-seeds.ts'

const CASES = 1_000

describe('damaged chunks', () => {
  it('damaged chunks are halved or left whole, soon and without asking for memory that a file only claims', async () => {
    const run = { seed: pickSeed(), cases: CASES, longestMs: Number.POSITIVE_INFINITY }
    const { faults, ends } = await fuzzMedia(makeChunkSeeds(), run)
    expect(faults).toEqual([])
    expect(Object.keys(ends).sort()).toEqual(['halved', 'left whole'])
  }, 60_000)
})
