import { sql } from 'drizzle-orm'
import { modules } from '#worker/db/schema.ts'

/** A run of a module, by the two numbers that name it. */
export interface RunId {
  moduleId: string
  run: number
}

/**
 * Makes the fence in SQL: true while a run is its module's current, unfinished one. Every write of a run carries it, so
 * that an older run's late answer changes nothing.
 * @param moduleId the parameter of the statement that names the module, such as `?1`
 * @param run the one that names the run
 */
export function makeFence(moduleId: string, run: string): string {
  return `EXISTS (SELECT 1 FROM modules WHERE id = ${moduleId} AND run = ${run} AND run_status = 'PROCESSING')`
}

/** The fence of statements whose `?1` is the module and whose `?2` is the run. */
export const IS_CURRENT_RUN = makeFence('?1', '?2')

/** Makes the same fence for the query builder. */
export function isRunCurrent({ moduleId, run }: RunId) {
  return sql`EXISTS (SELECT 1 FROM ${modules} WHERE ${modules.id} = ${moduleId} AND ${modules.run} = ${run}
    AND ${modules.runStatus} = 'PROCESSING')`
}
