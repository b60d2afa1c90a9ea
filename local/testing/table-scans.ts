import { env } from 'cloudflare:workers'

/** Tables that do not grow with use: a row for each part of the system, or each erasure until it is done; stand-ins' own. */
const SMALL = /^(outcomes|account_erasures|sqlite_master|local_.*)$/

/** Statements that the product prepared in this runtime, and where; each is explained once. */
const prepared = new Map<string, string>()
const explained = new Set<string>()

/** A query passes through an ORM, so the caller stands far up. */
const FRAMES = 40
const OWN_FRAME = /\/((?:worker|local)\/[\w/.-]+\.ts[:\d]*)/

/** Notes every statement that the product prepares from now on, whichever binding or object of the runtime it uses. */
export function watchStatements(): void {
  const prototype = Object.getPrototypeOf(env.DB) as D1Database
  const { prepare } = prototype
  prototype.prepare = function prepareNoted(sql) {
    if (!prepared.has(sql) && !explained.has(sql)) {
      const caller = findCaller()
      if (caller?.startsWith('worker/') === true && !/\.test\.ts|\/testing\//.test(caller)) prepared.set(sql, caller)
    }
    return prepare.call(this, sql)
  }
}

function findCaller(): string | undefined {
  const before: unknown = Reflect.get(Error, 'stackTraceLimit')
  Reflect.set(Error, 'stackTraceLimit', FRAMES)
  const { stack = '' } = new Error('where a statement comes from')
  Reflect.set(Error, 'stackTraceLimit', before)
  const frames = stack.split('\n').filter((frame) => !frame.includes('node_modules') && !frame.includes('table-scans'))
  return frames.map((frame) => OWN_FRAME.exec(frame)?.[1]).find((frame) => frame !== undefined)
}

/** Explains what was noted since the last call. @returns the statements that read a growing table from end to end */
export async function findScans(): Promise<string[]> {
  const fresh = [...prepared]
  prepared.clear()
  const found: string[] = []
  for (const [sql, caller] of fresh) {
    explained.add(sql)
    for (const table of await listScans(sql)) if (!SMALL.test(table)) found.push(`${caller} scans ${table}: ${sql}`)
  }
  return found
}

async function listScans(sql: string): Promise<string[]> {
  const tables = new Set((await env.DB.prepare(NAMES).all<{ name: string }>()).results.map(({ name }) => name))
  const partial = new Set((await env.DB.prepare(PARTIAL).all<{ name: string }>()).results.map(({ name }) => name))
  const values = Array<null>(countParameters(sql)).fill(null)
  const plan = env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...values)
  const { results } = await plan.all<{ detail: string }>()
  // Read in the order of an index, and only as far as the page goes.
  const isPage = /order by.*limit/is.test(sql) && !results.some(({ detail }) => detail.includes('FOR ORDER BY'))
  return results.flatMap(({ detail }) => {
    const [, name = '', index] = /^SCAN (\w+)(?:.* INDEX (\w+))?/.exec(detail) ?? []
    const isShort = index !== undefined && (partial.has(index) || isPage)
    return tables.has(name) && !isShort ? [name] : []
  })
}

function countParameters(sql: string): number {
  const marks = sql.replace(/'[^']*'|"[^"]*"/g, '').match(/\?\d*/g) ?? []
  const numbers = marks.map((mark) => Number(mark.slice(1)))
  return numbers.some((number) => number > 0) ? Math.max(...numbers) : marks.length
}

const NAMES = "SELECT name FROM sqlite_master WHERE type = 'table'"
/** An index of few rows, such as those that wait, may be read from end to end. */
const PARTIAL = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'"
