const KEY = 'adapt_learner:'
const ACCOUNT_KEY = 'adapt_account_learner'
const BYTES = 16

/** Sixteen random bytes, which name an opened page. */
export function makeRandomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** What the server knows this browser's learner without an account by, at one module; undefined before the first visit. */
export function readVisitor(storage: Storage | null, moduleId: string): string | undefined {
  return read(storage, KEY + moduleId) ?? undefined
}

/** @param token null forgets it */
export function keepVisitor(storage: Storage | null, moduleId: string, token: string | null): void {
  write(storage, KEY + moduleId, token)
}

/** The account that is signed in on this device, with what its progress can be reported by where no sign-in is loaded. */
export interface AccountLearner {
  userId: string
  token: string
  /** When the server gave it out. */
  atMs: number
}

export function readAccountLearner(storage: Storage | null): AccountLearner | null {
  try {
    const kept = JSON.parse(read(storage, ACCOUNT_KEY) ?? 'null') as Partial<AccountLearner> | null
    return typeof kept?.token === 'string' && typeof kept.userId === 'string' ? (kept as AccountLearner) : null
  } catch {
    // Written by hand.
    return null
  }
}

/** @param account null where the learner is not signed in */
export function keepAccountLearner(storage: Storage | null, account: AccountLearner | null): void {
  write(storage, ACCOUNT_KEY, account && JSON.stringify(account))
}

function read(storage: Storage | null, key: string): string | null {
  try {
    return storage?.getItem(key) ?? null
  } catch {
    // Refused.
    return null
  }
}

function write(storage: Storage | null, key: string, text: string | null): void {
  try {
    if (text === null) storage?.removeItem(key)
    else storage?.setItem(key, text)
  } catch {
    // Full or refused: known for as long as the page is open.
  }
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
