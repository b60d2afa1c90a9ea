/** Where a fragment begins, and what came before it. */
export interface FragmentPlace {
  offset: number
  /** When each track goes on unless its fragment says so, in units of its timescale. */
  next: ReadonlyMap<number, number>
  /** When all samples of a track that come before are played, in units of its timescale; none: there are no such. */
  reached: ReadonlyMap<number, number>
}

/** As many bytes as are read at once after a jump. */
const SPACING_BYTES = 256 * 1024
const PLACES_MAX = 4096

/** Fragments of a file that were passed once, so that a time is found again without reading from the beginning. */
export class FragmentPlaces {
  readonly #spacingBytes: number
  readonly #places: FragmentPlace[] = []
  #reached: ReadonlyMap<number, number> = new Map()
  #passed = -1
  #isComplete = false

  constructor(fileBytes: number) {
    this.#spacingBytes = Math.max(SPACING_BYTES, fileBytes / PLACES_MAX)
  }

  /** Remembers a fragment if it is far enough behind the last one. */
  note({ offset, next, reached }: FragmentPlace): void {
    if (offset <= this.#passed) return
    this.#passed = offset
    this.#reached = reached
    if (offset < (this.#places.at(-1)?.offset ?? 0) + this.#spacingBytes) return
    this.#places.push({ offset, next: new Map(next), reached: new Map(reached) })
  }

  /** Says that the last fragment has been passed. */
  complete(reached: ReadonlyMap<number, number>): void {
    this.#reached = reached
    this.#isComplete = true
  }

  /** Whether it is known that a track has no sample at all. */
  knowsNone(trackId: number): boolean {
    return this.#isComplete && !this.#reached.has(trackId)
  }

  /**
   * The last place where all earlier samples of a track have been played at a time, and more are known to follow; null:
   * the beginning.
   */
  find(trackId: number, ticks: number): FragmentPlace | null {
    const end = this.#reached.get(trackId) ?? Number.NEGATIVE_INFINITY
    const isBefore = ({ reached }: FragmentPlace) => {
      const played = reached.get(trackId) ?? Number.NEGATIVE_INFINITY
      return played <= ticks && played < end
    }
    return this.#places.findLast(isBefore) ?? null
  }
}
