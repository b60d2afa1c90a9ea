import { drizzle } from 'drizzle-orm/d1'
import { getTableConfig, integer, type SQLiteTable, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { customAlphabet } from 'nanoid'

// Shaped like Clerk's own ids: 27 characters, about 160 random bits, so a client id can serve as its cookie's secret.
const randomPart = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 27)

type IdPrefix = 'user' | 'client' | 'sess' | 'sia' | 'sua' | 'org' | 'orginv'

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomPart()}`
}

export const signingKeys = sqliteTable('local_clerk_signing_keys', {
  id: text('id').primaryKey(),
  jwk: text('jwk', { mode: 'json' }).$type<JsonWebKey>().notNull(),
})

export const users = sqliteTable('local_clerk_users', {
  id: text('id').primaryKey(),
  email: text('email').notNull().unique(),
  passwordHash: text('password_hash').notNull(),
  firstName: text('first_name'),
  lastName: text('last_name'),
  createdAtMs: integer('created_at_ms').notNull(),
  updatedAtMs: integer('updated_at_ms').notNull(),
})

export const sessions = sqliteTable('local_clerk_sessions', {
  id: text('id').primaryKey(),
  clientId: text('client_id').notNull(),
  userId: text('user_id').notNull(),
  organizationId: text('organization_id'),
  createdAtMs: integer('created_at_ms').notNull(),
  lastActiveAtMs: integer('last_active_at_ms').notNull(),
  expiresAtMs: integer('expires_at_ms').notNull(),
})

/** A sign-in or sign-up under way; complete once it has a session. */
export const attempts = sqliteTable('local_clerk_attempts', {
  id: text('id').primaryKey(),
  kind: text('kind', { enum: ['sign_in', 'sign_up'] }).notNull(),
  clientId: text('client_id').notNull(),
  email: text('email'),
  passwordHash: text('password_hash'),
  firstName: text('first_name'),
  lastName: text('last_name'),
  userId: text('user_id'),
  sessionId: text('session_id'),
  createdAtMs: integer('created_at_ms').notNull(),
})

export const organizations = sqliteTable('local_clerk_organizations', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  slug: text('slug').notNull().unique(),
  createdAtMs: integer('created_at_ms').notNull(),
})

export const memberships = sqliteTable('local_clerk_memberships', {
  /** Made of both ids, so that a user is in an organization once. */
  id: text('id').primaryKey(),
  organizationId: text('organization_id').notNull(),
  userId: text('user_id').notNull(),
  role: text('role').notNull(),
  createdAtMs: integer('created_at_ms').notNull(),
})

export const invitations = sqliteTable('local_clerk_invitations', {
  id: text('id').primaryKey(),
  organizationId: text('organization_id').notNull(),
  email: text('email').notNull(),
  role: text('role').notNull(),
  status: text('status', { enum: ['pending', 'accepted', 'revoked'] }).notNull(),
  createdAtMs: integer('created_at_ms').notNull(),
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

const TABLES = [signingKeys, users, sessions, attempts, organizations, memberships, invitations]

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
