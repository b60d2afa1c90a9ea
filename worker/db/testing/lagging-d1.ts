/** A database whose copies are behind, and how they catch up. */
export interface LaggingD1 {
  d1: D1Database
  /** Brings what is in these rows into the copy. */
  replicate: (rows: readonly { table: string; where: string }[]) => Promise<void>
}

/**
 * The real database as D1's sessions show it far away: what is read in a session comes out of another database, which has
 * only what was replicated.
 * @param copy has the same tables
 */
export function laggingD1(primary: D1Database, copy: D1Database, region = 'APAC'): LaggingD1 {
  const mark = <Answer extends D1Response>(answer: Answer): Answer => ({
    ...answer,
    meta: { ...answer.meta, served_by_primary: false, served_by_region: region },
  })
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement =>
    ({
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all: async () => mark(await statement.all()),
      run: async () => mark(await statement.run()),
      first: (column?: string) => (column === undefined ? statement.first() : statement.first(column)),
      raw: () => statement.raw(),
    }) as unknown as D1PreparedStatement
  const session = { prepare: (sql: string) => wrap(copy.prepare(sql)), batch: copy.batch.bind(copy) }
  const d1 = {
    prepare: (sql: string) => primary.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => primary.batch(statements),
    withSession: () => session,
  } as unknown as D1Database
  return {
    d1,
    async replicate(rows) {
      for (const { table, where } of rows) {
        await copy.prepare(`DELETE FROM ${table} WHERE ${where}`).run()
        const { results } = await primary.prepare(`SELECT * FROM ${table} WHERE ${where}`).all()
        for (const row of results) {
          const names = Object.keys(row)
          const marks = names.map((_, at) => `?${at + 1}`)
          const insert = copy.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks.join(', ')})`)
          await insert.bind(...Object.values(row)).run()
        }
      }
    },
  }
}
