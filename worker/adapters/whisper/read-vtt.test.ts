import { describe, expect, it } from 'vitest'
import { readVtt } from './read-vtt.ts'

describe('readVtt', () => {
  it.each([
    ['00.820 --> 01.520', 0.82, 1.52],
    ['00:00.820 --> 00:01.520', 0.82, 1.52],
    ['00:00:00.820 --> 01:02:01.520', 0.82, 3_721.52],
    ['61.5 --> 62', 61.5, 62],
    ['00:00,820 --> 00:01,520 align:start', 0.82, 1.52],
  ])('reads the time %s', (timing, start, end) => {
    expect(readVtt(`WEBVTT\n\n${timing}\nOpen the menu.`)).toEqual([{ text: 'Open the menu.', start, end }])
  })

  it('reads cues with names, lines of text and line ends of any system, and passes over the rest', () => {
    const vtt =
      'WEBVTT\r\n\r\nNOTE made up\r\n\r\n1\r\n0.0 --> 1.0\r\nOpen\r\nit.\r\n\r\n1.0 --> 2.0\r\n\r\n\r\n2.0 --> 3.0\r\nDone.\r\n'
    expect(readVtt(vtt).map(({ text }) => text)).toEqual(['Open it.', 'Done.'])
    expect(readVtt('')).toEqual([])
    expect(readVtt('Open the menu.')).toEqual([])
  })
})
