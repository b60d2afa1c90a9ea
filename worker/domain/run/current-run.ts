import { sql } from 'drizzle-orm'
import type { Context } from '#worker/context.ts'
import { modules, type TaskKind } from '#worker/db/schema.ts'
import { faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log.ts'

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

/** A message that says that there is work of this kind; which, the database says. */
export interface Doorbell {
  kind: TaskKind
}

/** Wakes a consumer up, after its tasks are committed. The watchdog rings again where it was lost, so nothing fails. */
export async function ring(
  { queues }: Pick<Context, 'queues'>,
  kind: TaskKind,
  { delaySeconds = 0 }: { delaySeconds?: number } = {},
): Promise<void> {
  try {
    await queues[kind].send({ kind }, { delaySeconds })
  } catch (error) {
    logLine('warn', 'doorbell_lost', { stage: kind, ...faultOf(error) })
  }
}

/** Wakes all consumers up: a run may have tasks of any kind when its turn comes, or when it is restored. */
export async function ringAll(context: Pick<Context, 'queues'>): Promise<void> {
  await Promise.all([ring(context, 'ingest'), ring(context, 'transcribe'), ring(context, 'write_steps')])
}
