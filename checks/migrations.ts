import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refuse } from './check.ts'

const MIGRATION = /^(\d{4})_.*\.sql$/

/**
 * What may be dropped, by migration: `'0020_tidy': ['modules.glossary']`. Only what the version that is live has stopped
 * using, so that it goes on working (docs/deploy.md, "Migrations").
 */
const CONTRACTS: Record<string, string[]> = {}

const QUOTED = '[`"]?(\\w+)[`"]?'
const SAFE = [
  // Copies and fills in; a row that is deleted would be missing for the version that is live.
  /^(UPDATE|INSERT INTO)\s/i,
  /^CREATE TABLE\s/i,
  /^CREATE INDEX\s/i,
  // Only how fast something is found.
  /^DROP INDEX\s/i,
  new RegExp(`^ALTER TABLE ${QUOTED} ADD (COLUMN )?${QUOTED} (?!.*NOT NULL)`, 'i'),
  new RegExp(`^ALTER TABLE ${QUOTED} ADD (COLUMN )?${QUOTED} .*DEFAULT`, 'i'),
]
const CREATE_TABLE = new RegExp(`^CREATE TABLE (?:IF NOT EXISTS )?${QUOTED}`, 'i')
const UNIQUE_INDEX = new RegExp(`^CREATE UNIQUE INDEX ${QUOTED} ON ${QUOTED}`, 'i')
/** It changes what writes of its table do, so that only a new table may have one. */
const CREATE_TRIGGER = new RegExp(
  `^CREATE TRIGGER ${QUOTED} (?:BEFORE|AFTER) (?:INSERT|UPDATE|DELETE) ON ${QUOTED}`,
  'i',
)
const DROP_TABLE = new RegExp(`^DROP TABLE ${QUOTED}$`, 'i')
const DROP_COLUMN = new RegExp(`^ALTER TABLE ${QUOTED} DROP COLUMN ${QUOTED}$`, 'i')

/**
 * Statements of a migration after which the version that is still running might fail.
 * @param contracted tables and columns that it may drop, as `table` or `table.column`
 */
export function findUnsafeStatements(sql: string, contracted: string[] = []): string[] {
  const statements = sql
    .replace(/^\s*--(?!> statement-breakpoint).*$/gm, '')
    .split('--> statement-breakpoint')
    // The statements in a trigger end like all others.
    .flatMap((part) => (/^\s*CREATE TRIGGER\s/i.test(part) ? [part] : part.split(/;\s*$/m)))
    .map((statement) => statement.replace(/\s+/g, ' ').trim().replace(/;$/, ''))
    .filter((statement) => statement !== '')
  const created = statements.flatMap((statement) => CREATE_TABLE.exec(statement)?.[1] ?? [])
  return statements.filter((statement) => {
    const dropped = DROP_TABLE.exec(statement)?.[1] ?? DROP_COLUMN.exec(statement)?.slice(1).join('.')
    if (dropped !== undefined) return !contracted.includes(dropped)
    const narrowed = UNIQUE_INDEX.exec(statement)?.[2] ?? CREATE_TRIGGER.exec(statement)?.[2]
    if (narrowed !== undefined) return !created.includes(narrowed)
    return !SAFE.some((shape) => shape.test(statement))
  })
}

/** What is unsafe in a folder of migrations, as `migration: statement`. */
export function findUnsafeMigrations(dir: string): string[] {
  const live = readdirSync(dir).filter((name) => MIGRATION.test(name))
  return live.sort().flatMap((name) => {
    const tag = name.replace(/\.sql$/, '')
    return findUnsafeStatements(readFileSync(join(dir, name), 'utf8'), CONTRACTS[tag]).map(
      (found) => `${tag}: ${found}`,
    )
  })
}

if (import.meta.main) {
  refuse(
    findUnsafeMigrations('migrations'),
    '\n  The version that is live would fail; docs/deploy.md says how it is done.',
  )
}
