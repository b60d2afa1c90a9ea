/** Reads bits from the highest one of a byte on; past the end come zeros. */
export class Bits {
  readonly bytes: Uint8Array
  /** Number of the bit that is read next. */
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  /** @param count 1 to 16 */
  read(count: number): number {
    const { bytes, at } = this
    const byte = at >> 3
    const next = ((bytes[byte] ?? 0) << 16) | ((bytes[byte + 1] ?? 0) << 8) | (bytes[byte + 2] ?? 0)
    this.at += count
    return (next >> (24 - (at & 7) - count)) & ((1 << count) - 1)
  }

  skip(count: number): void {
    this.at += count
  }

  /** Turns single bits over, wherever reading is. */
  flip(first: number, count = 1): void {
    for (let bit = first; bit < first + count; bit++) {
      this.bytes[bit >> 3] = (this.bytes[bit >> 3] ?? 0) ^ (1 << (7 - (bit & 7)))
    }
  }
}
