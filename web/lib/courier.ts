import { backoffAfter } from './backoff.ts'

const PAUSES = { firstMs: 2_000, maxMs: 60_000 }

/** Brings what a device keeps to the server: one item at a time, with pauses that grow while it does not arrive. */
export abstract class Courier<Item, Outcome> {
  #isSending = false
  #failures = 0
  #pause: ReturnType<typeof setTimeout> | undefined

  /** What is to be brought next; null while there is nothing. */
  protected abstract findNext(): Item | null

  /** Never rejects. */
  protected abstract bring(item: Item): Promise<Outcome>

  /** Takes note of the outcome. @returns how long to wait at least before the next try; null goes on at once */
  protected abstract settle(item: Item, outcome: Outcome): number | null

  /** Sends what waits, unless the server has asked for a pause. */
  flush(): void {
    if (!this.#isSending && this.#pause === undefined) void this.#sendNext()
  }

  /** Tries again at once: the connection is back. */
  hurry(): void {
    this.rest()
    this.flush()
  }

  /** Ends a pause without a new try. */
  protected rest(): void {
    clearTimeout(this.#pause)
    this.#pause = undefined
  }

  async #sendNext(): Promise<void> {
    const item = this.findNext()
    if (item === null) return
    this.#isSending = true
    const outcome = await this.bring(item)
    this.#isSending = false
    const afterMs = this.settle(item, outcome)
    if (afterMs !== null) {
      const pauseMs = Math.max(afterMs, backoffAfter(this.#failures++, PAUSES))
      this.#pause = setTimeout(() => this.hurry(), pauseMs)
      return
    }
    this.#failures = 0
    this.flush()
  }
}
