import { globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** What the stopped system keeps in its state folder. */
export interface StateReport {
  /** Files that are not audio databases, with what is wrong. */
  damages: string[]
  /** Rows that stand twice where there may be one. */
  doubled: string[]
  /** What finished work left behind; for the report only. */
  leftovers: Record<string, number>
}

/** One line of each is allowed to exist. */
const UNIQUE = {
  modules: 'source_key',
  runs: 'module_id',
  steps: 'module_id, position',
  transcript_segments: 'module_id, position',
}

/** Counts of rows that are not needed once every module is READY. */
const LEFTOVERS = {
  'modules never completed': 'SELECT count(*) AS n FROM modules WHERE received_at IS NULL',
  'runs that have not ended': 'SELECT count(*) AS n FROM runs WHERE ended_at IS NULL',
  'rows of audio chunks': 'SELECT count(*) AS n FROM audio_chunks',
}

/** Reads what the worker has left on disk; the worker must have ended. */
export function readState(stateDir: string): StateReport {
  const data = join(stateDir, 'data/v3')
  const report: StateReport = { damages: [], doubled: [], leftovers: {} }
  for (const path of globSync('**/*.sqlite', { cwd: data })) {
    const db = new DatabaseSync(join(data, path), { readOnly: true })
    try {
      examine(db, path, report)
    } finally {
      db.close()
    }
  }
  const blobs = globSync('r2/*/blobs/*', { cwd: data }).length
  report.leftovers['files of R2 that no object names'] = blobs - (report.leftovers['objects in R2'] ?? 0)
  return report
}

function examine(db: DatabaseSync, path: string, report: StateReport): void {
  const found = db
    .prepare('PRAGMA integrity_check')
    .all()
    .map((row) => String(row['integrity_check']))
  if (found.join() !== 'ok') report.damages.push(`${path}: ${found.join('; ')}`)
  if (hasTable(db, 'audio_chunks')) {
    for (const [table, key] of Object.entries(UNIQUE)) {
      const twice = count(db, `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} GROUP BY ${key} HAVING count(*) > 1)`)
      if (twice > 0) report.doubled.push(`${table}: ${twice} × the same ${key}`)
    }
    for (const [name, sql] of Object.entries(LEFTOVERS)) report.leftovers[name] = count(db, sql)
  }
  if (hasTable(db, '_mf_objects')) {
    report.leftovers['objects in R2'] = count(db, 'SELECT count(*) AS n FROM _mf_objects')
    const chunks = `SELECT count(*) AS n FROM _mf_objects WHERE key LIKE 'chunks/%'`
    report.leftovers['audio chunks in R2'] = count(db, chunks)
  }
}

function hasTable(db: DatabaseSync, name: string): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(name) !== undefined
}

function count(db: DatabaseSync, sql: string): number {
  return Number(db.prepare(sql).get()?.['n'])
}
