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
  return readStored(storage, KEY + moduleId) ?? undefined
}

/** @param token null forgets it */
export function keepVisitor(storage: Storage | null, moduleId: string, token: string | null): void {
  writeStored(storage, KEY + moduleId, token)
}

const SINCE_KEY = 'adapt_kept_since:'

/** Token of the session that was started when a training was kept on this device; undefined where it is not kept. */
export function readKeptSession(storage: Storage | null, moduleId: string): string | undefined {
  return readStored(storage, SINCE_KEY + moduleId) ?? undefined
}

/** @param token null forgets it */
export function keepKeptSession(storage: Storage | null, moduleId: string, token: string | null): void {
  writeStored(storage, SINCE_KEY + moduleId, token)
}

/** The account that is signed in on this device, with what its progress can be reported by where no sign-in is loaded. */
export interface AccountLearner {
  userId: string
  token: string
  /** When the server gave it out. */
  atMs: number
}

export function readAccountLearner(storage: Storage | null): AccountLearner | null {
  const kept = parseStored(storage, ACCOUNT_KEY) as Partial<AccountLearner> | null
  return typeof kept?.token === 'string' && typeof kept.userId === 'string' ? (kept as AccountLearner) : null
}

/** @param account null where the learner is not signed in */
export function keepAccountLearner(storage: Storage | null, account: AccountLearner | null): void {
  writeStored(storage, ACCOUNT_KEY, account && JSON.stringify(account))
}

function readStored(storage: Storage | null, key: string): string | null {
  try {
    return storage?.getItem(key) ?? null
  } catch {
    // Refused.
    return null
  }
}

/** Null where nothing is stored, or what another version of Adapt or a person has written there. */
export function parseStored(storage: Storage | null, key: string): unknown {
  try {
    return JSON.parse(readStored(storage, key) ?? 'null')
  } catch {
    // Written by hand.
    return null
  }
}

/** @param text null removes what is there @returns whether it is kept longer than the page is open */
export function writeStored(storage: Storage | null, key: string, text: string | null): boolean {
  try {
    if (text === null) storage?.removeItem(key)
    else storage?.setItem(key, text)
    return storage !== null
  } catch {
    // Full or refused.
    return false
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
