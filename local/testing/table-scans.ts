import { env } from 'cloudflare:workers'
import { makeIndex } from '#worker/domain/search/passage-store.ts'

/**
 * Tables that do not grow with use: a row for each part of the system, or each erasure until it is done; the tasks of a
 * version before, which a sweep removes; stand-ins' own.
 */
const SMALL = /^(outcomes|account_erasures|layouts|tasks|sqlite_master|local_.*)$/

/** Of one runtime, which many test files share: what the product prepared, and where, and all that was looked at. */
interface Noted {
  prepared: Map<string, string>
  seen: Set<string>
}
const runtime = globalThis as { noted?: Noted }

/** A query passes through an ORM, so the caller stands far up. */
const FRAMES = 40
const OWN_FRAME = /\/((?:worker|local)\/[\w/.-]+\.ts[:\d]*)/

/** Notes every statement that the product prepares from now on, whichever binding or object of the runtime it uses. */
export function watchStatements(): void {
  if (runtime.noted !== undefined) return
  const prepared = new Map<string, string>()
  const seen = new Set<string>()
  runtime.noted = { prepared, seen }
  const prototype = Object.getPrototypeOf(env.DB) as D1Database
  const { prepare } = prototype
  prototype.prepare = function prepareNoted(sql) {
    // Looking for the caller takes longer than most statements.
    if (!seen.has(sql) && !IS_SCHEMA.test(sql)) {
      seen.add(sql)
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
  if (runtime.noted === undefined) return []
  const { prepared } = runtime.noted
  const fresh = [...prepared]
  prepared.clear()
  const scans = await listScans(fresh.map(([sql]) => sql))
  return fresh.flatMap(([sql, caller], at) => (scans[at] ?? []).map((table) => `${caller} scans ${table}: ${sql}`))
}

/** The growing tables that each statement reads from end to end. */
export async function listScans(statements: readonly string[]): Promise<string[][]> {
  if (statements.length === 0) return []
  await makeIndex(env.SEARCH)
  const schema = { tables: await listNames(TABLES), partial: await listNames(PARTIAL) }
  const scans: string[][] = []
  for (const sql of statements) scans.push(await explainScans(sql, schema))
  return scans
}

async function listNames(sql: string): Promise<Set<string>> {
  const lists = await Promise.all([env.DB, env.SEARCH].map((database) => database.prepare(sql).all<{ name: string }>()))
  return new Set(lists.flatMap(({ results }) => results.map(({ name }) => name)))
}

interface SchemaNames {
  tables: Set<string>
  partial: Set<string>
}

async function explainScans(sql: string, { tables, partial }: SchemaNames): Promise<string[]> {
  const values = Array<null>(countParameters(sql)).fill(null)
  const explainIn = (database: D1Database) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...values)
      .all<{ detail: string }>()
  const { results } = await explainIn(OF_SEARCH.test(sql) ? env.SEARCH : env.DB)
  const named = sql.matchAll(/(?:from|join)\s+"?(\w+)"?\s+(?:as\s+)?"?(\w+)"?/gi)
  const aliases = new Map(Array.from(named, ([, table = '', alias = '']) => [alias, table]))
  // Read in the order of an index, and only as far as the page goes.
  const isPage = /order by.*limit/is.test(sql) && !results.some(({ detail }) => detail.includes('FOR ORDER BY'))
  return results.flatMap(({ detail }) => {
    const [, shown = '', index] = /^SCAN (\w+)(?:.* INDEX (\w+))?/.exec(detail) ?? []
    const name = tables.has(shown) ? shown : (aliases.get(shown) ?? '')
    const isShort = IS_LOOKED_UP.test(detail) || (index !== undefined && (partial.has(index) || isPage))
    return tables.has(name) && !SMALL.test(name) && !isShort ? [name] : []
  })
}

function countParameters(sql: string): number {
  const marks = sql.replace(/'[^']*'|"[^"]*"/g, '').match(/\?\d*/g) ?? []
  const numbers = marks.map((mark) => Number(mark.slice(1)))
  return numbers.some((number) => number > 0) ? Math.max(...numbers) : marks.length
}

const IS_SCHEMA = /^\s*(create|drop) /i
/** Statements about the tables of the search index, which stand in a database of their own. */
const OF_SEARCH = /\b(from|into|table|update) (if exists )?(words|passages|layouts)\b/i
/** A virtual table that is asked for rows, or for what matches. */
const IS_LOOKED_UP = /VIRTUAL TABLE INDEX \d+:\S/

const TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
/** An index of few rows, such as those that wait, may be read from end to end. */
const PARTIAL = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'"
