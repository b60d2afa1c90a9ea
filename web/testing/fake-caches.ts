/** As much of Cache Storage and of Web Locks as keeping a training needs, which jsdom has not. */
export class FakeCaches {
  readonly #caches = new Map<string, Map<string, Response>>()
  /** Bytes that fit in before the storage is full. */
  roomBytes = Number.POSITIVE_INFINITY

  async open(name: string) {
    const entries = this.#caches.get(name) ?? new Map<string, Response>()
    this.#caches.set(name, entries)
    return {
      put: async (path: string, answer: Response) => {
        this.roomBytes -= (await answer.clone().arrayBuffer()).byteLength
        if (this.roomBytes < 0) throw new DOMException('full', 'QuotaExceededError')
        entries.set(path, answer)
      },
      match: async (path: string) => entries.get(path)?.clone(),
      matchAll: async () => [...entries.values()].map((answer) => answer.clone()),
      delete: async (path: string) => entries.delete(path),
      keys: async () => [...entries.keys()].map((path) => ({ url: `https://adapt.test${path}` })),
    }
  }
  has = async (name: string) => this.#caches.has(name)
  keys = async () => [...this.#caches.keys()]
  delete = async (name: string) => this.#caches.delete(name)
}

/** Locks of one tab: each name is held by one at a time. */
export class FakeLocks {
  readonly #held = new Map<string, Promise<unknown>>()

  request = async (name: string, _options: object, work: (lock: object) => Promise<unknown>): Promise<unknown> => {
    const before = this.#held.get(name) ?? Promise.resolve()
    const mine = before.catch(() => undefined).then(() => work({ name }))
    this.#held.set(name, mine)
    return mine
  }
}
