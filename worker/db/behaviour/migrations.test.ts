// Behaviour: the database after all migrations, against the schema.
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'

interface Column {
  name: string
  type: string
  notNull: boolean
  primaryKey: boolean
  default?: unknown
}

/** A table as the code of an earlier version knows it (drizzle's snapshot beside each migration). */
interface Table {
  name: string
  columns: Record<string, Column>
  indexes: Record<string, { columns: string[]; isUnique: boolean }>
  compositePrimaryKeys: Record<string, { columns: string[] }>
}

const SNAPSHOTS = import.meta.glob('../../../migrations/meta/*_snapshot.json', {
  eager: true,
  import: 'default',
}) as Record<string, { tables: Record<string, Table> }>
const VERSIONS = Object.entries(SNAPSHOTS)
  .map(([path, { tables }]) => ({ tag: /(\d{4})_snapshot/.exec(path)?.[1] ?? '', tables: Object.values(tables) }))
  .sort((a, b) => a.tag.localeCompare(b.tag))

/** Tables, by the version that cannot use them any more since a contract took something (docs/deploy.md). */
const TAKEN_FROM: Record<string, string[]> = {}

function keysOf({ columns, indexes, compositePrimaryKeys }: Table): string[] {
  const own = Object.values(columns).filter(({ primaryKey }) => primaryKey)
  return [...own.map(({ name }) => name), ...Object.values(compositePrimaryKeys).flatMap(({ columns: names }) => names)]
    .concat(Object.values(indexes).flatMap(({ isUnique, columns: names }) => (isUnique ? names : [])))
    .filter((name, at, all) => all.indexOf(name) === at)
}

/** Rows differ in nothing but keys, so that a new rule about what must differ is noticed. */
function valueOf({ name, type }: Column, row: number, keys: string[]): string | number {
  const number = keys.includes(name) ? row : 1
  return type === 'text' ? `"${number}"` : number
}

/** Tables whose triggers refuse every change. */
const APPEND_ONLY = new Set(['training_records'])

/** What drizzle sends for a table: inserts with everything and with the least, an upsert, reads, updates, deletes. */
function statementsOf(table: Table): D1PreparedStatement[] {
  const all = Object.values(table.columns)
  const least = all.filter((column) => column.notNull && column.default === undefined)
  const keys = keysOf(table)
  const names = (columns: Column[]) => columns.map(({ name }) => `"${name}"`).join(', ')
  const marks = (columns: Column[]) => columns.map(() => '?').join(', ')
  const assigned = all.filter(({ name }) => !keys.includes(name)).map(({ name }) => `"${name}" = ?`)
  const rest = all.filter(({ name }) => !keys.includes(name)).map((column) => valueOf(column, 0, keys))
  const isRow = keys.map((name) => `"${name}" = ?`).join(' AND ')
  const keysOfRow = (row: number) => keys.map((name) => valueOf(table.columns[name] as Column, row, keys))
  const insert = (columns: Column[], row: number) =>
    env.DB.prepare(`INSERT INTO "${table.name}" (${names(columns)}) VALUES (${marks(columns)})`).bind(
      ...columns.map((column) => valueOf(column, row, keys)),
    )
  const update = assigned.length === 0 ? [] : [`UPDATE "${table.name}" SET ${assigned.join(', ')} WHERE ${isRow}`]
  const added = [
    insert(all, 1),
    insert(all, 2),
    insert(least, 3),
    env.DB.prepare(`SELECT ${names(all)} FROM "${table.name}" WHERE ${isRow}`).bind(...keysOfRow(3)),
  ]
  if (APPEND_ONLY.has(table.name)) return added
  return [
    ...added,
    ...update.map((sql) => env.DB.prepare(sql).bind(...rest, ...keysOfRow(2))),
    env.DB.prepare(
      `INSERT INTO "${table.name}" (${names(all)}) VALUES (${marks(all)}) ON CONFLICT DO UPDATE SET ${keys.map((key) => `"${key}" = excluded."${key}"`).join(', ')} RETURNING ${names(all)}`,
    ).bind(...all.map((column) => valueOf(column, 2, keys))),
    env.DB.prepare(`DELETE FROM "${table.name}" WHERE ${isRow}`).bind(...keysOfRow(1)),
  ]
}

const KEPT = "INSERT INTO glossaries (org_id, words, records_from, updated_at) SELECT DISTINCT org_id, '', 1000, 0 FROM"

/** As retention does, whose rows the triggers let go. */
async function giveUpRecords(): Promise<void> {
  await env.DB.exec(`${KEPT} training_records`)
  await env.DB.exec('DELETE FROM training_records')
  await env.DB.exec('DELETE FROM glossaries')
}

/** Tables that the code of a version cannot use any more. */
async function findBroken(tables: Table[]): Promise<string[]> {
  const broken: string[] = []
  for (const table of tables) {
    try {
      await env.DB.batch(statementsOf(table))
    } catch (error) {
      if (!String(error).includes('D1_ERROR')) throw error
      broken.push(table.name)
    }
    const exists = await env.DB.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').bind(table.name).first()
    if (APPEND_ONLY.has(table.name)) await giveUpRecords()
    else if (exists !== null) await env.DB.exec(`DELETE FROM "${table.name}"`)
  }
  return broken.sort()
}

describe('the database after all migrations', () => {
  it.each(VERSIONS)('works for the code of $tag, which may still be running', async ({ tag, tables }) => {
    expect(await findBroken(tables)).toEqual(TAKEN_FROM[tag] ?? [])
  })

  describe('with a migration that is not additive', () => {
    const current = VERSIONS.at(-1)?.tables.filter(({ name }) => name === 'runs' || name === 'learners') ?? []

    beforeEach(async () => {
      expect(await findBroken(current)).toEqual([])
    })

    it.each([
      ['drops a column', 'ALTER TABLE runs DROP COLUMN request', 'ALTER TABLE runs ADD request text'],
      ['renames a column', 'ALTER TABLE runs RENAME request TO ask', 'ALTER TABLE runs RENAME ask TO request'],
      ['renames a table', 'ALTER TABLE runs RENAME TO turns', 'ALTER TABLE turns RENAME TO runs'],
      ['makes a column unique', 'CREATE UNIQUE INDEX planted ON runs (outcome)', 'DROP INDEX planted'],
      [
        'asks for more',
        "CREATE TRIGGER planted BEFORE INSERT ON runs WHEN NEW.request IS NULL BEGIN SELECT raise(ABORT, 'no'); END",
        'DROP TRIGGER planted',
      ],
    ])('is found: one that %s', async (_, migration, back) => {
      await env.DB.exec(migration)
      expect(await findBroken(current)).toEqual(['runs'])
      await env.DB.exec(back)
    })
  })
})
