import { describe, expect, it } from 'vitest'
import { Bits } from './bits.ts'

describe('Bits', () => {
  it('reads and skips bits over the edges of bytes, and zeros behind the end', () => {
    const bits = new Bits(Uint8Array.of(0b1010_0000, 0b0000_0111, 0b1000_0000), 2)
    expect([bits.read(1), bits.at]).toEqual([1, 3])
    bits.skip(10)
    expect([bits.read(4), bits.read(16), bits.at]).toEqual([0b1111, 0, 33])
  })

  it('turns bits over in place', () => {
    const bits = new Bits(new Uint8Array(2))
    bits.flip(6, 3)
    bits.flip(15)
    bits.flip(7)
    expect([...bits.bytes]).toEqual([0b10, 0b1000_0001])
  })
})
