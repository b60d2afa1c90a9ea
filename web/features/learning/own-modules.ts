import { keepStored, parseStored } from '#web/lib/browser-state.ts'

const KEY = 'adapt_own'
/** Of those that were opened last; more would only fill the storage. */
const KEPT_MAX = 300

/** Remembers that the person who is signed in owns the module, for the share page, which cannot ask. */
export function keepOwn(moduleId: string): void {
  const others = readOwn().filter((id) => id !== moduleId)
  // Where nothing can be kept, the owner counts as a learner when they try the link.
  keepStored(KEY, JSON.stringify([...others, moduleId].slice(-KEPT_MAX)))
}

/** Counts the owner as a learner, for a training that is assigned to them. */
export function forgetOwn(moduleId: string): void {
  keepStored(KEY, JSON.stringify(readOwn().filter((id) => id !== moduleId)))
}

export function isOwn(moduleId: string): boolean {
  return readOwn().includes(moduleId)
}

function readOwn(): string[] {
  const ids = parseStored(KEY)
  return Array.isArray(ids) ? ids : []
}
