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
  transcript_corrections: 'module_id, segment_id',
}

/** Counts of rows that are not needed once every module is READY. */
const LEFTOVERS = {
  'modules never completed': 'SELECT count(*) AS n FROM modules WHERE received_at IS NULL',
  'runs that have not ended': 'SELECT count(*) AS n FROM runs WHERE ended_at IS NULL',
  'rows of audio chunks': 'SELECT count(*) AS n FROM audio_chunks',
  'rows of sections': 'SELECT count(*) AS n FROM sections',
  'rows of tasks': 'SELECT count(*) AS n FROM task_queue',
}

/** Transcripts that a row names, and those that there are. */
interface Transcripts {
  named: string[]
  stored: Set<string>
}

/** Reads what the worker has left on disk; the worker must have ended. */
export function readState(stateDir: string): StateReport {
  const data = join(stateDir, 'data/v3')
  const report: StateReport = { damages: [], doubled: [], leftovers: {} }
  const transcripts: Transcripts = { named: [], stored: new Set() }
  for (const path of globSync('**/*.sqlite', { cwd: data })) {
    const db = new DatabaseSync(join(data, path), { readOnly: true })
    try {
      examine(db, path, report)
      noteTranscripts(db, transcripts)
    } finally {
      db.close()
    }
  }
  const { named, stored } = transcripts
  report.damages.push(...named.filter((key) => !stored.has(key)).map((key) => `${key} is named and not there`))
  report.leftovers['transcripts in R2 that no module names'] = stored.size - named.length
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

const namedBy = (column: string) => `SELECT ${column} AS key FROM modules WHERE ${column} IS NOT NULL`

function noteTranscripts(db: DatabaseSync, { named, stored }: Transcripts): void {
  const listKeys = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map((row) => String(row['key']))
  if (hasTable(db, 'audio_chunks'))
    named.push(...listKeys(`${namedBy('transcript_key')} UNION ${namedBy('captions_key')}`))
  if (hasTable(db, '_mf_objects'))
    for (const key of listKeys("SELECT key FROM _mf_objects WHERE key LIKE 'transcripts/%'")) stored.add(key)
}

function hasTable(db: DatabaseSync, name: string): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(name) !== undefined
}

function count(db: DatabaseSync, sql: string): number {
  return Number(db.prepare(sql).get()?.['n'])
}
