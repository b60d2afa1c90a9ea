const KEY = 'adapt_own'
/** Of those that were opened last; more would only fill the storage. */
const KEPT_MAX = 300

/** Remembers that the person who is signed in owns the module, for the share page, which cannot ask. */
export function keepOwn(storage: Storage | null, moduleId: string): void {
  const others = readOwn(storage).filter((id) => id !== moduleId)
  try {
    storage?.setItem(KEY, JSON.stringify([...others, moduleId].slice(-KEPT_MAX)))
  } catch {
    // Full or refused: the owner counts as a learner where they try the link.
  }
}

export function isOwn(storage: Storage | null, moduleId: string): boolean {
  return readOwn(storage).includes(moduleId)
}

function readOwn(storage: Storage | null): string[] {
  try {
    const kept: unknown = JSON.parse(storage?.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    // Refused, or written by hand.
    return []
  }
}
