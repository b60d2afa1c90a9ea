import type { BoundedContext, Context, ServedContext } from '#worker/core/context.ts'
import { objectsOf } from '#worker/core/jurisdiction.ts'
import type { MakeServices } from '#worker/core/services.ts'
import { countD1, openDatabase } from '#worker/db/db.ts'
import { makeOutcomeRecorder, watchServices } from '#worker/domain/health/outcome-store.ts'
import { makeQuotas } from '#worker/domain/quota/take-quota.ts'
import { readUploadConfig } from '#worker/domain/upload/presign-upload.ts'
import { shareEdgeOf } from '#worker/http/share-edge.ts'
import type { EdgeCache } from '#worker/ports/edge-cache.ts'

/**
 * Queries of D1 after which an invocation begins nothing more. The platform ends it at 1,000 of all databases together
 * (D1, "Limits"), and no item makes as many as are left then.
 */
export const QUERIES_BEFORE_END = 800

const nowMs = () => Date.now()

/**
 * Makes the context of work.
 * @param extraFields fields that only this work needs, for example its services
 */
export function openContext<More extends object = object>(env: Env, extraFields?: More): Context & More {
  const context: Context = {
    ...openDatabase(env),
    search: env.SEARCH,
    bucket: env.MEDIA,
    queues: {
      ingest: env.INGEST_QUEUE,
      transcribe: env.SPEECH_QUEUE,
      write_steps: env.STEPS_QUEUE,
      translate: env.TRANSLATE_QUEUE,
      notify: env.NOTICE_QUEUE,
    },
    purges: env.PURGE_QUEUE,
    rooms: objectsOf(env, env.MODULE_ROOM),
    quotas: makeQuotas(env),
    // Read when it is used: a size that is no number refuses only uploads.
    get uploads() {
      return readUploadConfig(env)
    },
    modelAnswersPerDay: Number(env.TUTOR_MODEL_ANSWERS_PER_DAY),
    secrets: env.TICKET_SECRET,
    nowMs,
  }
  return Object.assign(context, extraFields)
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
  const note = makeOutcomeRecorder({ d1: openDatabase(env).d1, nowMs, ctx })
  const edge: EdgeCache = { purge: (tags) => shareEdgeOf(ctx).purge(tags) }
  return openContext(env, { services: watchServices(makeServices(env), note), edge })
}
