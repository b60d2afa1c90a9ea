import { WorkerEntrypoint } from 'cloudflare:workers'
import { openDb } from '#worker/db/db.ts'
import { makeWatchedServices } from '#worker/domain/health/watch-services.ts'
import { readQuotas } from '#worker/domain/quota/quotas.ts'
import { type AnsweredTurn, type AnswerListener, answerTurn, type Turn } from '#worker/domain/tutor/answer-turn.ts'
import { withTrace } from '#worker/log/trace.ts'
import type { MakeServices } from '#worker/services.ts'

/**
 * The entrypoint in which one question is answered: an invocation of its own, so that neither the work nor the
 * connection to the model is the room's, which has one thread and six connections for all of its module.
 */
export function createTutorRunner(makeServices: MakeServices) {
  return class TutorRunner extends WorkerEntrypoint<Env> {
    answer(turn: Turn, listener: AnswerListener): Promise<AnsweredTurn> {
      const waitUntil = (work: Promise<unknown>) => this.ctx.waitUntil(work)
      const { DB, TUTOR_MODEL_ANSWERS_PER_DAY } = this.env
      const deps = {
        db: openDb(DB),
        d1: DB,
        quotas: readQuotas(this.env),
        nowMs: () => Date.now(),
        model: makeWatchedServices(makeServices, { env: this.env, waitUntil }).tutorModel,
        modelAnswersPerDay: Number(TUTOR_MODEL_ANSWERS_PER_DAY),
      }
      const { requestId, moduleId } = turn
      const answered = withTrace({ requestId, moduleId }, () => answerTurn(deps, turn, listener))
      // When the room dies, what was said is still to be kept and the model to be stopped.
      this.ctx.waitUntil(answered.catch(() => undefined))
      return answered
    }
  }
}
