import { type Db, openDb } from '#worker/db/db.ts'
import { type Quotas, readQuotas } from '#worker/domain/quota/quotas.ts'
import { openRunQueues, type RunQueues } from './doorbell.ts'

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
