interface CacheOptions<Value> {
  /** Values older than this are loaded again; by default they do not age. */
  maxAgeMs?: number
  /** The most that all values weigh together; the least recently used are dropped first. */
  maxWeight: number
  /** What a value counts, 1 by default. */
  weigh?: (value: Value) => number
}

/** A load that ended with its invocation is waited for no longer. */
const LOADED_WITHIN_MS = 5_000
const POLL_MS = 20

/** Values that an isolate keeps in memory from one invocation to the next; of a key that of one version, the newest. */
export class IsolateCache<Value> {
  readonly #options: CacheOptions<Value>
  readonly #entries = new Map<string, { value: Value; version: string; atMs: number }>()
  /** Since when each version of a key is being loaded. */
  readonly #loading = new Map<string, number>()

  constructor(options: CacheOptions<Value>) {
    this.#options = options
  }

  /** @param version what the value has to be made from */
  get(key: string, nowMs: number, version = ''): Value | undefined {
    const entry = this.#entries.get(key)
    const { maxAgeMs = Number.POSITIVE_INFINITY } = this.#options
    // Absolute: the clock may have been set back.
    if (entry?.version !== version || Math.abs(nowMs - entry.atMs) >= maxAgeMs) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: Value, nowMs: number, version = ''): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, version, atMs: nowMs })
    const { maxWeight, weigh = () => 1 } = this.#options
    let weight = 0
    for (const [each, entry] of [...this.#entries].reverse()) {
      weight += weigh(entry.value)
      if (weight > maxWeight) this.#entries.delete(each)
    }
  }

  /**
   * The value of a key, loaded once for invocations that ask at the same time. The others poll: an invocation must not
   * await the promise of another one.
   * @param version what the value is made from; a value of another version is replaced
   */
  async load(key: string, nowMs: number, load: () => Promise<Value>, version = ''): Promise<Value> {
    const loadKey = `${key} ${version}`
    for (let atMs = nowMs; ; atMs += POLL_MS) {
      const cached = this.get(key, nowMs, version)
      if (cached !== undefined) return cached
      if (this.#isLoading(loadKey, atMs)) {
        await scheduler.wait(POLL_MS)
        continue
      }
      this.#loading.set(loadKey, atMs)
      try {
        const value = await load()
        this.set(key, value, atMs, version)
        return value
      } finally {
        // A load that took too long may have been replaced by another one.
        if (this.#loading.get(loadKey) === atMs) this.#loading.delete(loadKey)
      }
    }
  }

  #isLoading(loadKey: string, nowMs: number): boolean {
    const sinceMs = this.#loading.get(loadKey)
    return sinceMs !== undefined && Math.abs(nowMs - sinceMs) < LOADED_WITHIN_MS
  }
}
