import { globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** What is told apart; the rest is as it stands after a video has been processed. */
export interface PlantedModule {
  title: string
  status?: 'PROCESSING' | 'READY' | 'FAILED'
  progress?: number
  message?: string
  lastError?: string
  createdAt?: number
}

const INSERT = `INSERT INTO modules (id, user_id, title, title_folded, filename, status, progress, message, last_error,
    source_key, declared_type, source_etag, source_size_bytes, source_type, duration_ms, created_at, received_at, updated_at)
  VALUES (?1, ?2, ?3, lower(?3), 'video.mp4', ?4, ?5, ?6, ?7, 'src/' || ?1, 'video/mp4', 'etag', 1, 'video/mp4', 372000, ?8, ?8, ?8)`

/** Puts modules straight into the database of the running system: without videos, steps or runs. @returns their ids */
export function plantModules(stateDir: string, userId: string, modules: readonly PlantedModule[]): string[] {
  const db = openDatabase(stateDir)
  try {
    const insert = db.prepare(INSERT)
    db.exec('BEGIN IMMEDIATE')
    const ids = modules.map((module, index) => {
      const id = crypto.randomUUID().replaceAll('-', '').slice(0, 22)
      const { title, status = 'READY', progress = 100, message = 'Ready', lastError = null } = module
      insert.run(
        id,
        userId,
        title,
        status,
        progress,
        message,
        lastError,
        module.createdAt ?? Date.now() - index * 60_000,
      )
      return id
    })
    db.exec('COMMIT')
    return ids
  } finally {
    db.close()
  }
}

/** What the worker would write when a run ends. */
export function endModule(stateDir: string, moduleId: string, status: 'READY' | 'FAILED'): void {
  const db = openDatabase(stateDir)
  try {
    db.prepare('UPDATE modules SET status = ?, progress = 100, message = ? WHERE id = ?').run(status, 'Ready', moduleId)
  } finally {
    db.close()
  }
}

/** The worker has the same file open; each waits for the other. */
const BUSY_TIMEOUT_MS = 10_000

function openDatabase(stateDir: string): DatabaseSync {
  const folder = join(stateDir, 'data/v3/d1')
  for (const path of globSync('**/*.sqlite', { cwd: folder })) {
    const db = new DatabaseSync(join(folder, path), { timeout: BUSY_TIMEOUT_MS })
    if (db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'modules'`).get()) return db
    db.close()
  }
  throw new Error(`no database with modules in ${folder}`)
}
