import { describe, expect, it } from 'vitest'
import type { Allowed, Profile } from './floor.ts'
import { floorOf, outlinedFloorOf, PROFILES, serialWrittenMs } from './floor.ts'

/** 1 s for 30 s of audio, and 1 s for each minute of narration. */
const profile: Profile = {
  speechStartS: 0.5,
  speechSpeed: 60,
  languageStartS: 0,
  readTokensPerS: Number.POSITIVE_INFINITY,
  writtenTokensPerS: 120,
}
const allowed: Allowed = { speechCalls: 60, languageCalls: 30, sectionsS: [30, 60], outlinedMaxMs: 40 * 60_000 }

function chunksOf(count: number, cutAtMs: (chunk: number) => number = () => 0) {
  return Array.from({ length: count }, (_, chunk) => ({
    startMs: chunk * 30_000,
    endMs: (chunk + 1) * 30_000,
    audioMs: 30_000,
    cutAtMs: cutAtMs(chunk),
  }))
}

describe('floorOf', () => {
  it('is one call of each model when everything may be in flight, however long the video is', () => {
    const short = floorOf({ profile, allowed, chunks: chunksOf(5) })
    const long = floorOf({ profile, allowed, chunks: chunksOf(59) })
    expect(short).toEqual({ firstStepMs: 1_500, readyMs: 2_000 })
    expect(long).toEqual(short)
  })

  it('transcribes in rounds when fewer calls are allowed than there are chunks', () => {
    const floor = floorOf({ profile, allowed: { ...allowed, speechCalls: 2 }, chunks: chunksOf(5) })
    expect(floor).toEqual({ firstStepMs: 1_500, readyMs: 4_000 })
  })

  it('writes one section after the other when one call is allowed', () => {
    const floor = floorOf({ profile, allowed: { ...allowed, languageCalls: 1 }, chunks: chunksOf(5) })
    expect(floor.readyMs).toBe(1_000 + 500 + 1_000 + 1_000)
  })

  it('waits for each chunk to be cut', () => {
    const floor = floorOf({ profile, allowed, chunks: chunksOf(5, (chunk) => (chunk + 1) * 10_000) })
    expect(floor).toEqual({ firstStepMs: 11_500, readyMs: 52_000 })
  })
})

describe('outlinedFloorOf', () => {
  it('is one call later, which a longer list makes longer', () => {
    // Two and a half minutes are 50 tokens, half an hour 590.
    const short = outlinedFloorOf({ profile, allowed, chunks: chunksOf(5) })
    const long = outlinedFloorOf({ profile, allowed, chunks: chunksOf(59) })
    expect(short.firstStepMs).toBe(1_500)
    expect(short.readyMs).toBeCloseTo(2_000 + 50_000 / 120, 5)
    expect(long.readyMs).toBeCloseTo(2_000 + 590_000 / 120, 5)
  })

  it('outlines a video that is too long for one call in halves at the same time', () => {
    // 1,190 tokens in one call, 595 in each of two.
    const readyMs = (outlinedMaxMs: number) =>
      outlinedFloorOf({ profile, allowed: { ...allowed, outlinedMaxMs }, chunks: chunksOf(119) }).readyMs
    expect(readyMs(60 * 60_000) - readyMs(40 * 60_000)).toBeCloseTo(595_000 / 120, 5)
    expect(readyMs(30 * 60_000)).toBe(readyMs(40 * 60_000))
  })
})

describe('serialWrittenMs', () => {
  it('is every call after the other, and a wait of five seconds for each of four queues', () => {
    // 61 s are two calls of 1.5 s and 0.5 s + 1/60 s, and one window of 61/60 s.
    const readyMs = serialWrittenMs(profile, { durationMs: 61_000, cutMs: 100 })
    expect(readyMs).toBeCloseTo(20_000 + 100 + 1_500 + 500 + 1_000 / 60 + 61_000 / 60, 5)
  })

  it.each([
    ['slow', 564],
    ['mid', 306],
    ['fast', 190],
  ] as const)('is minutes for an hour of the %s models', (name, aboutS) => {
    const readyS = serialWrittenMs(PROFILES[name], { durationMs: 3_600_000, cutMs: 21_000 }) / 1_000
    expect(Math.abs(readyS - aboutS)).toBeLessThan(10)
  })
})
