import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

/** The truth. One per request or job; opening costs nothing, because drizzle's relations, which take time to read, are not used. */
export function openDb(binding: D1Database) {
  return drizzle(binding)
}

/**
 * Opens the database that holds everything of a deployment. Where there are several, this alone chooses one
 * (docs/decisions/database-and-search.md).
 */
export function openDatabase({ DB }: Pick<Env, 'DB'>): { db: Db; d1: D1Database } {
  return { db: openDb(DB), d1: DB }
}

/**
 * Opens a session on it, whose reads may come from a copy near the reader. What a session reads is never older than what
 * it has read before.
 * @returns null where the database has no copies
 */
export function openSession({
  DB,
  DB_READ_REPLICATION,
}: Pick<Env, 'DB' | 'DB_READ_REPLICATION'>): D1DatabaseSession | null {
  return DB_READ_REPLICATION === 'auto' ? DB.withSession('first-unconstrained') : null
}

export type Db = ReturnType<typeof openDb>

/** Runs a statement that the query builder cannot write. @returns how many rows it has changed */
export async function runSql(d1: D1Database, sql: string, ...values: unknown[]): Promise<number> {
  const statement = d1.prepare(sql).bind(...values)
  return (await statement.run()).meta.changes
}

/** Lists the rows of a query that the query builder cannot write. */
export async function listRows<Row>(d1: D1Database, sql: string, ...values: unknown[]): Promise<Row[]> {
  const statement = d1.prepare(sql).bind(...values)
  return (await statement.all<Row>()).results
}

/** Deleting this many rows and their index entries takes far less than the 30 seconds that D1 allows a statement. */
const ROWS_PER_STEP = 5_000
/** Limits the statements for one table, so that it does not use up the queries of an invocation. */
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

/** A database that counts its queries. */
export interface CountedD1 {
  d1: D1Database
  /** Rows that were written through it, entries of indexes among them, as D1 bills them. */
  rowsWritten: () => number
  /** Queries, as the platform limits them for one invocation: each statement is one, also in a batch. */
  queries: () => number
}

const IS_READ = /^\s*(select|explain|pragma)\b/i

/** Opens a database over another one. Statements of one cannot be given to the other. */
export function countD1(real: D1Database): CountedD1 {
  let rows = 0
  let queries = 0
  const realOf = new WeakMap<D1PreparedStatement, D1PreparedStatement>()
  const note = <Result extends D1Response>(result: Result): Result => {
    rows += result.meta.rows_written
    return result
  }
  const wrap = (statement: D1PreparedStatement, isRead: boolean): D1PreparedStatement => {
    // A query that fails was one, too.
    const ask = () => {
      queries += 1
      return statement
    }
    const list = async () => note(await ask().all<Record<string, unknown>>()).results
    const bind = (...values: unknown[]) => wrap(statement.bind(...values), isRead)
    const all = async () => note(await ask().all())
    const run = async () => note(await ask().run())
    // `first` and `raw` return no count, so a statement that writes runs through `all`.
    const first = async (column?: string) => {
      if (isRead) return column === undefined ? ask().first() : ask().first(column)
      const [row] = await list()
      return column === undefined ? (row ?? null) : (row?.[column] ?? null)
    }
    const raw = async () => (isRead ? ask().raw() : (await list()).map((row) => Object.values(row)))
    const wrapped = { bind, all, run, first, raw } as D1PreparedStatement
    realOf.set(wrapped, statement)
    return wrapped
  }
  const batch = async (statements: D1PreparedStatement[]) => {
    queries += statements.length
    return (await real.batch(statements.map((each) => realOf.get(each) ?? each))).map(note)
  }
  const prepare = (sql: string) => wrap(real.prepare(sql), IS_READ.test(sql))
  return { d1: { prepare, batch } as D1Database, rowsWritten: () => rows, queries: () => queries }
}
