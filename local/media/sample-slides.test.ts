import { describe, expect, it } from 'vitest'
import { drawSlide, formatWebVtt, SAMPLE_SCRIPT, showMoment } from './sample-slides.ts'

// Ten seconds for each part, its sentences two seconds long.
const CUES = SAMPLE_SCRIPT.map(({ sentences }, part) =>
  sentences.map((text, index) => {
    const startMs = part * 10_000 + 1000 + index * 3000
    return { startMs, endMs: startMs + 2000, text }
  }),
)
const at = (timeMs: number) => showMoment(SAMPLE_SCRIPT, CUES, timeMs)

describe('showMoment', () => {
  it('begins with the finished printer and the title', () => {
    const { scene, part } = at(0)
    expect(scene).toMatchObject({ power: 1, lid: 0, arrow: null })
    expect(part.step).toBeNull()
  })

  it('points at something while it is explained, then moves it', () => {
    expect(at(11_100).scene).toMatchObject({ power: 1, arrow: 'powerButton' })
    const half = at(12_650).scene.power
    expect(half).toBeGreaterThan(0)
    expect(half).toBeLessThan(1)
    expect(at(13_500).scene).toMatchObject({ power: 0, arrow: null })
  })

  it('keeps what was done through the later parts', () => {
    expect(at(45_000).scene).toMatchObject({ power: 0, lid: 1, fullRoll: 1, rollLift: 0 })
    expect(at(89_000).scene).toMatchObject({ power: 1, lid: 0, paper: 1, label: 1, arrow: null })
  })

  it('brings up a slide half a second before its first word', () => {
    expect(at(10_499).part.step).toBeNull()
    expect(at(10_500)).toMatchObject({ part: { step: 1 }, partAgeMs: 0 })
  })
})

describe('drawSlide', () => {
  it.each(SAMPLE_SCRIPT.map((part, index) => [part.heading[0], index]))(
    'fills in all of the drawing at "%s"',
    (_, index) => {
      for (const moveMs of [0, 2_650, 5_650]) {
        const slide = drawSlide(at(Number(index) * 10_000 + moveMs))
        expect(slide).not.toMatch(/[{}]|undefined|NaN/)
      }
    },
  )

  it('names only arrows that are drawn', () => {
    const slide = drawSlide(at(0))
    for (const { arrow } of SAMPLE_SCRIPT.flatMap(({ moves }) => moves)) {
      expect(slide).toContain(`<path id="${arrow}"`)
      expect(slide).toContain(`<use id="${arrow}-tip"`)
    }
  })

  it('draws the paper and an arrow as far as they have come', () => {
    const before = drawSlide(at(42_000))
    expect(before).toContain('stroke-dasharray="121 2000"')
    expect(drawSlide(at(59_000))).toContain('stroke-dasharray="403 2000"')
    expect(drawSlide(at(11_440))).toContain('href="#powerButton" fill="none" stroke="#e4572e"')
    expect(drawSlide(at(11_440))).toContain('stroke-dasharray="52 2000"')
  })
})

it('writes one block per cue, with hours and milliseconds', () => {
  const cues = [
    { startMs: 600, endMs: 3065, text: 'First, open it.' },
    { startMs: 3_599_999, endMs: 3_661_007, text: 'Then close it.' },
  ]
  expect(formatWebVtt(cues)).toBe(
    'WEBVTT\n\n00:00:00.600 --> 00:00:03.065\nFirst, open it.\n\n00:59:59.999 --> 01:01:01.007\nThen close it.\n',
  )
})
