import { describe, expect, it } from 'vitest'
import { pickMedia } from '../testing/cut-all.ts'
import { box } from '../testing/make-boxes.ts'
import { findListedEnd } from './segment-index.ts'

const STREAM = [0, 1, 1_000]
const LONG = 0x0100_0000

function endOf(...content: number[]): Promise<number | null> {
  return findListedEnd(pickMedia(Uint8Array.from(box('sidx', ...content)))(), { end: 0 })
}

describe('findListedEnd', () => {
  it('adds up the sizes in the list, behind its first place', async () => {
    const two = [2, 500, 1_000, 0, 700, 1_000, 0]
    expect(await endOf(...STREAM, 0, 16, ...two)).toBe(8 + 4 * 12 + 16 + 500 + 700)
    expect(await endOf(LONG, 1, 1_000, 0, 0, 0, 16, ...two)).toBe(8 + 4 * 14 + 16 + 500 + 700)
  })

  it.each([0, 1, 3, 4, 5])('finds no end in a list of %d numbers', async (length) => {
    for (const version of [0, LONG]) {
      expect(await endOf(...[version, 1, 1_000, 0, 0].slice(0, length))).toBeNull()
    }
  })
})
