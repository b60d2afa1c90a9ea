import { and, eq, gt } from 'drizzle-orm'
import { newId } from '../ids.ts'
import { type Session, type StandInDb, sessions, type User, users } from '../tables.ts'

// Clerk's default session length.
const SESSION_MS = 7 * 24 * 60 * 60 * 1000

export interface UserSession {
  session: Session
  user: User
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
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(isOpen)
  return found ?? null
}

interface Touch {
  /** undefined: leave as it is; null: no organization. */
  organizationId: string | null | undefined
}

export async function touchSession(db: StandInDb, session: Session, { organizationId }: Touch): Promise<void> {
  const changes = { lastActiveAtMs: Date.now(), ...(organizationId !== undefined && { organizationId }) }
  await db.update(sessions).set(changes).where(eq(sessions.id, session.id))
}

export async function closeSessions(db: StandInDb, clientId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.clientId, clientId))
}
