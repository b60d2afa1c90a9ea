import { describe, expect, test } from 'vitest'
import { writeVtt } from './write-vtt.ts'

describe('writeVtt', () => {
  test('writes one cue per segment, past the hour too', () => {
    const cues = [
      { start: 0, end: 2.5, text: ' Make a loop. ' },
      { start: 3725.0004, end: 3727.9996, text: 'Pull it\n\n tight.' },
    ]
    expect(writeVtt(cues)).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:02.500\nMake a loop.\n\n01:02:05.000 --> 01:02:08.000\nPull it\ntight.\n',
    )
  })

  test('keeps words from becoming markup', () => {
    expect(writeVtt([{ start: 1, end: 2, text: 'cat <in & out> --> x' }])).toContain(
      'cat &lt;in &amp; out&gt; --&gt; x',
    )
  })
})
