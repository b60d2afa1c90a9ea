const KEY = 'adapt_learner'
const BYTES = 16
const SHAPE = /^[\w-]{16,64}$/

/** Sixteen random bytes: nobody can be told by it, and nobody guesses another's. */
export function makeRandomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Of this browser; one for this page alone where it keeps nothing. */
export function readLearnerId(storage: Storage | null): string {
  const fresh = makeRandomId()
  try {
    const kept = storage?.getItem(KEY) ?? ''
    if (SHAPE.test(kept)) return kept
    storage?.setItem(KEY, fresh)
  } catch {
    // Full or refused: known for as long as the page is open.
  }
  return fresh
}

/** Null where the browser lets nothing be kept. */
export function findStorage(): Storage | null {
  try {
    return window.localStorage
  } catch {
    // Refused, as in a frame of another site.
    return null
  }
}
