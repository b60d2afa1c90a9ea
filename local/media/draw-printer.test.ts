import { expect, it } from 'vitest'
import { drawShare, line } from './draw-printer.ts'

const CORNER = [line([0, 0], [10, 0]), line([10, 0], [10, 20])]
const endOf = (share: number) => drawShare(CORNER, share).split(' L').at(-1)

it('draws the first part of joined curves', () => {
  expect(drawShare(CORNER, 0)).toBe('M0.0 0.0')
  expect(endOf(0.5)).toBe('10.0 0.0')
  expect(endOf(1)).toBe('10.0 20.0')
  expect(endOf(0.25)).toBe('5.0 0.0')
})
