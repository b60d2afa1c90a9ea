import type { Publishers, SendBack } from '#contract/review.ts'
import type { Review, ReviewRequest } from '#contract/version.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Db } from '#worker/db/db.ts'
import { isOwner, mayTakeOver } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { has } from '#worker/domain/organization/membership.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { answerReview, findReview, type Published, putReview, type ReviewRow, readPublishers } from './review-store.ts'

const APPROVERS = [{ role: 'org:admin' }, { permission: 'org:versions:approve' }] as const

/** Whether one of a module's owners may publish it; nobody else does, whatever the rule. */
export function isPublisher(publishers: Publishers, caller: Caller, module: Published): boolean {
  if (publishers === 'anyone') return isOwner(caller, module)
  // An uploader who has left the organization, or has another one active, is outside of its rules.
  if (module.orgId !== caller.orgId) return false
  if (publishers === 'owner') return module.userId === caller.userId || mayTakeOver(caller, module)
  if (publishers === 'approvers') return APPROVERS.some((asked) => has(caller, asked))
  return (module.editedBy ?? module.userId) !== caller.userId
}

/** Reads who may publish a module, and whether a caller may. */
export async function readRight(
  { db }: { db: Db },
  module: ModuleRow,
  caller: Caller,
): Promise<{ publishers: Publishers; mayPublish: boolean }> {
  const publishers = await readPublishers(db, module.orgId)
  return { publishers, mayPublish: isPublisher(publishers, caller, module) }
}

/** @throws {AppError} approval_needed for those who may not publish; @returns whether a name has to stand under a version */
export async function requirePublisher(context: { db: Db }, module: ModuleRow, caller: Caller): Promise<boolean> {
  const { publishers, mayPublish } = await readRight(context, module, caller)
  if (mayPublish) return publishers !== 'anyone'
  throw new AppError('approval_needed', 'Somebody else has to release this training. Ask for it.')
}

/** Asks that the draft that the caller saw is released. @throws {AppError} invalid_request where no versions are published */
export async function askForReview(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  module: ModuleRow,
  { name, draft: hash, note, retraining, userId }: ReviewRequest & Pick<Caller, 'userId'>,
): Promise<void> {
  if (module.publishedVersion === null) throw new AppError('invalid_request', 'Switch versions on first.')
  const unanswered = { answeredBy: null, answerName: null, reason: null, answeredAt: null }
  await putReview(db, { moduleId: module.id, hash, note, retraining, userId, name, askedAt: nowMs(), ...unanswered })
}

/** Sends a draft back with a reason. @throws {AppError} not_found where nothing is asked for; approval_needed */
export async function sendBack(
  context: Pick<Context, 'db' | 'nowMs'>,
  module: ModuleRow,
  { caller, name, reason }: SendBack & { caller: Caller },
): Promise<void> {
  const review = await findReview(context.db, module.id)
  if (review === null || review.answeredAt !== null) throw nothingAsked()
  await requirePublisher(context, module, caller)
  const answer = { answeredBy: caller.userId, answerName: name, reason, answeredAt: context.nowMs() }
  if (!(await answerReview(context.db, { moduleId: module.id, hash: review.hash, ...answer }))) throw nothingAsked()
}

function nothingAsked(): AppError {
  return new AppError('not_found', 'Nobody asks for a release of this training.')
}

/** Presents what is asked for to one of the owners. */
export function presentReview(row: ReviewRow, { userId }: Pick<Caller, 'userId'>): Review {
  const { hash: draft, note, retraining, name, reason, answerName, answeredAt } = row
  const sentBack =
    answeredAt === null ? null : { name: answerName ?? '', reason: reason ?? '', sentBackAt: toIso(answeredAt) }
  return { draft, note, retraining, name, askedAt: toIso(row.askedAt), isMine: row.userId === userId, sentBack }
}
