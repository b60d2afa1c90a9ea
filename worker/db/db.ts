import { drizzle } from 'drizzle-orm/d1'
import * as schema from './schema.ts'

/** The truth. One per request or job; opening costs nothing. */
export function openDb(binding: D1Database) {
  return drizzle(binding, { schema })
}

export type Db = ReturnType<typeof openDb>
