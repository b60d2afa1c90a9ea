import { expect, it } from 'vitest'
import { scoreSample } from './score.ts'

it.each([
  // Wilson's interval, to a tenth of a percent.
  [8, 10, 80, 49, 94.3],
  [50, 50, 100, 92.9, 100],
  [0, 50, 0, 0, 7.1],
  [240, 300, 80, 75.1, 84.1],
])('puts %i of %i at %f %%, between %f and %f', (killed, judged, scorePercent, lowPercent, highPercent) => {
  expect(scoreSample(killed, judged)).toEqual({ killed, judged, scorePercent, lowPercent, highPercent })
})

it('knows nothing without a sample', () => {
  expect(scoreSample(0, 0)).toMatchObject({ lowPercent: 0, highPercent: 100 })
})
