/** Reads bits from the highest one of a byte on; past the end come zeros. */
export class Bits {
  readonly bytes: Uint8Array
  /** Number of the bit that is read next. */
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  read(count: number): number {
    let value = 0
    for (const end = this.at + count; this.at < end; this.at++) {
      value = value * 2 + (((this.bytes[this.at >> 3] ?? 0) >> (7 - (this.at & 7))) & 1)
    }
    return value
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
