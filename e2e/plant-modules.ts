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
  /** Last sign of life; as `createdAt` where left out. */
  updatedAt?: number
  hasPoster?: boolean
}

const INSERT = `INSERT INTO modules (id, user_id, title, title_folded, filename, status, progress, message, last_error,
    source_key, declared_type, source_etag, source_size_bytes, source_type, duration_ms, created_at, received_at, updated_at, has_poster)
  VALUES (?1, ?2, ?3, lower(?3), 'video.mp4', ?4, ?5, ?6, ?7, 'src/' || ?1, 'video/mp4', 'etag', 1, 'video/mp4', 372000, ?8, ?8, ?10, ?9)`

/** The worker does not wait for a lock as long as ten thousand rows would hold it. */
const ROWS_AT_ONCE = 200

/** Puts modules straight into the database of the running system: without videos, steps or runs. @returns their ids */
export function plantModules(stateDir: string, userId: string, modules: readonly PlantedModule[]): string[] {
  const db = openDatabase(stateDir)
  try {
    const insert = db.prepare(INSERT)
    return modules.map((module, index) => {
      if (index % ROWS_AT_ONCE === 0) db.exec(index === 0 ? 'BEGIN IMMEDIATE' : 'COMMIT; BEGIN IMMEDIATE')
      const id = crypto.randomUUID().replaceAll('-', '').slice(0, 22)
      const { title, status = 'READY', progress = 100, message = 'Ready', lastError = null } = module
      const createdAt = module.createdAt ?? Date.now() - index * 60_000
      const hasPoster = module.hasPoster === true ? 1 : 0
      insert.run(
        id,
        userId,
        title,
        status,
        progress,
        message,
        lastError,
        createdAt,
        hasPoster,
        module.updatedAt ?? createdAt,
      )
      if (index === modules.length - 1) db.exec('COMMIT')
      return id
    })
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
