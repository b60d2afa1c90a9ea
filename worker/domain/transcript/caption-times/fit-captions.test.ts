import { describe, expect, it } from 'vitest'
import { findDoubt, findMove } from './fit-captions.ts'
import type { TimedText } from './move-cues.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** A caption each ten seconds. */
function captions(fromMs: number, toMs: number): TimedText[] {
  const count = Math.max(1, Math.floor((toMs - fromMs) / 10_000))
  return Array.from({ length: count }, (_, at) => {
    const startMs = fromMs + at * 10_000
    return { startMs, endMs: at === count - 1 ? toMs : startMs + 8_000, text: `Turn the lever ${at}.` }
  })
}

const eightMinutes = (speech: TimedText[] = []) => ({ durationMs: 8 * MINUTE_MS, speech })

describe('findMove', () => {
  it.each<[string, number, number, number]>([
    ['a broadcast time code counts from its hour', 10 * HOUR_MS + 5_000, 7 * MINUTE_MS, -10 * HOUR_MS],
    ['an offset of an hour too', HOUR_MS + 12_000, 6 * MINUTE_MS, -HOUR_MS],
    [
      'what would then end after the video begins with it',
      HOUR_MS + 3 * MINUTE_MS,
      7 * MINUTE_MS,
      -HOUR_MS - 3 * MINUTE_MS,
    ],
    [
      'a time code that begins before its hour too',
      9 * HOUR_MS + 59 * MINUTE_MS,
      7 * MINUTE_MS,
      -9 * HOUR_MS - 59 * MINUTE_MS,
    ],
  ])('%s', (_what, fromMs, lengthMs, offsetMs) => {
    expect(findMove(captions(fromMs, fromMs + lengthMs), eightMinutes())).toEqual({
      reason: 'after_end',
      move: { rate: 1, offsetMs },
    })
  })

  it('brings the first caption to the start of speech where that is known and leaves room', () => {
    const cues = captions(10 * HOUR_MS, 10 * HOUR_MS + 7 * MINUTE_MS)
    const speech = (startMs: number) => [{ startMs, endMs: 8 * MINUTE_MS, text: 'Something else.' }]
    expect(findMove(cues, eightMinutes(speech(20_000)))?.move.offsetMs).toBe(20_000 - 10 * HOUR_MS)
    expect(findMove(cues, eightMinutes(speech(2 * MINUTE_MS)))?.move.offsetMs).toBe(-10 * HOUR_MS)
  })

  it.each([
    ['that begin in the video', captions(5_000, 7 * MINUTE_MS)],
    ['that are longer than it', captions(10 * HOUR_MS, 10 * HOUR_MS + 9 * MINUTE_MS)],
    ['of which one is at its beginning', [...captions(0, 8_000), ...captions(10 * HOUR_MS, 10 * HOUR_MS + MINUTE_MS)]],
  ])('leaves captions where they are %s', (_what, cues) => {
    expect(findMove(cues, eightMinutes())).toBeNull()
  })

  it('moves nothing into a video of unknown length', () => {
    expect(findMove(captions(10 * HOUR_MS, 11 * HOUR_MS), { durationMs: null, speech: [] })).toBeNull()
  })
})

describe('findDoubt', () => {
  const speech = (toMs: number): TimedText[] => [
    { startMs: 10_000, endMs: 12_000, text: 'Begin.' },
    { startMs: toMs - 2_000, endMs: toMs, text: 'End.' },
  ]

  it.each<[string, TimedText[], TimedText[], ReturnType<typeof findDoubt>]>([
    ['all of them fit', captions(0, 8 * MINUTE_MS), [], null],
    ['the last stays a little', captions(0, 8 * MINUTE_MS + 1_500), [], null],
    [
      'most begin after the end',
      captions(0, 52 * MINUTE_MS),
      [],
      { code: 'beyond_end', captionsSeconds: 3_120, videoSeconds: 480 },
    ],
    ['they are longer', captions(0, 11 * MINUTE_MS), [], { code: 'longer', captionsSeconds: 660, videoSeconds: 480 }],
    ['they are far shorter', captions(0, MINUTE_MS), [], { code: 'shorter', captionsSeconds: 60, videoSeconds: 480 }],
    ['people are silent for long', captions(60_000, 4 * MINUTE_MS), [], null],
    [
      'they are far shorter than the speech',
      captions(0, 2.5 * MINUTE_MS),
      speech(8 * MINUTE_MS),
      { code: 'shorter_than_speech', captionsSeconds: 150, videoSeconds: 470 },
    ],
    ['there is as little speech', captions(0, MINUTE_MS), speech(MINUTE_MS + 10_000), null],
  ])('in a video of eight minutes, where %s', (_what, cues, spoken, doubt) => {
    expect(findDoubt(cues, eightMinutes(spoken))).toEqual(doubt)
  })

  it('asks nothing of a short video, or of one of unknown length', () => {
    expect(findDoubt(captions(0, 5_000), { durationMs: 50_000, speech: [] })).toBeNull()
    expect(findDoubt(captions(0, HOUR_MS), { durationMs: null, speech: [] })).toBeNull()
  })
})
