import { expect, it } from 'vitest'
import { formatWebVtt } from './web-vtt.ts'

it('writes one block per cue, with hours and milliseconds', () => {
  const cues = [
    { startMs: 600, endMs: 3065, text: 'First, open it.' },
    { startMs: 3_599_999, endMs: 3_661_007, text: 'Then close it.' },
  ]
  expect(formatWebVtt(cues)).toBe(
    'WEBVTT\n\n00:00:00.600 --> 00:00:03.065\nFirst, open it.\n\n00:59:59.999 --> 01:01:01.007\nThen close it.\n',
  )
})
