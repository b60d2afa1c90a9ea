import { expect, it } from 'vitest'
import { moveCues } from './move-cues.ts'

it('moves captions, and leaves out what would end before the video begins', () => {
  const cues = [0, 2_000, 10_000].map((startMs) => ({ startMs, endMs: startMs + 1_500, text: `At ${startMs}.` }))
  expect(moveCues(cues, { rate: 1.1, offsetMs: -3_000 })).toEqual([
    { startMs: 0, endMs: 850, text: 'At 2000.' },
    { startMs: 8_000, endMs: 9_650, text: 'At 10000.' },
  ])
})
