import type { Context } from 'hono'
import { openDb } from '#worker/db/db.ts'
import { getModule } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import type { AppEnv } from './app-env.ts'
import { limitQuestions } from './limit-questions.ts'

/**
 * The module that somebody asks about, which is everybody who can open it.
 * @throws {AppError} not_found, rate_limited
 */
export async function openQuestion(c: Context<AppEnv>, moduleId: string): Promise<ModuleRow> {
  const { caller } = c.var
  return limitQuestions(c.env, caller.userId, async () => (await getModule(openDb(c.env.DB), caller, moduleId)).module)
}
