import type { Context } from 'hono'
import { openDb } from '#worker/db/db.ts'
import { getModule } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { takeOne } from '#worker/domain/quota/take-quota.ts'
import type { AppEnv } from './app-env.ts'
import { limitQuestions } from './limit-questions.ts'
import { quotaDepsOf } from './quota-deps.ts'

/**
 * Finds the module that a question is about; every person who can open it may ask.
 * @throws {AppError} not_found, rate_limited, quota_reached
 */
export async function openQuestion(c: Context<AppEnv>, moduleId: string): Promise<ModuleRow> {
  const { caller } = c.var
  const open = async () => (await getModule(openDb(c.env.DB), caller, moduleId)).module
  const module = await limitQuestions(c.env, caller.userId, open)
  await takeOne(quotaDepsOf(c), 'questions', caller.userId)
  return module
}
