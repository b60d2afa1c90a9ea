import { and, desc, eq, gt, inArray, isNull } from 'drizzle-orm'
import { decodeBase64, encodeBase64 } from 'hono/utils/encode'
import { notFound } from './failures.ts'

import {
  type Attempt,
  attempts,
  newId,
  type Session,
  type StandInDb,
  sessions,
  type User,
  users,
  verifications,
} from './tables.ts'

// The most that workerd's PBKDF2 accepts.
const ITERATIONS = 100_000
const SALT_BYTES = 16
const HASH_BITS = 256

/** @returns salt and hash as one text. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES))
  return `${encodeBase64(salt.buffer)}:${await derive(password, salt)}`
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [salt = '', hash] = stored.split(':')
  return (await derive(password, decodeBase64(salt))) === hash
}

async function derive(password: string, salt: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, ['deriveBits'])
  const parameters = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ITERATIONS }
  return encodeBase64(await crypto.subtle.deriveBits(parameters, key, HASH_BITS))
}

type NewUser = Pick<User, 'email' | 'passwordHash' | 'firstName' | 'lastName'>

/** @returns null when another account has the address. */
export async function createUser(db: StandInDb, user: NewUser): Promise<User | null> {
  const nowMs = Date.now()
  const row = { ...user, id: newId('user'), createdAtMs: nowMs, updatedAtMs: nowMs }
  const [created] = await db.insert(users).values(row).onConflictDoNothing().returning()
  return created ?? null
}

/** The user that a sign-in is for; null while it is not known. */
export async function findAttemptUser(db: StandInDb, { userId }: Attempt): Promise<User | null> {
  const [user] = userId ? await db.select().from(users).where(eq(users.id, userId)) : []
  return user ?? null
}

export async function findUserByEmail(db: StandInDb, email: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.email, email))
  return user ?? null
}

export async function updateUser(db: StandInDb, userId: string, changes: Partial<NewUser>): Promise<void> {
  await db
    .update(users)
    .set({ ...changes, updatedAtMs: Date.now() })
    .where(eq(users.id, userId))
}

// Clerk's default session length.
const SESSION_MS = 7 * 24 * 60 * 60 * 1000

export interface UserSession {
  session: Session
  user: User
  /** When the password was given last. */
  verifiedAtMs: number
}

export async function openSession(db: StandInDb, clientId: string, userId: string): Promise<Session> {
  const nowMs = Date.now()
  const session = {
    id: newId('sess'),
    clientId,
    userId,
    organizationId: null,
    createdAtMs: nowMs,
    lastActiveAtMs: nowMs,
    expiresAtMs: nowMs + SESSION_MS,
  }
  await db.insert(sessions).values(session)
  return session
}

/** The session of this browser that is open; one at a time, as in Clerk's single session mode. */
export async function findOpenSession(db: StandInDb, clientId: string): Promise<UserSession | null> {
  const isOpen = and(eq(sessions.clientId, clientId), gt(sessions.expiresAtMs, Date.now()))
  const [found] = await db
    .select({ session: sessions, user: users, verification: verifications })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(verifications, eq(verifications.id, sessions.id))
    .where(isOpen)
  if (found === undefined) return null
  const { session, user, verification } = found
  return { session, user, verifiedAtMs: (verification ?? session).createdAtMs }
}

/** Notes that the person of a session has given the password again. */
export async function recordVerification(db: StandInDb, { id }: Session): Promise<void> {
  const createdAtMs = Date.now()
  await db
    .insert(verifications)
    .values({ id, createdAtMs })
    .onConflictDoUpdate({ target: verifications.id, set: { createdAtMs } })
}

/** Ends the sessions of a browser, and what it began. */
export async function forgetClient(db: StandInDb, clientId: string): Promise<void> {
  const ended = db.select({ id: sessions.id }).from(sessions).where(eq(sessions.clientId, clientId))
  await db.batch([
    db.delete(verifications).where(inArray(verifications.id, ended)),
    db.delete(sessions).where(eq(sessions.clientId, clientId)),
    db.delete(attempts).where(eq(attempts.clientId, clientId)),
  ])
}

type AttemptKind = Attempt['kind']
type AttemptDetails = Partial<Omit<Attempt, 'id' | 'kind' | 'clientId' | 'createdAtMs'>>
type NewAttempt = Pick<Attempt, 'kind' | 'clientId'> & AttemptDetails

export async function startAttempt(db: StandInDb, attempted: NewAttempt): Promise<Attempt> {
  const id = newId(attempted.kind === 'sign_in' ? 'sia' : 'sua')
  const row = { ...attempted, id, createdAtMs: Date.now() }
  const [attempt] = await db.insert(attempts).values(row).returning()
  return attempt as Attempt
}

export async function updateAttempt(db: StandInDb, attempt: Attempt, changes: AttemptDetails): Promise<Attempt> {
  await db.update(attempts).set(changes).where(eq(attempts.id, attempt.id))
  return { ...attempt, ...changes }
}

/** @throws {HTTPException} for an attempt that another browser made, too. */
export async function getAttempt(
  db: StandInDb,
  { kind, clientId, id }: Pick<Attempt, 'kind' | 'clientId' | 'id'>,
): Promise<Attempt> {
  const isIt = and(eq(attempts.id, id), eq(attempts.kind, kind), eq(attempts.clientId, clientId))
  const [attempt] = await db.select().from(attempts).where(isIt)
  if (!attempt) throw notFound('Attempt')
  return attempt
}

/** The newest attempt that is not complete; lets a reload in the middle of signing in go on. */
export async function findOpenAttempt(db: StandInDb, clientId: string, kind: AttemptKind): Promise<Attempt | null> {
  const isOpen = and(eq(attempts.clientId, clientId), eq(attempts.kind, kind), isNull(attempts.sessionId))
  const [attempt] = await db.select().from(attempts).where(isOpen).orderBy(desc(attempts.createdAtMs)).limit(1)
  return attempt ?? null
}
