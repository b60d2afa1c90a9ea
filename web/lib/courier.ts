import { backoffAfter } from './backoff.ts'

interface CourierDeps<Item, Outcome> {
  /** What is to be brought next; null while there is nothing. */
  findNext: () => Item | null
  /** Never rejects. */
  bring: (item: Item) => Promise<Outcome>
  /** Takes note of the outcome. @returns how long to wait at least before the next try; null goes on at once */
  settle: (item: Item, outcome: Outcome) => number | null
}

const PAUSES = { firstMs: 2_000, maxMs: 60_000 }

/** Brings what a device keeps to the server: one item at a time, with pauses that grow while it does not arrive. */
export class Courier<Item, Outcome> {
  readonly #deps: CourierDeps<Item, Outcome>
  #isSending = false
  #failures = 0
  #pause: ReturnType<typeof setTimeout> | null = null

  constructor(deps: CourierDeps<Item, Outcome>) {
    this.#deps = deps
  }

  /** Sends what waits, unless the server has asked for a pause. */
  flush(): void {
    if (!this.#isSending && this.#pause === null) void this.#sendNext()
  }

  /** Tries again at once: the connection is back. */
  hurry(): void {
    this.rest()
    this.flush()
  }

  /** Ends a pause without a new try. */
  rest(): void {
    if (this.#pause !== null) clearTimeout(this.#pause)
    this.#pause = null
  }

  async #sendNext(): Promise<void> {
    const item = this.#deps.findNext()
    if (item === null) return
    this.#isSending = true
    const outcome = await this.#deps.bring(item)
    this.#isSending = false
    const afterMs = this.#deps.settle(item, outcome)
    if (afterMs === null) {
      this.#failures = 0
      return this.flush()
    }
    this.#pause = setTimeout(() => this.hurry(), Math.max(afterMs, backoffAfter(this.#failures++, PAUSES)))
  }
}
