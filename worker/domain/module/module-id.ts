import { nanoid } from 'nanoid'

/** 22 characters of nanoid's alphabet of 64: 132 random bits. The id is what a share link rests on. */
const RANDOM_CHARS = 22

/**
 * The databases that hold modules and collections, by the first character of their ids: a link or a socket knows
 * nothing but an id (`docs/decisions/database-and-search.md`). A second database gets the next letter, and `openDatabase` chooses by it.
 */
const DATABASES = { a: 'DB' } as const satisfies Record<string, keyof Env>
/** Where a new one is put. */
const NEWEST = 'a'
/** Ids of any other length are older than the prefix. */
const FIRST: (typeof DATABASES)[keyof typeof DATABASES] = 'DB'

const ID = /^[\w-]{21,64}$/

/** Makes the id of a module or a collection: a character for its database, and what cannot be guessed. */
export function makeModuleId(): string {
  return NEWEST + nanoid(RANDOM_CHARS)
}

/**
 * The binding of the database that holds a module or a collection.
 * @returns null for a text that cannot be an id, and for a database that there is not
 */
export function databaseOf(id: string): (typeof DATABASES)[keyof typeof DATABASES] | null {
  if (!ID.test(id)) return null
  if (id.length !== NEWEST.length + RANDOM_CHARS) return FIRST
  return Object.entries(DATABASES).find(([prefix]) => id.startsWith(prefix))?.[1] ?? null
}

/** Whether a text could be the id of a module at all; anything else is answered without asking a database. */
export function isModuleId(text: string): boolean {
  return databaseOf(text) !== null
}
