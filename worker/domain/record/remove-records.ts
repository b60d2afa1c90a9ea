import { photosIn } from '#contract/records/named-in-record.ts'
import { applyRecord, listValid, newPersonTraining, type PersonTraining } from '#contract/records/person-training.ts'
import type { Checkpoint } from '#records/export-files.ts'
import type { BoundedContext } from '#worker/core/context.ts'
import { listRows, runSql } from '#worker/db/db.ts'
import { logLine } from '#worker/log/log.ts'
import { listCheckpoints } from './checkpoint.ts'
import { type History, readHistories } from './read-histories.ts'
import { removeUnnamed } from './record-photo.ts'
import { divideRows, findHashed, type HashedRow, listSubjectsOf, readShown, type Subject } from './record-store.ts'
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
/** People and trainings that are summed up at once. */
const SUBJECTS_AT_ONCE = 100
/** Of a shorter month its last day, so that nothing goes before its months are over. */
const KEPT_DAY = "date(?1, 'unixepoch', '-' || record_months || ' months', 'floor')"

/**
 * Lists organizations of which records may be removed: there is no legal hold, and the oldest record is old enough. They come
 * in any order, so that none waits for ever behind those that cannot be finished.
 */
export function listDueRemovals(d1: D1Database, nowMs: number): Promise<DueRemoval[]> {
  return listRows(
    d1,
    `SELECT org_id AS orgId, record_months AS months, records_from AS fromSeq, ${KEPT_DAY} AS keptDay
     FROM glossaries AS g WHERE record_months IS NOT NULL AND record_hold IS NULL
       AND (SELECT created_at FROM training_records WHERE org_id = g.org_id ORDER BY seq LIMIT 1)
         < unixepoch(${KEPT_DAY}) * 1000
     ORDER BY random() LIMIT ${PER_SWEEP}`,
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
    if (!(await sumUp(context, due.orgId, end))) return false
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

/**
 * Sums up what the records up to a checkpoint said. Each pair is done once: the next sweep goes on with the others, also
 * where its checkpoint is a later one.
 * @returns whether that is done
 */
async function sumUp({ d1, hasQueriesLeft }: BoundedContext, orgId: string, end: Checkpoint): Promise<boolean> {
  let isDone = true
  let after: Subject = { personId: '', moduleId: '' }
  for (;;) {
    if (!hasQueriesLeft()) return false
    const subjects = await listToSumUp(d1, { orgId, endSeq: end.seq, after })
    const last = subjects.at(-1)
    if (last === undefined) return isDone
    after = last
    isDone = (await sumUpSubjects(d1, orgId, { subjects, endSeq: end.seq })) && isDone
  }
}

/** Lists people and trainings with records that are not summed up, of the pair after another one. */
function listToSumUp(
  d1: D1Database,
  { orgId, endSeq, after }: { orgId: string; endSeq: number; after: Subject },
): Promise<Subject[]> {
  return listRows(
    d1,
    `SELECT person_id AS personId, module_id AS moduleId FROM person_trainings AS t
     WHERE org_id = ?1 AND (person_id, module_id) > (?2, ?3) AND EXISTS (
       SELECT 1 FROM record_subjects AS s WHERE s.org_id = ?1 AND s.person_id = t.person_id
         AND s.module_id = t.module_id AND s.seq > t.base_seq AND s.seq <= ?4)
     ORDER BY person_id, module_id LIMIT ${SUBJECTS_AT_ONCE}`,
    orgId,
    after.personId,
    after.moduleId,
    endSeq,
  )
}

/** @returns false where a record came meanwhile */
async function sumUpSubjects(
  d1: D1Database,
  orgId: string,
  { subjects, endSeq }: { subjects: readonly Subject[]; endSeq: number },
): Promise<boolean> {
  const histories = await readHistories(d1, orgId, subjects)
  const bases = histories.map((of) => [of.personId, of.moduleId, of.seq, JSON.stringify(foldUpTo(of, endSeq))])
  let changed = 0
  for (const part of divideRows(bases))
    changed += await runSql(
      d1,
      `INSERT INTO person_trainings (org_id, person_id, module_id, known, seq, base, base_seq)
       SELECT t.org_id, t.person_id, t.module_id, t.known, t.seq, a.value ->> 3, ?2 FROM json_each(?3) AS a
       CROSS JOIN person_trainings AS t ON t.org_id = ?1 AND t.person_id = a.value ->> 0
         AND t.module_id = a.value ->> 1 AND t.seq = a.value ->> 2
       WHERE true ON CONFLICT DO UPDATE SET base = excluded.base, base_seq = excluded.base_seq`,
      orgId,
      endSeq,
      part,
    )
  return changed === histories.length
}

/** What records up to one of them say; those that a later one corrects do not count. */
function foldUpTo({ personId, moduleId, base, records }: History, endSeq: number): PersonTraining {
  const counted = listValid(records).filter(({ seq }) => seq <= endSeq)
  return counted.reduce(applyRecord, base ?? newPersonTraining(personId, moduleId))
}

/**
 * Deletes records that were given up, the newest of them first: the record that a correction names says whom it is about.
 * @returns whether all are deleted
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
    // Before the records, which say whose they are.
    await removeUnnamed(
      { d1, bucket },
      read.flatMap(({ photos }) => photos),
    )
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

/** Whom and what a record is about, and its photos. */
async function readSubjects(d1: D1Database, orgId: string, { seq, text }: HashedRow) {
  const record = readShown(text)
  if (record === null) return { seq, subjects: [], photos: [] }
  const photos = photosIn(record.body).map((photo) => ({ orgId, ...photo }))
  const subjects = await listSubjectsOf(d1, orgId, record)
  // The record that a correction names may have been removed in an earlier sweep. That is rare, so reading
  // all rows of the organization, which no index has by their number, is no harm.
  const isOrphaned = record.body.kind === 'corrected' && subjects.length === 0
  return { seq, subjects: isOrphaned ? await listStoredSubjects(d1, orgId, seq) : subjects, photos }
}

function listStoredSubjects(d1: D1Database, orgId: string, seq: number): Promise<Subject[]> {
  return listRows(
    d1,
    'SELECT person_id AS personId, module_id AS moduleId FROM record_subjects WHERE org_id = ? AND seq = ?',
    orgId,
    seq,
  )
}
