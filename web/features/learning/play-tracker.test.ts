import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { intersect, lengthOf, type TimeRanges, toWholeSeconds } from '#contract/time/time-ranges.ts'
import type { Segment } from './kept-session.ts'
import { type PlaybackEvent, PlayTracker } from './play-tracker.ts'

const DURATION_S = 600
const TICK_MS = 250

/** A simulated video and viewer: performs acts, reports them to the tracker, and knows what was really played. */
class Viewer {
  readonly tracker = new PlayTracker()
  readonly played: Segment[] = []
  readonly taken: Segment[] = []
  #atMs = 0
  #positionS = 0
  #isPlaying = false
  #isWatched = true
  #speed = 1

  report(kind: PlaybackEvent['kind']) {
    const event = { kind, seconds: this.#positionS, isPlaying: this.#isPlaying }
    this.tracker.note(event, { atMs: this.#atMs, isWatched: this.#isWatched })
  }

  watch(seconds: number) {
    for (let passed = 0; passed < seconds * 1000; passed += TICK_MS) {
      this.#atMs += TICK_MS
      if (!this.#isPlaying) continue
      const from = this.#positionS
      this.#positionS = Math.min(DURATION_S, from + (this.#speed * TICK_MS) / 1000)
      if (this.#isWatched) this.played.push([from, this.#positionS])
      this.#isPlaying = this.#positionS < DURATION_S
      this.report(this.#isPlaying ? 'time' : 'end')
    }
  }

  play(speed: number) {
    this.#speed = speed
    this.#isPlaying = this.#positionS < DURATION_S
    if (this.#isPlaying) this.report('play')
  }

  pause() {
    this.#isPlaying = false
    this.report('pause')
  }

  seek(toS: number) {
    this.#positionS = toS
    this.report('seek')
    this.report('time')
  }

  /** Where a browser moves the video without a word. */
  jump(toS: number) {
    this.#positionS = toS
  }

  look(isWatched: boolean) {
    this.#isWatched = isWatched
    if (!isWatched) this.tracker.rest()
  }

  take() {
    this.taken.push(...this.tracker.take())
  }
}

const place = fc.double({ min: 0, max: DURATION_S, noNaN: true })
const act = fc.oneof(
  fc.record({ do: fc.constant('watch' as const), by: fc.double({ min: 0, max: 60, noNaN: true }) }),
  fc.record({ do: fc.constant('play' as const), by: fc.constantFrom(0.25, 0.5, 1, 1.5, 2) }),
  fc.record({ do: fc.constant('seek' as const), by: place }),
  fc.record({ do: fc.constantFrom('pause' as const, 'hide' as const, 'show' as const, 'take' as const) }),
)

type Act = typeof act extends fc.Arbitrary<infer One> ? One : never

function perform(acts: readonly Act[]): Viewer {
  const viewer = new Viewer()
  for (const one of acts) {
    if ('by' in one) viewer[one.do](one.by)
    else if (one.do === 'hide' || one.do === 'show') viewer.look(one.do === 'show')
    else viewer[one.do]()
  }
  viewer.take()
  return viewer
}

const totalOf = (segments: readonly Segment[]) => segments.reduce((sum, [from, to]) => sum + to - from, 0)

/** Seconds of `some` that are not in `others`. */
function missing(some: TimeRanges, others: TimeRanges): number {
  return lengthOf(some) - lengthOf(intersect(some, others))
}

describe('PlayTracker', () => {
  test('counts played and watched seconds at any speed, and almost nothing else', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        const viewer = perform(acts)
        const real = toWholeSeconds(viewer.played, DURATION_S)
        const counted = toWholeSeconds(viewer.taken, DURATION_S)
        // A second at each boundary, because the time is reported only four times a second.
        expect(missing(counted, real)).toBe(0)
        expect(missing(real, counted)).toBeLessThanOrEqual(2 * acts.length)
      }),
    )
  })

  test('counts the same seconds however often it is asked', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        const often = perform(acts.flatMap((one) => [one, { do: 'take' as const }]))
        const once = perform(acts.filter((one) => one.do !== 'take'))
        expect(toWholeSeconds(often.taken, DURATION_S)).toEqual(toWholeSeconds(once.taken, DURATION_S))
        expect(totalOf(often.taken)).toBeCloseTo(totalOf(once.taken))
      }),
    )
  })

  test('does not count scrubbing while the video is paused', () => {
    const viewer = new Viewer()
    for (let toS = 0; toS < 300; toS += 0.4) viewer.seek(toS)
    viewer.take()
    expect(viewer.taken).toEqual([])
  })

  test('does not count scrubbing while it plays', () => {
    const viewer = new Viewer()
    viewer.play(1)
    for (let toS = 0; toS < 300; toS += 0.4) viewer.seek(toS)
    viewer.take()
    expect(viewer.taken).toEqual([])
  })

  test('does not count a jump without a seek event, nor playback without time events', () => {
    const viewer = new Viewer()
    viewer.play(1)
    viewer.watch(10)
    viewer.jump(200)
    viewer.watch(10)
    viewer.take()
    expect(toWholeSeconds(viewer.taken, DURATION_S)).toEqual([
      [0, 10],
      [200, 210],
    ])
    const tracker = new PlayTracker()
    tracker.note({ kind: 'play', seconds: 0, isPlaying: true }, { atMs: 0, isWatched: true })
    tracker.note({ kind: 'time', seconds: 60, isPlaying: true }, { atMs: 60_000, isWatched: true })
    expect(tracker.take()).toEqual([])
  })

  test('does not count what plays in a hidden tab', () => {
    const viewer = new Viewer()
    viewer.play(2)
    viewer.watch(5)
    viewer.look(false)
    viewer.watch(30)
    viewer.look(true)
    viewer.watch(5)
    viewer.take()
    expect(toWholeSeconds(viewer.taken, DURATION_S)).toEqual([
      [0, 10],
      [71, 80],
    ])
  })

  test('counts the last second of the video', () => {
    const viewer = new Viewer()
    viewer.seek(590)
    viewer.play(1)
    viewer.watch(20)
    viewer.take()
    expect(toWholeSeconds(viewer.taken, DURATION_S)).toEqual([[590, 600]])
  })
})
