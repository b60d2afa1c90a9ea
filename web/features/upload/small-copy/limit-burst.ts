import type { EncodedPacket } from 'mediabunny'

/** A player is so far ahead before it begins to wait for what is denser than its line carries. */
const BURST_S = 8

/** Watches that what is encoded keeps a rate, but for bursts that a player has loaded ahead. */
export class BurstLimit {
  readonly #bitsPerS: number
  /** What has come that the rate has not carried yet. */
  #waitingBits = 0
  #lastS = 0
  isPassed = false

  constructor(bitsPerS: number) {
    this.#bitsPerS = bitsPerS
  }

  note({ timestamp, byteLength }: Pick<EncodedPacket, 'timestamp' | 'byteLength'>): void {
    const carriedBits = Math.max(0, timestamp - this.#lastS) * this.#bitsPerS
    this.#waitingBits = Math.max(0, this.#waitingBits - carriedBits) + byteLength * 8
    this.#lastS = timestamp
    this.isPassed ||= this.#waitingBits > BURST_S * this.#bitsPerS
  }
}
