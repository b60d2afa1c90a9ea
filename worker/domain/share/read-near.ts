import { UNPUBLISHED } from '#contract/module.ts'
import { faultOf } from '#worker/core/errors.ts'
import { type Db, openDb, openSession } from '#worker/db/db.ts'
import { isModuleId } from '#worker/domain/module/module-id.ts'
import { logLine, noteTrace } from '#worker/log/log.ts'

/** The database through a copy of it near the reader, which may be behind. */
export interface NearDb {
  db: Db
  d1: D1Database
  /** Everything that was written so long ago is in it. Seconds. */
  ageS: number
}

/** A copy that may be further behind is not read: of the minute that a link may outlive its end, something is left for the edge. */
export const NEAR_AGE_MAX_S = 50

/**
 * When the newest sweep that the copy knows of began: a copy takes writes in their order, so it has all that was
 * written before. And whether what is asked for is there and does not change every few seconds.
 */
const KNOWN = `
  SELECT
    (SELECT ok_at FROM outcomes WHERE part = 'sweep') AS knownMs,
    EXISTS (SELECT 1 FROM modules
            WHERE (id = ?1 AND link_code IS NULL OR link_code = ?1) AND shared = 1 AND received_at IS NOT NULL AND status <> 'PROCESSING'
              AND published_version IS NOT ${UNPUBLISHED})
    OR EXISTS (SELECT 1 FROM collections WHERE id = ?1) AS isSettled`

/**
 * Opens the database near the reader, for shared pages that may be a minute old (`docs/decisions/share-page-caching.md`).
 * @param id of the module or the collection that is read
 * @returns null where it has to be read from the primary: there are no copies, the nearest may be too far behind, or it
 *   does not have what is asked for, or has it as being made
 */
export async function readNear(
  env: Pick<Env, 'DB' | 'DB_READ_REPLICATION'>,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<NearDb | null> {
  const session = isModuleId(id) ? openSession(env) : null
  if (session === null) return null
  try {
    const { results, meta } = await session.prepare(KNOWN).bind(id).all<{ knownMs: number | null; isSettled: number }>()
    noteTrace({ region: meta.served_by_region })
    const [row] = results
    const behindMs = meta.served_by_primary === true ? 0 : nowMs - (row?.knownMs ?? 0)
    const ageS = Math.max(0, Math.ceil(behindMs / 1000))
    if (ageS > NEAR_AGE_MAX_S || row?.isSettled !== 1) return null
    const d1 = session as unknown as D1Database
    return { db: openDb(d1), d1, ageS }
  } catch (error) {
    logLine('warn', 'near_unread', faultOf(error))
    return null
  }
}
