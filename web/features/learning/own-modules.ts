import { parseStored, writeStored } from './learner-id.ts'

const KEY = 'adapt_own'
/** Of those that were opened last; more would only fill the storage. */
const KEPT_MAX = 300

/** Remembers that the person who is signed in owns the module, for the share page, which cannot ask. */
export function keepOwn(storage: Storage | null, moduleId: string): void {
  const others = readOwn(storage).filter((id) => id !== moduleId)
  // Where nothing can be kept, the owner counts as a learner when they try the link.
  writeStored(storage, KEY, JSON.stringify([...others, moduleId].slice(-KEPT_MAX)))
}

export function isOwn(storage: Storage | null, moduleId: string): boolean {
  return readOwn(storage).includes(moduleId)
}

function readOwn(storage: Storage | null): string[] {
  const kept = parseStored(storage, KEY)
  return Array.isArray(kept) ? kept : []
}
