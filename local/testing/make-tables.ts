import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

/** Of one runtime, which many test files share: what the migrations have made for the first of them. */
const runtime = globalThis as { schema?: string }

/** Makes the tables of the product in an empty database. The migrations one by one would take most of a short file. */
export async function makeTables(): Promise<void> {
  if (runtime.schema !== undefined) {
    await env.DB.prepare(runtime.schema).run()
    return
  }
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
  runtime.schema = (await listMade()).map(makeMissing).join(';\n')
}

/** As the migrations, which are not applied twice: what has come through a reset is left as it is. */
function makeMissing(statement: string): string {
  return statement.replace(/^CREATE (TABLE|(?:UNIQUE )?INDEX|TRIGGER)/, 'CREATE $1 IF NOT EXISTS')
}

/** The statements that make all that is in the database, in an order in which they can be run. */
export async function listMade(): Promise<string[]> {
  const { results } = await env.DB.prepare(MADE).all<{ sql: string }>()
  return results.map(({ sql }) => sql)
}

/** What has no text, or a name of the engine's own, comes with the rest. */
const MADE = `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'
  ORDER BY type = 'table' DESC, name`
