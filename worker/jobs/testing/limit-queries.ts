/** What the platform lets one invocation ask of all its databases (D1, "Limits"); workerd on a machine does not. */
const QUERIES_MAX = 1_000

/** Holds the databases of one invocation to the platform's limit: each statement is a query, also in a batch. */
export function limitQueries(env: Env): Env {
  let queries = 0
  const count = (more: number) => {
    queries += more
    if (queries > QUERIES_MAX) throw new Error('Too many API requests by single worker invocation.')
  }
  return { ...env, DB: limitD1(env.DB, count), SEARCH: limitD1(env.SEARCH, count) }
}

function limitD1(real: D1Database, count: (more: number) => void): D1Database {
  const realOf = new WeakMap<D1PreparedStatement, D1PreparedStatement>()
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const ask = () => {
      count(1)
      return statement
    }
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all: async () => ask().all(),
      run: async () => ask().run(),
      raw: async () => ask().raw(),
      first: async (column?: string) => (column === undefined ? ask().first() : ask().first(column)),
    } as unknown as D1PreparedStatement
    realOf.set(wrapped, statement)
    return wrapped
  }
  const batch = async (statements: D1PreparedStatement[]) => {
    count(statements.length)
    return real.batch(statements.map((each) => realOf.get(each) ?? each))
  }
  return { prepare: (sql: string) => wrap(real.prepare(sql)), batch } as D1Database
}
