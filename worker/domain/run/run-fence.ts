import { sql } from 'drizzle-orm'
import { modules } from '#worker/db/schema.ts'

/** A run of a module, by the two numbers that name it. */
export interface RunId {
  moduleId: string
  run: number
}

/**
 * The fence in SQL: true while this run is its module's current, unfinished one. ?1 is the module, ?2 the run.
 * Every write of a run carries it, so that an older run's late answer changes nothing.
 */
export const IS_CURRENT_RUN = `EXISTS (SELECT 1 FROM modules WHERE id = ?1 AND run = ?2 AND status = 'PROCESSING' AND deleted_at IS NULL)`

/** The same fence for the query builder. */
export function isRunCurrent(id: RunId) {
  return sql`EXISTS (SELECT 1 FROM ${modules} WHERE ${modules.id} = ${id.moduleId} AND ${modules.run} = ${id.run}
    AND ${modules.status} = 'PROCESSING' AND ${modules.deletedAt} IS NULL)`
}
