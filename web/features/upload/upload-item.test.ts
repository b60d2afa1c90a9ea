import { describe, expect, it } from 'vitest'
import { percentSent } from './upload-run.ts'

describe('percentSent', () => {
  it.each([
    [0, 1000, 5],
    [50, 1000, 5],
    [60, 1000, 6],
    [500, 1000, 50],
    [990, 1000, 99],
    [1000, 1000, 99],
    [0, 0, 5],
  ])('%i of %i bytes are %i percent [spec 9.8]', (sent, size, percent) => expect(percentSent(sent, size)).toBe(percent))
})
