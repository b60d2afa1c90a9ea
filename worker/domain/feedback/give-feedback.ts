import { nanoid } from 'nanoid'
import type { SubmitFeedback, SubmitImprovement } from '#contract/feedback.ts'
import type { Db } from '#worker/db/db.ts'
import { getModule } from '#worker/domain/module/get-module.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { insertFeedback } from './feedback-store.ts'

interface FeedbackDeps {
  db: Db
  d1: D1Database
  nowMs: number
}

/**
 * Keeps a rating by anybody who can open the module; the same again within a minute changes nothing.
 * @throws {AppError} not_found for a module that the caller cannot open
 */
export async function rate(deps: FeedbackDeps, caller: Caller, rating: SubmitFeedback): Promise<void> {
  const moduleId = await checkModule(deps, caller, rating.moduleId ?? null)
  await insertFeedback(deps.d1, {
    id: nanoid(),
    moduleId,
    userId: caller.userId,
    type: rating.type,
    action: rating.action,
    context: rating.context || null,
    userMessage: rating.userMessage || null,
    aiResponse: rating.aiResponse || null,
    createdAt: deps.nowMs,
  })
}

/**
 * Keeps what somebody who can open the module would make better; the same again within a minute changes nothing.
 * @throws {AppError} not_found for a module that the caller cannot open
 */
export async function suggest(deps: FeedbackDeps, caller: Caller, suggestion: SubmitImprovement): Promise<void> {
  const moduleId = await checkModule(deps, caller, suggestion.moduleId)
  await insertFeedback(deps.d1, {
    id: nanoid(),
    moduleId,
    userId: caller.userId,
    type: suggestion.type,
    action: null,
    context: null,
    userMessage: suggestion.feedback,
    aiResponse: null,
    createdAt: deps.nowMs,
  })
}

async function checkModule({ db }: FeedbackDeps, caller: Caller, moduleId: string | null): Promise<string | null> {
  return moduleId === null ? null : (await getModule(db, caller, moduleId)).module.id
}
