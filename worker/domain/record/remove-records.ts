import { applyRecord, listValid, newPersonTraining, type PersonTraining } from '#contract/records/person-training.ts'
import type { Checkpoint } from '#records/export-files.ts'
import type { BoundedContext } from '#worker/core/context.ts'
import { listRows, runSql } from '#worker/db/db.ts'
import { logLine } from '#worker/log/log.ts'
import { listCheckpoints } from './checkpoint.ts'
import {
  type Base,
  findHashed,
  type HashedRow,
  listRecordsOf,
  listSubjectsOf,
  readBase,
  readRecordText,
  type Subject,
} from './record-store.ts'
import { removeUnrecordedVersions } from './recorded-versions.ts'

/** An organization whose oldest records have served their time, or are being removed. */
export interface DueRemoval {
  orgId: string
  months: number
  fromSeq: number
  /** The first day that is kept. */
  keptDay: string
}

/** Organizations that one sweep looks at. */
const PER_SWEEP = 20
/** Records that are read at once; one about a thousand people has 100 kB. */
const RECORDS_AT_ONCE = 20
const KEPT_DAY = "date(?1, 'unixepoch', '-' || record_months || ' months')"

/** Lists organizations of which records may be removed: there is no legal hold, and the oldest record is old enough. */
export function listDueRemovals(d1: D1Database, nowMs: number): Promise<DueRemoval[]> {
  return listRows(
    d1,
    `SELECT org_id AS orgId, record_months AS months, records_from AS fromSeq, ${KEPT_DAY} AS keptDay
     FROM glossaries AS g WHERE record_months IS NOT NULL AND record_hold IS NULL
       AND (SELECT created_at FROM training_records WHERE org_id = g.org_id ORDER BY seq LIMIT 1)
         < unixepoch(${KEPT_DAY}) * 1000
     LIMIT ${PER_SWEEP}`,
    nowMs / 1_000,
  )
}

/**
 * Removes the records of an organization that have served their time: all up to a checkpoint. What they said of people
 * and trainings is summed up before, so that what is known stays the same.
 * @returns false where nothing was to be removed, or more is left
 */
export async function removeRecords(context: BoundedContext, due: DueRemoval): Promise<boolean> {
  const { d1, bucket } = context
  const end = (await listCheckpoints(bucket, due.orgId)).filter(({ day }) => day < due.keptDay).at(-1)
  if (end !== undefined && end.seq >= due.fromSeq) {
    if (!(await isInList(d1, due.orgId, end))) return false
    if (!(await sumUp(context, due, end))) return false
    // The settings may have changed meanwhile.
    await runSql(
      d1,
      `UPDATE glossaries SET records_from = ?2, records_from_hash = ?3
       WHERE org_id = ?1 AND record_hold IS NULL AND record_months = ?4 AND records_from < ?2`,
      due.orgId,
      end.seq + 1,
      end.hash,
      due.months,
    )
  }
  return deleteGivenUp(context, due.orgId)
}

/** A list that is not the one of its checkpoint is evidence of that, and stays. */
async function isInList(d1: D1Database, orgId: string, { seq, hash }: Checkpoint): Promise<boolean> {
  const stored = await findHashed(d1, orgId, seq)
  if (stored?.hash === hash) return true
  logLine('error', 'records_kept', { outcome: 'checkpoint_broken' })
  return false
}

/** Sums up what the records up to a checkpoint said. @returns whether that is done */
async function sumUp(context: BoundedContext, { orgId, fromSeq }: DueRemoval, end: Checkpoint): Promise<boolean> {
  const { d1, hasQueriesLeft } = context
  for (let seq = fromSeq; seq <= end.seq; seq += RECORDS_AT_ONCE) {
    const lastSeq = Math.min(end.seq, seq + RECORDS_AT_ONCE - 1)
    const rows = await listRows<HashedRow>(
      d1,
      'SELECT seq, hash, kind, text FROM training_records WHERE org_id = ? AND seq BETWEEN ? AND ? ORDER BY seq',
      orgId,
      seq,
      lastSeq,
    )
    for (const { subjects } of await Promise.all(rows.map((row) => readSubjects(d1, orgId, row))))
      for (const subject of subjects) {
        if (!hasQueriesLeft()) return false
        if (!(await sumUpSubject(d1, orgId, { subject, endSeq: end.seq }))) return false
      }
  }
  return true
}

async function readSubjects(d1: D1Database, orgId: string, { seq, text }: HashedRow) {
  return { seq, subjects: await listSubjectsOf(d1, orgId, readRecordText(text)) }
}

/** @returns false where a record came meanwhile */
async function sumUpSubject(
  d1: D1Database,
  orgId: string,
  { subject, endSeq }: { subject: Subject; endSeq: number },
): Promise<boolean> {
  const before = await readBase(d1, orgId, subject)
  if (before.baseSeq >= endSeq) return true
  const records = await listRecordsOf(d1, orgId, subject)
  const base = foldUpTo(subject, { ...before, records, endSeq })
  const changed = await runSql(
    d1,
    `UPDATE person_trainings SET base = ?4, base_seq = ?5
     WHERE org_id = ?1 AND person_id = ?2 AND module_id = ?3 AND seq = ?6`,
    orgId,
    subject.personId,
    subject.moduleId,
    JSON.stringify(base),
    endSeq,
    records.at(-1)?.seq ?? 0,
  )
  return changed === 1 || (await isErased(d1, orgId, subject))
}

/** What records up to one of them say; those that a later one corrects do not count. */
function foldUpTo(
  { personId, moduleId }: Subject,
  { base, baseSeq, records, endSeq }: Base & { records: Parameters<typeof listValid>[0]; endSeq: number },
): PersonTraining {
  const counted = listValid(records).filter(({ seq }) => seq > baseSeq && seq <= endSeq)
  return counted.reduce(applyRecord, base ?? newPersonTraining(personId, moduleId))
}

/** Of people who were erased nothing is known. */
async function isErased(d1: D1Database, orgId: string, { personId, moduleId }: Subject): Promise<boolean> {
  const rows = await listRows(
    d1,
    'SELECT 1 FROM person_trainings WHERE org_id = ? AND person_id = ? AND module_id = ?',
    orgId,
    personId,
    moduleId,
  )
  return rows.length === 0
}

/**
 * Deletes records that were given up, the newest of them first: whom a correction is about, the record that it names
 * says. @returns whether all are deleted
 */
async function deleteGivenUp({ d1, bucket, hasQueriesLeft }: BoundedContext, orgId: string): Promise<boolean> {
  while (hasQueriesLeft()) {
    const rows = await listRows<HashedRow>(
      d1,
      `SELECT seq, hash, kind, text FROM training_records
       WHERE org_id = ?1 AND seq < (SELECT records_from FROM glossaries WHERE org_id = ?1)
       ORDER BY seq DESC LIMIT ${RECORDS_AT_ONCE}`,
      orgId,
    )
    const read = await Promise.all(rows.map((row) => readSubjects(d1, orgId, row)))
    const keys = read.flatMap(({ seq, subjects }) => subjects.map((each) => [each.personId, each.moduleId, seq]))
    const seqs = rows.map(({ seq }) => seq)
    if (rows.length === 0) return true
    await d1.batch([
      d1
        .prepare(
          `DELETE FROM record_subjects WHERE org_id = ?1 AND (person_id, module_id, seq) IN
             (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2))`,
        )
        .bind(orgId, JSON.stringify(keys)),
      d1
        .prepare('DELETE FROM training_records WHERE org_id = ?1 AND seq IN (SELECT value FROM json_each(?2))')
        .bind(orgId, JSON.stringify(seqs)),
    ])
    const moduleIds = new Set(read.flatMap(({ subjects }) => subjects.map(({ moduleId }) => moduleId)))
    for (const moduleId of moduleIds) await removeUnrecordedVersions({ d1, bucket }, { orgId, moduleId })
  }
  return false
}
