const PREFIX = 'adapt-upload:'

/** Which uploads are on their way in any tab of this browser, so that none is resumed twice. */
export interface UploadLocks {
  /** @returns a function that releases the lock; the browser releases it for a closed tab. */
  hold(moduleId: string): () => void
  list(): Promise<ReadonlySet<string>>
}

export const uploadLocks: UploadLocks = {
  hold(moduleId) {
    const held = Promise.withResolvers<void>()
    void navigator.locks.request(PREFIX + moduleId, () => held.promise)
    return held.resolve
  },
  async list() {
    const { held = [] } = await navigator.locks.query()
    const names = held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []))
    return new Set(names)
  },
}
