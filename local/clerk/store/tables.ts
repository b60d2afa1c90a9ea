import { drizzle } from 'drizzle-orm/d1'
import { getTableConfig, integer, type SQLiteTable, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { customAlphabet } from 'nanoid'

// Shaped like Clerk's own ids: 27 characters, about 160 random bits, so a client id can serve as its cookie's secret.
const randomPart = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 27)

type IdPrefix = 'user' | 'client' | 'sess' | 'sia' | 'sua' | 'org' | 'orginv'

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomPart()}`
}

const row = { id: text('id').primaryKey(), createdAtMs: integer('created_at_ms').notNull() }
const names = { firstName: text('first_name'), lastName: text('last_name') }

export const signingKeys = sqliteTable('local_clerk_signing_keys', {
  id: text('id').primaryKey(),
  jwk: text('jwk', { mode: 'json' }).$type<JsonWebKey>().notNull(),
})

export const users = sqliteTable('local_clerk_users', {
  ...row,
  email: text('email').notNull().unique(),
  passwordHash: text('password_hash').notNull(),
  ...names,
  updatedAtMs: integer('updated_at_ms').notNull(),
})

export const sessions = sqliteTable('local_clerk_sessions', {
  ...row,
  clientId: text('client_id').notNull(),
  userId: text('user_id').notNull(),
  organizationId: text('organization_id'),
  lastActiveAtMs: integer('last_active_at_ms').notNull(),
  expiresAtMs: integer('expires_at_ms').notNull(),
})

/** When the person of a session last gave the password again; its id is that of the session. */
export const verifications = sqliteTable('local_clerk_verifications', row)

/** A sign-in or sign-up under way; complete once it has a session. */
export const attempts = sqliteTable('local_clerk_attempts', {
  ...row,
  kind: text('kind', { enum: ['sign_in', 'sign_up'] }).notNull(),
  clientId: text('client_id').notNull(),
  email: text('email'),
  passwordHash: text('password_hash'),
  ...names,
  userId: text('user_id'),
  sessionId: text('session_id'),
})

export const organizations = sqliteTable('local_clerk_organizations', {
  ...row,
  name: text('name').notNull(),
  slug: text('slug').notNull().unique(),
})

export const memberships = sqliteTable('local_clerk_memberships', {
  /** The id is made of both ids, so that a user is in an organization once. */
  ...row,
  organizationId: text('organization_id').notNull(),
  userId: text('user_id').notNull(),
  role: text('role').notNull(),
})

export const invitations = sqliteTable('local_clerk_invitations', {
  ...row,
  organizationId: text('organization_id').notNull(),
  email: text('email').notNull(),
  role: text('role').notNull(),
  status: text('status', { enum: ['pending', 'accepted', 'revoked'] }).notNull(),
})

export type User = typeof users.$inferSelect
export type Session = typeof sessions.$inferSelect
export type Attempt = typeof attempts.$inferSelect
export type Organization = typeof organizations.$inferSelect
export type Membership = typeof memberships.$inferSelect
export type Invitation = typeof invitations.$inferSelect
export type StandInDb = ReturnType<typeof drizzle>

/** Opens the stand-in's own tables beside the product's, which know nothing of them. */
export function openStandInDb(binding: D1Database): StandInDb {
  return drizzle(binding)
}

const TABLES = [signingKeys, users, sessions, verifications, attempts, organizations, memberships, invitations]

/** Creates what is missing. The tables are no migration, because migrations reach production. */
export async function createTables(binding: D1Database, tables: SQLiteTable[] = TABLES): Promise<void> {
  await binding.batch(tables.map((table) => binding.prepare(createStatement(table))))
}

function createStatement(table: SQLiteTable): string {
  const { name, columns } = getTableConfig(table)
  const columnSql = columns.map((column) => {
    const constraints = [column.primary && 'PRIMARY KEY', column.notNull && 'NOT NULL', column.isUnique && 'UNIQUE']
    return [column.name, column.getSQLType(), ...constraints.filter(Boolean)].join(' ')
  })
  return `CREATE TABLE IF NOT EXISTS ${name} (${columnSql.join(', ')})`
}
