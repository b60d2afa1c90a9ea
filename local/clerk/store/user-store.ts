import { eq } from 'drizzle-orm'
import { newId } from '../ids.ts'
import { type StandInDb, type User, users } from '../tables.ts'

type NewUser = Pick<User, 'email' | 'passwordHash' | 'firstName' | 'lastName'>

/** @returns null when somebody else took the address first. */
export async function createUser(db: StandInDb, user: NewUser): Promise<User | null> {
  const nowMs = Date.now()
  const row = { ...user, id: newId('user'), createdAtMs: nowMs, updatedAtMs: nowMs }
  const [created] = await db.insert(users).values(row).onConflictDoNothing().returning()
  return created ?? null
}

export async function findUser(db: StandInDb, userId: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
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
