/** Everything together. The oldest goes first. */
const ALL_MAX_BYTES = 128 * 1024 * 1024

export interface EdgeEntry {
  headers: Headers
  body: Uint8Array<ArrayBuffer>
  tags: readonly string[]
  freshUntilMs: number
  staleUntilMs: number
}

/** What the stand-in of the edge keeps, by path. */
export class EdgeStore {
  readonly #entries = new Map<string, EdgeEntry>()
  readonly #nowMs: () => number
  /** How often something was purged. */
  purges = 0

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** What may still be given out. */
  find(path: string): EdgeEntry | null {
    const entry = this.#entries.get(path)
    return entry === undefined || this.#nowMs() >= entry.staleUntilMs ? null : entry
  }

  keep(path: string, entry: EdgeEntry): void {
    this.drop(path)
    this.#entries.set(path, entry)
    this.#makeRoom()
  }

  drop(path: string): void {
    this.#entries.delete(path)
  }

  purge(tags: readonly string[]): void {
    this.purges += 1
    for (const [path, entry] of this.#entries) if (entry.tags.some((tag) => tags.includes(tag))) this.drop(path)
  }

  #makeRoom(): void {
    let bytes = [...this.#entries.values()].reduce((sum, { body }) => sum + body.byteLength, 0)
    for (const [path, { body }] of this.#entries) {
      if (bytes <= ALL_MAX_BYTES) return
      bytes -= body.byteLength
      this.drop(path)
    }
  }
}
