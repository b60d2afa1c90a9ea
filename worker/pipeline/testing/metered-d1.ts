/** What a database was asked to do. */
export interface D1Meter {
  statements: number
  rowsRead: number
  rowsWritten: number
  /** The same by statement, for finding out which one grows. */
  bySql: Map<string, { count: number; rowsRead: number; rowsWritten: number }>
}

export function openD1Meter(): D1Meter {
  return { statements: 0, rowsRead: 0, rowsWritten: 0, bySql: new Map() }
}

/** What `batch` needs is the binding's own statement. */
interface Original {
  sql: string
  statement: D1PreparedStatement
}
const originals = new WeakMap<object, Original>()

/** The same database (or a session of one), with every statement and the rows that it touches counted. */
export function meteredD1<T extends object>(database: T, meter: () => D1Meter): T {
  return intercept(database, {
    prepare: (prepare, sql) => metered({ sql: String(sql), statement: prepare(sql) as D1PreparedStatement }, meter),
    batch: async (batch, statements) => {
      const asked = (statements as object[]).map((each) => originals.get(each) as Original)
      const results = (await batch(asked.map(({ statement }) => statement))) as D1Result[]
      results.forEach(({ meta }, at) => count(meter(), (asked[at] as Original).sql, meta))
      return results
    },
    exec: (exec, sql) => {
      meter().statements += 1
      return exec(sql)
    },
    withSession: (withSession, ...args) => meteredD1(withSession(...args) as D1DatabaseSession, meter),
  })
}

function metered({ sql, statement }: Original, meter: () => D1Meter): D1PreparedStatement {
  const all = async () => {
    const result = await statement.all<Record<string, unknown>>()
    count(meter(), sql, result.meta)
    return result
  }
  const proxy = intercept(statement, {
    bind: (bind, ...args) => metered({ sql, statement: bind(...args) as D1PreparedStatement }, meter),
    all,
    run: all,
    // The binding reports how many rows were read with whole results only.
    raw: async () => (await all()).results.map((row) => Object.values(row)),
    first: async (_, column) => {
      const [row] = (await all()).results
      return row === undefined ? null : column === undefined ? row : row[column as string]
    },
  })
  originals.set(proxy, { sql, statement })
  return proxy
}

function count(meter: D1Meter, sql: string, { rows_read: rowsRead, rows_written: rowsWritten }: D1Meta): void {
  const known = meter.bySql.get(sql) ?? { count: 0, rowsRead: 0, rowsWritten: 0 }
  meter.bySql.set(sql, {
    count: known.count + 1,
    rowsRead: known.rowsRead + rowsRead,
    rowsWritten: known.rowsWritten + rowsWritten,
  })
  meter.statements += 1
  meter.rowsRead += rowsRead
  meter.rowsWritten += rowsWritten
}

type Call = (...args: unknown[]) => unknown
/** What takes the place of a method; `call` is the method itself. */
export type Method = (call: Call, ...args: unknown[]) => unknown

/** An object whose methods pass through ours; bindings refuse to be called on anything but themselves. */
export function intercept<T extends object>(target: T, methods: Record<string, Method>): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const call: Call = (...args) => Reflect.apply(value, target, args)
      const method = methods[String(name)]
      return method === undefined ? call : (...args: unknown[]) => method(call, ...args)
    },
  })
}
