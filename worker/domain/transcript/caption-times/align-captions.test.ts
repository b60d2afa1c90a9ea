import { describe, expect, it } from 'vitest'
import { alignCaptions } from './align-captions.ts'
import { type CaptionMove, moveTime, type TimedText } from './move-cues.ts'

const WORDS =
  'open close lift turn press hold wait lid filter pump valve hose tank lever switch light cable plug panel screw'.split(
    ' ',
  )

/** Sentences of a talk, each of other words than the rest; another seed says other things. */
function speak(count: number, seed = 1): TimedText[] {
  let state = seed
  const next = (max: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % max
  }
  return Array.from({ length: count }, (_, at) => {
    const text = Array.from({ length: 9 }, () => WORDS[next(WORDS.length)]).join(' ')
    return { startMs: 3_000 + at * 5_000, endMs: 7_000 + at * 5_000, text }
  })
}

/** The captions of a talk, timed so that `move` brings them back to it. */
function timeOtherwise(cues: readonly TimedText[], { rate, offsetMs }: CaptionMove): TimedText[] {
  const back = (ms: number) => Math.round((ms - offsetMs) / rate)
  return cues.map(({ startMs, endMs, text }) => ({ startMs: back(startMs), endMs: back(endMs), text }))
}

describe('alignCaptions', () => {
  const speech = speak(120)

  it.each<[string, CaptionMove]>([
    ['come 2.4 s late', { rate: 1, offsetMs: -2_400 }],
    ['come 11 s early', { rate: 1, offsetMs: 11_000 }],
    ['begin at ten hours', { rate: 1, offsetMs: -36_000_000 }],
    ['were timed for PAL', { rate: 25 / 23.976, offsetMs: 0 }],
    ['were timed for NTSC film, and late', { rate: 23.976 / 25, offsetMs: -1_500 }],
    ['were timed for film', { rate: 25 / 24, offsetMs: 700 }],
    ['were timed for 25 frames', { rate: 24 / 25, offsetMs: 0 }],
  ])('brings captions to their words that %s', (_what, move) => {
    const cues = timeOtherwise(speech, move)
    const found = alignCaptions(cues, speech)
    expect(found?.rate).toBe(move.rate)
    for (const [at, { startMs }] of cues.entries()) {
      const expectedMs = speech[at]?.startMs ?? 0
      expect(Math.abs(moveTime(startMs, found ?? move) - expectedMs)).toBeLessThan(100)
    }
  })

  it.each([30 / 29.97, 29.97 / 30])('finds the drift of an hour at the rate %d', (rate) => {
    const hour = speak(720)
    expect(alignCaptions(timeOtherwise(hour, { rate, offsetMs: 0 }), hour)?.rate).toBe(rate)
  })

  it('finds an offset where every fourth word was recognised wrongly', () => {
    const heard = speech.map((cue) => {
      const words = cue.text.split(' ')
      return { ...cue, text: words.map((word, at) => (at % 4 === 3 ? 'hm' : word)).join(' ') }
    })
    expect(alignCaptions(timeOtherwise(speech, { rate: 1, offsetMs: -2_400 }), heard)?.rate).toBe(1)
  })

  it('aligns languages without blanks', () => {
    const signs = Array.from({ length: 600 }, (_, at) => String.fromCodePoint(0x4e_00 + ((at * 389) % 5_000)))
    const chinese = speech
      .slice(0, 40)
      .map((cue, at) => ({ ...cue, text: signs.slice(at * 15, at * 15 + 15).join('') }))
    const cues = timeOtherwise(chinese, { rate: 1, offsetMs: 3_000 })
    expect(alignCaptions(cues, chinese)).toEqual({ rate: 1, offsetMs: expect.closeTo(3_000, -2) })
  })

  it.each<[string, TimedText[]]>([
    ['come in time', timeOtherwise(speech, { rate: 1, offsetMs: 300 })],
    ['are of another talk', timeOtherwise(speak(120, 77), { rate: 1, offsetMs: -9_000 })],
    [
      'paraphrase, with a word in three of their own',
      timeOtherwise(
        speech.map((cue, at) => {
          const words = cue.text.split(' ').map((word, n) => (n % 3 === 2 ? `own${at}x${n}` : word))
          return { ...cue, text: words.join(' ') }
        }),
        { rate: 1, offsetMs: -4_000 },
      ),
    ],
    [
      'are a translation',
      timeOtherwise(
        speech.map((cue) => ({ ...cue, text: cue.text.replaceAll(/\w+/g, (word) => `${word}en`) })),
        { rate: 1, offsetMs: -4_000 },
      ),
    ],
    [
      'share an introduction with it',
      [...timeOtherwise(speech.slice(0, 12), { rate: 1, offsetMs: -4_000 }), ...speak(120, 77).slice(12)],
    ],
    ['are two words', [{ startMs: 0, endMs: 1_000, text: 'open close' }]],
    ['are none', []],
  ])('leaves captions as they are that %s', (_what, cues) => {
    expect(alignCaptions(cues, speech)).toBeNull()
  })

  it('does nothing without speech', () => {
    expect(alignCaptions(speech, [])).toBeNull()
  })
})
