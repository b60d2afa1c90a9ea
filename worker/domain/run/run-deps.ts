import { sql } from 'drizzle-orm'
import { type Db, openDb } from '#worker/db/db.ts'
import { modules, type TaskKind } from '#worker/db/schema.ts'
import { type Quotas, readQuotas } from '#worker/domain/quota/take-quota.ts'
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
  return `EXISTS (SELECT 1 FROM modules WHERE id = ${moduleId} AND run = ${run} AND status = 'PROCESSING')`
}

/** The fence of statements whose `?1` is the module and whose `?2` is the run. */
export const IS_CURRENT_RUN = makeFence('?1', '?2')

/** Makes the same fence for the query builder. */
export function isRunCurrent({ moduleId, run }: RunId) {
  return sql`EXISTS (SELECT 1 FROM ${modules} WHERE ${modules.id} = ${moduleId} AND ${modules.run} = ${run}
    AND ${modules.status} = 'PROCESSING')`
}

/** A message that says that there is work of this kind; which, the database says. */
export interface Doorbell {
  kind: TaskKind
}

/** A queue for each kind of task, so that none holds up another. */
type RunQueues = Record<TaskKind, Pick<Queue<Doorbell>, 'send'>>

/** The queues of a worker. */
export function openRunQueues(env: Pick<Env, 'INGEST_QUEUE' | 'SPEECH_QUEUE' | 'STEPS_QUEUE'>): RunQueues {
  return { ingest: env.INGEST_QUEUE, transcribe: env.SPEECH_QUEUE, write_steps: env.STEPS_QUEUE }
}

/** Wakes a consumer up, after its tasks are committed. The watchdog rings again where it was lost, so nothing fails. */
export async function ring(
  { queues }: { queues: RunQueues },
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
export async function ringAll(deps: { queues: RunQueues }): Promise<void> {
  await Promise.all([ring(deps, 'ingest'), ring(deps, 'transcribe'), ring(deps, 'write_steps')])
}

/** What moving a run on can reach. */
export interface RunDeps {
  db: Db
  /** The same database, for statements that the query builder has no words for. */
  d1: D1Database
  bucket: R2Bucket
  queues: RunQueues
  rooms: Env['MODULE_ROOM']
  quotas: Quotas
  nowMs: () => number
}

/** The parts of a worker that runs need. */
export function openRunDeps(env: Env): RunDeps {
  return {
    db: openDb(env.DB),
    d1: env.DB,
    bucket: env.MEDIA,
    queues: openRunQueues(env),
    rooms: env.MODULE_ROOM,
    quotas: readQuotas(env),
    nowMs: () => Date.now(),
  }
}
