import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './db.ts'

/** Far from the 30 seconds that D1 gives a statement, also with indexes to keep up. */
const ROWS_PER_STEP = 5_000
/** So that one table does not use up all calls that an invocation may make. */
const STEPS_MAX = 10

/** Deletes rows, so many at a time that no statement takes long. @returns false while there are more of them */
export async function deleteInSteps(db: Db, table: SQLiteTable, which: SQL): Promise<boolean> {
  for (let step = 0; step < STEPS_MAX; step++) {
    const some = sql`SELECT rowid FROM ${table} WHERE ${which} LIMIT ${ROWS_PER_STEP}`
    const { meta } = await db.run(sql`DELETE FROM ${table} WHERE rowid IN (${some})`)
    if (meta.changes < ROWS_PER_STEP) return true
  }
  return false
}
