import { MediaFault } from './media-fault.ts'

/** Reads are compared with so many before them. */
const REMEMBERED = 4
/** A reader that gets on comes back to a place a few times at most. */
const REPEATS_MAX = 1_000

/**
 * Ends a reading that goes round in circles. mediabunny looks for the next element behind one whose size is broken, and
 * finds the same one again, for ever; no timer and no signal reaches a loop that never waits.
 */
export class ProgressGuard {
  readonly #starts: number[] = Array.from({ length: REMEMBERED }, () => -1)
  #next = 0
  #repeats = 0

  /** Notes where each read begins. @throws {MediaFault} `unreadable` when it is always the same few places */
  note(start: number): void {
    if (this.#starts.includes(start)) {
      this.#repeats += 1
      if (this.#repeats > REPEATS_MAX) {
        throw new MediaFault('unreadable', 'This file is damaged, so Adapt cannot read it. Export it again as MP4.')
      }
      return
    }
    this.#repeats = 0
    this.#starts[this.#next] = start
    this.#next = (this.#next + 1) % REMEMBERED
  }
}
