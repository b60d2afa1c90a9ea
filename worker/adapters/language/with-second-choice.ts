import { AppError, faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import type { TutorModel } from '#worker/ports/tutor-model.ts'

/**
 * A model that answers where another one cannot: only before its first sentence, since a learner must not see two
 * beginnings, and not where the account's quota is used up, which is the same for both.
 */
export function withSecondChoice(first: TutorModel, second: TutorModel): TutorModel {
  return {
    name: `${first.name}, ${second.name}`,
    async *answer(task, signal) {
      let hasSpoken = false
      try {
        for await (const sentence of first.answer(task, signal)) {
          hasSpoken = true
          yield sentence
        }
        return
      } catch (error) {
        const isHopeless = error instanceof AppError && error.code === 'ai_quota'
        if (hasSpoken || signal.aborted || isHopeless) throw error
        logLine('warn', 'tutor_second_choice', { model: first.name, ...faultOf(error) })
      }
      yield* second.answer(task, signal)
    },
  }
}
