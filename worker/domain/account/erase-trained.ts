import { nanoid } from 'nanoid'
import type { RecordedPerson } from '#contract/records/training-record.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { listRows } from '#worker/db/db.ts'
import { renameLearner } from '#worker/domain/learning/learner-account-store.ts'
import { erasePerson, listErasable } from '#worker/domain/record/erase-person.ts'
import { readKeeping } from '#worker/domain/record/record-keeping.ts'
import { removePhotosOf } from '#worker/domain/record/record-photo.ts'
import { removeReportsOf } from '#worker/domain/step-report/report-photo.ts'
import { removeTurnsOf } from '#worker/domain/tutor/turn-store.ts'

type EraseContext = Pick<Context, 'db' | 'd1' | 'bucket' | 'nowMs'>

/** The browser gives up after ten seconds; what was erased until then stays erased. */
const IN_REQUEST_MS = 6_000

/**
 * Erases a person of an organization: what they watched, reported and asked, photos of them, then who they are. The name
 * goes last, so that it can be asked for again while there is more.
 * @param by null for an account that is erased
 * @throws {AppError} not_found; on_hold; unavailable while there is more
 */
export async function eraseTrained(
  context: EraseContext,
  orgId: string,
  { personId, by }: { personId: string; by: RecordedPerson | null },
): Promise<void> {
  const ids = await listErasable(context, orgId, personId)
  const endsMs = context.nowMs() + IN_REQUEST_MS
  while (!(await eraseTraces(context, orgId, ids)))
    if (context.nowMs() > endsMs)
      throw new AppError('unavailable', 'There is much to erase. Please ask for it again.', { retryAfterS: 1 })
  await removePhotosOf(context.bucket, orgId, ids)
  await erasePerson(context, orgId, { personId, by })
  // What came between: nobody can report for an erased person any more.
  await eraseTraces(context, orgId, ids)
  await removePhotosOf(context.bucket, orgId, ids)
}

/** Whenever it was: nobody watches under these names after the person. */
const ALL_MS = Number.MAX_SAFE_INTEGER

/** ?1 and ?2: between them lie the names under which a person watches, one for each time that a training is done. */
const NAMES = `SELECT learner_id AS id FROM learners WHERE learner_id > ?1 AND learner_id < ?2
  UNION SELECT learner_id FROM step_reports WHERE learner_id > ?1 AND learner_id < ?2
  UNION SELECT user_id FROM questions WHERE user_id > ?1 AND user_id < ?2 LIMIT 20`

/** @returns false while there is more */
async function eraseTraces(context: EraseContext, orgId: string, personIds: readonly string[]): Promise<boolean> {
  const { db, d1 } = context
  let isDone = true
  for (const personId of personIds) {
    const name = `person:${orgId}:${personId}`
    // The character after the colon.
    const learners = await listRows<{ id: string }>(d1, NAMES, `${name}:`, `${name};`)
    for (const { id } of learners) {
      await removeTurnsOf(db, id, ALL_MS)
      await removeReportsOf(context, { learnerId: id }, ALL_MS)
      // As with accounts: sums stay right and cannot be traced to a person.
      await renameLearner(d1, { from: id, to: `anyone:erased_${nanoid()}`, beforeMs: ALL_MS })
    }
    isDone &&= learners.length === 0
  }
  return isDone
}

/** Organizations of one person that one call leaves; a person has few. */
const PER_CALL = 50

/**
 * Erases an account among the people of all organizations.
 * @returns false while a legal hold keeps the name somewhere, or there are more
 */
export async function erasePeopleOf(
  context: EraseContext,
  { userId, beforeMs }: { userId: string; beforeMs: number },
): Promise<boolean> {
  const rows = await listRows<{ orgId: string; id: string }>(
    context.d1,
    `SELECT org_id AS orgId, id FROM people WHERE user_id = ? AND created_at <= ? LIMIT ${PER_CALL}`,
    userId,
    beforeMs,
  )
  let isDone = rows.length < PER_CALL
  for (const { orgId, id } of rows) {
    const { keeping } = await readKeeping(context.db, orgId)
    if (keeping.hold === null) await eraseTrained(context, orgId, { personId: id, by: null })
    else isDone = false
  }
  return isDone
}
