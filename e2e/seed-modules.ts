/** The fields that tests vary; the rest is as it stands after a video has been processed. */
export interface PlantedModule {
  title: string
  status?: 'PROCESSING' | 'READY' | 'FAILED'
  /** As `status` where left out. */
  runStatus?: 'PROCESSING' | 'FAILED'
  progress?: number
  message?: string
  lastError?: string
  createdAt?: number
  /** Last heartbeat; as `createdAt` where left out. */
  updatedAt?: number
  hasPoster?: boolean
}

const INSERT = `INSERT INTO modules (id, user_id, title, title_folded, filename, status, run_status, progress, message, last_error,
    source_key, declared_type, source_etag, source_size_bytes, source_type, duration_ms, created_at, received_at, updated_at, has_poster)
  SELECT value ->> 'id', ?2, value ->> 'title', lower(value ->> 'title'), 'video.mp4', value ->> 'status',
    coalesce(value ->> 'runStatus', value ->> 'status'), value ->> 'progress', value ->> 'message', value ->> 'lastError', 'src/' || (value ->> 'id'), 'video/mp4', 'etag', 1,
    'video/mp4', 372000, value ->> 'createdAt', value ->> 'createdAt', value ->> 'updatedAt', value ->> 'hasPoster'
  FROM json_each(?1)`

/** As JSON they are one parameter, which may have 2 MB. */
const ROWS_AT_ONCE = 2_000

/**
 * Puts modules into the database of the running system: without videos, steps or runs.
 * @param origin of the system
 * @returns their ids
 */
export async function seedModules(
  origin: string,
  userId: string,
  modules: readonly PlantedModule[],
): Promise<string[]> {
  const rows = modules.map((module, index) => {
    const createdAt = module.createdAt ?? Date.now() - index * 60_000
    const id = crypto.randomUUID().replaceAll('-', '').slice(0, 22)
    const usual = { status: 'READY', progress: 100, message: 'Ready', updatedAt: createdAt }
    return { ...usual, ...module, id, createdAt, hasPoster: module.hasPoster === true ? 1 : 0 }
  })
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await runSql(origin, INSERT, [JSON.stringify(rows.slice(at, at + ROWS_AT_ONCE)), userId])
  }
  return rows.map(({ id }) => id)
}

/** What the worker would write when a run ends. */
export async function endModule(origin: string, moduleId: string, status: 'READY' | 'FAILED'): Promise<void> {
  await runSql(origin, 'UPDATE modules SET status = ?1, run_status = ?1, progress = 100, message = ?1 WHERE id = ?2', [
    status,
    moduleId,
  ])
}

/** The runtime's own tool for developers. Another process that writes to the file would lock the worker out of it. */
export const EXPLORER = '/cdn-cgi/local/explorer/api'
const DATABASES = `${EXPLORER}/d1/database`

/** Runs one statement in the database of the running system. @returns its rows */
export async function runSql(origin: string, sql: string, params: string[]): Promise<string[][]> {
  const listed = (await (await fetch(origin + DATABASES)).json()) as { result: { name: string; uuid: string }[] }
  const database = listed.result.find(({ name }) => name === 'DB')
  const answer = await fetch(`${origin}${DATABASES}/${database?.uuid}/raw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sql, params }),
  })
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
  const { result } = (await answer.json()) as { result: { results: { rows: string[][] } }[] }
  return result[0]?.results.rows ?? []
}
