import { describe, expect, it } from 'vitest'
import { parseByteRange } from './serve-source.ts'

describe('parseByteRange', () => {
  it.each([
    ['bytes=0-1', { offset: 0, length: 2 }],
    ['bytes=0-', { offset: 0, length: 100 }],
    ['bytes=90-', { offset: 90, length: 10 }],
    ['bytes=90-500', { offset: 90, length: 10 }],
    ['bytes=99-99', { offset: 99, length: 1 }],
    ['bytes=-10', { offset: 90, length: 10 }],
    ['bytes=-500', { offset: 0, length: 100 }],
  ])('reads %s of 100 bytes', { tags: 'fault-45' }, (header, range) => {
    expect(parseByteRange(header, 100)).toEqual(range)
  })

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])('finds nothing of 100 bytes in %s', (header) => {
    expect(parseByteRange(header, 100)).toBe('unsatisfiable')
  })

  it.each([null, '', 'items=0-1', 'bytes=-', 'bytes=5-1', 'bytes=0-1,5-6', 'bytes=a-b'])('ignores %j', (header) => {
    expect(parseByteRange(header, 100)).toBeNull()
  })
})
