import { WorkerEntrypoint } from 'cloudflare:workers'
import { openServedContext } from '#worker/context.ts'
import type { Task } from '#worker/domain/run/task-store.ts'
import { type AnsweredTurn, type AnswerListener, answerTurn, type Turn } from '#worker/domain/tutor/answer-turn.ts'
import { withTrace } from '#worker/log/log.ts'
import { runTasks } from '#worker/pipeline/run-tasks.ts'
import type { EdgeCache } from '#worker/ports/edge-cache.ts'
import { createShareOrigin } from '#worker/routes/share-origin.ts'
import type { MakeServices } from '#worker/services.ts'

/**
 * The entrypoint with the edge's cache in front of it (`exports` in wrangler.toml). Only this worker's own entry calls
 * it, so that what is cached was asked for without anything of a visitor.
 * @param openCache the cache of that entrypoint; only it can purge it
 */
export function createSharePage(openCache: (ctx: ExecutionContext) => EdgeCache) {
  const origin = createShareOrigin()
  return class SharePage extends WorkerEntrypoint<Env> {
    override async fetch(request: Request): Promise<Response> {
      return origin.fetch(request, this.env, this.ctx)
    }

    purge(tags: readonly string[]): Promise<void> {
      return openCache(this.ctx).purge(tags)
    }
  }
}

/**
 * The entrypoint through which a drain spreads its tasks: each call is an invocation of its own, and may have six
 * connections open where all tasks in one invocation would have six in all.
 */
export function createTaskRunner(makeServices: MakeServices) {
  return class TaskRunner extends WorkerEntrypoint<Env> {
    runTasks(tasks: Task[]): Promise<void> {
      return runTasks(tasks, openServedContext(this.env, this.ctx, makeServices))
    }
  }
}

/**
 * The entrypoint in which one question is answered: an invocation of its own, so that neither the work nor the
 * connection to the model is the room's, which has one thread and six connections for all of its module.
 */
export function createTutorRunner(makeServices: MakeServices) {
  return class TutorRunner extends WorkerEntrypoint<Env> {
    answer(turn: Turn, listener: AnswerListener): Promise<AnsweredTurn> {
      const context = openServedContext(this.env, this.ctx, makeServices)
      const { requestId, moduleId } = turn
      const answered = withTrace({ requestId, moduleId }, () => answerTurn(context, turn, listener))
      // When the room dies, what was said is still to be kept and the model to be stopped.
      this.ctx.waitUntil(answered.catch(() => undefined))
      return answered
    }
  }
}
