import { and, desc, eq, isNull } from 'drizzle-orm'
import { notFound } from '../fapi-error.ts'
import { newId } from '../ids.ts'
import { type Attempt, attempts, type StandInDb } from '../tables.ts'

type AttemptKind = Attempt['kind']
type AttemptDetails = Partial<Pick<Attempt, 'email' | 'passwordHash' | 'firstName' | 'lastName' | 'userId'>>
type AttemptChanges = AttemptDetails & Partial<Pick<Attempt, 'sessionId'>>

const ID_PREFIX = { sign_in: 'sia', sign_up: 'sua' } as const

interface NewAttempt {
  kind: AttemptKind
  clientId: string
  details: AttemptDetails
}

export async function startAttempt(db: StandInDb, { kind, clientId, details }: NewAttempt): Promise<Attempt> {
  const row = { ...details, id: newId(ID_PREFIX[kind]), kind, clientId, createdAtMs: Date.now() }
  const [attempt] = await db.insert(attempts).values(row).returning()
  return attempt as Attempt
}

export async function updateAttempt(db: StandInDb, attempt: Attempt, changes: AttemptChanges): Promise<Attempt> {
  await db.update(attempts).set(changes).where(eq(attempts.id, attempt.id))
  return { ...attempt, ...changes }
}

interface AttemptAddress {
  kind: AttemptKind
  clientId: string
  attemptId: string
}

/** @throws {FapiError} for an attempt that another browser made, too. */
export async function getAttempt(db: StandInDb, { kind, clientId, attemptId }: AttemptAddress): Promise<Attempt> {
  const isIt = and(eq(attempts.id, attemptId), eq(attempts.kind, kind), eq(attempts.clientId, clientId))
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

export async function dropAttempts(db: StandInDb, clientId: string): Promise<void> {
  await db.delete(attempts).where(eq(attempts.clientId, clientId))
}
