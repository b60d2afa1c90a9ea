import { subjectsOf } from '#contract/records/person-training.ts'
import { FIXED_KINDS, type RecordedPerson, type TrainingRecord } from '#contract/records/training-record.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { appendRecords } from './append-records.ts'
import { readKeeping } from './record-keeping.ts'
import { findHashed, listRecordsOf, readBaseSeq, readRecordText } from './record-store.ts'

/**
 * Records that an earlier record was wrong; what it said of people and trainings holds no longer.
 * @throws {AppError} not_found, also for one that was removed; invalid_request for one that cannot be corrected (again)
 */
export async function correctRecord(
  context: Pick<Context, 'db' | 'd1' | 'nowMs'>,
  orgId: string,
  { seq, reason, by }: { seq: number; reason: string; by: RecordedPerson },
): Promise<void> {
  const stored = await findHashed(context.d1, orgId, seq)
  const { fromSeq } = await readKeeping(context.db, orgId)
  if (stored === null || seq < fromSeq) throw new AppError('not_found', 'This record could not be found.')
  if (FIXED_KINDS.includes(stored.kind)) throw new AppError('invalid_request', 'This kind of record is not corrected.')
  if (await isSettled(context.d1, orgId, readRecordText(stored.text)))
    throw new AppError('invalid_request', 'This record was corrected before, or is about to be removed.')
  await appendRecords(context, orgId, { bodies: [{ kind: 'corrected', of: { seq, hash: stored.hash }, reason, by }] })
}

/** Whether a record was corrected, or is summed up for its removal. */
async function isSettled(d1: D1Database, orgId: string, record: TrainingRecord): Promise<boolean> {
  const [subject] = subjectsOf(record)
  if (subject === undefined) return false
  // A correction is about everybody whom the record is about, so one of them tells.
  const later = await listRecordsOf(d1, orgId, subject)
  const isCorrected = later.some(({ body }) => body.kind === 'corrected' && body.of.seq === record.seq)
  return isCorrected || (await readBaseSeq(d1, orgId, subject)) >= record.seq
}
