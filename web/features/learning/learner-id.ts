import { keepStored, parseStored, readStored } from '#web/lib/browser-state.ts'

const KEY = 'adapt_learner:'
const ACCOUNT_KEY = 'adapt_account_learner'
const BYTES = 16

/** Sixteen random bytes, which name an opened page. */
export function makeRandomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** What the server knows this browser's learner without an account by, at one module; undefined before the first visit. */
export function readVisitor(moduleId: string): string | undefined {
  return readStored(KEY + moduleId) ?? undefined
}

/** @param token null forgets it */
export function keepVisitor(moduleId: string, token: string | null): void {
  keepStored(KEY + moduleId, token)
}

const SINCE_KEY = 'adapt_kept_since:'

/** Token of the session that was started when a training was kept on this device; undefined where it is not kept. */
export function readKeptSession(moduleId: string): string | undefined {
  return readStored(SINCE_KEY + moduleId) ?? undefined
}

/** @param token null forgets it */
export function keepKeptSession(moduleId: string, token: string | null): void {
  keepStored(SINCE_KEY + moduleId, token)
}

/** The account that is signed in on this device, with what its progress can be reported by where no sign-in is loaded. */
export interface AccountLearner {
  userId: string
  token: string
  /** When the server gave it out. */
  atMs: number
}

export function readAccountLearner(): AccountLearner | null {
  const storedLearner = parseStored(ACCOUNT_KEY) as Partial<AccountLearner> | null
  return typeof storedLearner?.token === 'string' && typeof storedLearner.userId === 'string'
    ? (storedLearner as AccountLearner)
    : null
}

/** @param account null where the learner is not signed in */
export function keepAccountLearner(account: AccountLearner | null): void {
  keepStored(ACCOUNT_KEY, account && JSON.stringify(account))
}
