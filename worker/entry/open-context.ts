import { countD1, type Db, openDatabase } from '#worker/db/db.ts'
import type { TaskKind } from '#worker/db/schema.ts'
import { openNotes, watchServices } from '#worker/domain/health/outcome-store.ts'
import { openQuotas, type Quotas } from '#worker/domain/quota/take-quota.ts'
import type { Doorbell } from '#worker/domain/run/task-store.ts'
import type { PurgeMessage } from '#worker/domain/share/forget-share.ts'
import { readUploadConfig, type UploadConfig } from '#worker/domain/upload/presign-upload.ts'
import { shareEdgeOf } from '#worker/http/share-edge.ts'
import { objectsOf } from '#worker/core/jurisdiction.ts'
import type { EdgeCache } from '#worker/ports/edge-cache.ts'
import type { MakeServices, Services } from '#worker/core/services.ts'

/** What all work can reach, whether a request, a message, a task, the cron or a room began it. */
export interface Context {
  db: Db
  /** The same database, for statements that the query builder has no words for. */
  d1: D1Database
  /** What the search finds in steps and speech; it can be made again from the database and the bucket. */
  search: D1Database
  bucket: R2Bucket
  /** A queue for each kind of task, so that none holds up another. */
  queues: Record<TaskKind, Pick<Queue<Doorbell>, 'send'>>
  /** Takes the purges that can wait or are retried. */
  purges: Pick<Queue<PurgeMessage>, 'send'>
  rooms: Env['MODULE_ROOM']
  quotas: Quotas
  uploads: UploadConfig
  /** How often the tutor's model may be asked about one module on one day. */
  modelAnswersPerDay: number
  /** Signs tickets and tokens; after a change the text names the old secret too. */
  secrets: string
  nowMs: () => number
}

/** What requests, tasks and answers of the tutor can reach besides. */
export interface ServedContext extends Context {
  services: Services
  edge: EdgeCache
}

/** What work of many items can reach, which ends before its invocation has no query left. */
export interface BoundedContext extends Context {
  /** Whether there are queries left for one more item; what is left over is for another invocation. */
  hasQueriesLeft: () => boolean
  /** How many this invocation has made. */
  queries: () => number
}

/**
 * Queries of D1 after which an invocation begins nothing more. The platform ends it at 1,000 of all databases together
 * (D1, "Limits"), and no item makes as many as are left then.
 */
export const QUERIES_BEFORE_END = 800

const nowMs = () => Date.now()

/**
 * Makes the context of work.
 * @param more what this work can reach besides
 */
export function openContext<More extends object = object>(env: Env, more?: More): Context & More {
  const context: Context = {
    ...openDatabase(env),
    search: env.SEARCH,
    bucket: env.MEDIA,
    queues: {
      ingest: env.INGEST_QUEUE,
      transcribe: env.SPEECH_QUEUE,
      write_steps: env.STEPS_QUEUE,
      translate: env.TRANSLATE_QUEUE,
    },
    purges: env.PURGE_QUEUE,
    rooms: objectsOf(env, env.MODULE_ROOM),
    quotas: openQuotas(env),
    // Read when it is used: a size that is no number refuses only uploads.
    get uploads() {
      return readUploadConfig(env)
    },
    modelAnswersPerDay: Number(env.TUTOR_MODEL_ANSWERS_PER_DAY),
    secrets: env.TICKET_SECRET,
    nowMs,
  }
  return Object.assign(context, more)
}

/** Makes the context of one invocation's work of many items; its queries are counted. */
export function openBoundedContext(env: Env): BoundedContext {
  const [database, search] = [countD1(env.DB), countD1(env.SEARCH)]
  const queries = () => database.queries() + search.queries()
  const hasQueriesLeft = () => queries() < QUERIES_BEFORE_END
  return openContext({ ...env, DB: database.d1, SEARCH: search.d1 }, { queries, hasQueriesLeft })
}

/** Makes the context of work that may ask services; what is noted of their calls outlasts the answer. */
export function openServedContext(
  env: Env,
  ctx: Pick<ExecutionContext, 'waitUntil'> & { exports?: unknown },
  makeServices: MakeServices,
): ServedContext {
  const note = openNotes({ d1: openDatabase(env).d1, nowMs, ctx })
  const edge: EdgeCache = { purge: (tags) => shareEdgeOf(ctx).purge(tags) }
  return openContext(env, { services: watchServices(makeServices(env), note), edge })
}
