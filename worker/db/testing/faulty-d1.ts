/** What happens to a call: nothing is done, or all of it is done and the answer is lost. */
export type Fault = 'not done' | 'done'

/** What D1 says when a connection breaks, in its own words. */
export const CONNECTION_LOST = 'D1_ERROR: Network connection lost.'

interface Wrapped {
  query: string
  real: D1PreparedStatement
}

/**
 * The real database behind a connection that breaks.
 * @param faultOf receives the statements of each call, and returns null where nothing breaks
 */
export function faultyD1(
  real: D1Database,
  faultOf: (queries: string[]) => Fault | null,
  text = CONNECTION_LOST,
): D1Database {
  async function through<T>(queries: string[], act: () => Promise<T>): Promise<T> {
    const fault = faultOf(queries)
    if (fault === 'not done') throw new Error(text)
    const answer = await act()
    if (fault === 'done') throw new Error(text)
    return answer
  }
  function wrap(query: string, statement: D1PreparedStatement): Wrapped & Partial<D1PreparedStatement> {
    const call = <T>(act: () => Promise<T>) => through([query], act)
    return {
      query,
      real: statement,
      bind: (...values: unknown[]) => wrap(query, statement.bind(...values)) as unknown as D1PreparedStatement,
      all: <T>() => call(() => statement.all<T>()),
      run: <T>() => call(() => statement.run<T>()),
      first: <T>(column?: string) =>
        call(() => (column === undefined ? statement.first<T>() : statement.first<T>(column))),
      raw: ((options?: { columnNames?: false }) => call(() => statement.raw(options))) as D1PreparedStatement['raw'],
    }
  }
  return {
    prepare: (query: string) => wrap(query, real.prepare(query)),
    batch: (list: unknown[]) => {
      const statements = list as Wrapped[]
      return through(
        statements.map(({ query }) => query),
        () => real.batch(statements.map((statement) => statement.real)),
      )
    },
    exec: (query: string) => through([query], () => real.exec(query)),
  } as unknown as D1Database
}
