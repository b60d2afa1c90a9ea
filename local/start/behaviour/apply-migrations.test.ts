// Behaviour: the worker of this machine applies migrations before it answers.
import { globSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openProcesses } from '../processes.ts'
import { applyMigrations } from '../worker-process.ts'

const repoDir = resolve(import.meta.dirname, '../../..')
/** Each run of wrangler is seconds on a quiet machine. */
const WITHIN_MS = 60_000

/** Migrated once. */
let migratedDir: string

beforeAll(async () => {
  migratedDir = await mkdtemp(join(tmpdir(), 'adapt-state-'))
  await migrate(migratedDir)
}, WITHIN_MS)
afterAll(() => rm(migratedDir, { recursive: true }))

async function migrate(stateDir: string): Promise<void> {
  const processes = openProcesses(() => undefined)
  try {
    await applyMigrations({ config: { mode: 'start', repoDir, stateDir, port: 1, env: process.env }, processes })
  } finally {
    await processes.stopAll()
  }
}

/** Copies the migrated state, and changes its database. */
async function changeState(sql: string): Promise<string> {
  const stateDir = await mkdtemp(join(tmpdir(), 'adapt-state-'))
  onTestFinished(() => rm(stateDir, { recursive: true }))
  await cp(migratedDir, stateDir, { recursive: true })
  const files = globSync('data/v3/d1/*/*.sqlite', { cwd: stateDir }).filter((file) => !file.endsWith('metadata.sqlite'))
  for (const file of files) {
    const database = new DatabaseSync(join(stateDir, file))
    database.exec(sql)
    database.close()
  }
  return stateDir
}

it(
  'finds nothing left to do where all tables are created',
  async () => {
    await migrate(migratedDir)
  },
  WITHIN_MS,
)

it.each([
  ['whose first migration had another name', "UPDATE d1_migrations SET name = '0000_other.sql' WHERE id = 1"],
  ['whose migration of the same name made other columns', 'ALTER TABLE steps DROP COLUMN chapter'],
])(
  'names the state folder of an older version %s, and what to do',
  async (_what, sql) => {
    const stateDir = await changeState(sql)
    await expect(migrate(stateDir)).rejects.toThrow(
      `The data in ${stateDir} belongs to an older version of Adapt: move the folder away, or set ADAPT_STATE_DIR to a new one.`,
    )
  },
  WITHIN_MS,
)
