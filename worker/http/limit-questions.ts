import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { AppError } from '#worker/errors.ts'
import { hasRoom } from './has-room.ts'
import { LIMIT_PERIOD_S } from './limit-calls.ts'

/**
 * Lets a question pass while its author, and all people together, are under their limits. The author's limit comes
 * first, so that a person who is over it costs nothing, and the module's after it is known that they may open it.
 * @throws {AppError} rate_limited
 */
export async function limitQuestions(
  { TUTOR_USER_LIMIT, TUTOR_MODULE_LIMIT }: Env,
  userId: string,
  openModule: () => Promise<ModuleRow>,
): Promise<ModuleRow> {
  if (!(await hasRoom(TUTOR_USER_LIMIT, userId))) {
    throw tooMany('You have asked many questions in a short time. Please wait a minute, then ask again.')
  }
  const module = await openModule()
  if (!(await hasRoom(TUTOR_MODULE_LIMIT, module.id))) {
    throw tooMany('Many people are asking about this video right now. Please ask again in a minute.')
  }
  return module
}

function tooMany(message: string): AppError {
  return new AppError('rate_limited', message, { retryAfterS: LIMIT_PERIOD_S })
}
