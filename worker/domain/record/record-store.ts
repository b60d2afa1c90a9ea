import { PersonTraining, subjectsOf } from '#contract/records/person-training.ts'
import { NO_RECORD, type RecordKind, TrainingRecord } from '#contract/records/training-record.ts'
import { timelineOf } from '#contract/records/training-state.ts'
import { parseJson } from '#records/export-files.ts'
import { listRows } from '#worker/db/db.ts'
import { divideBySize } from './divide-by-size.ts'

/** The end of an organization's list, which the next record continues. */
export interface Head {
  /** Number of the last record; 0 before the first. */
  seq: number
  hash: string
}

/** A record with its text and hash, and whom and what it is about. */
export interface NewRow {
  record: TrainingRecord
  text: string
  hash: string
  subjects: readonly Subject[]
}

/** A person and a training. */
export interface Subject {
  personId: string
  moduleId: string
}

/** What distinguishes them in a map. */
export function keyOf({ personId, moduleId }: Subject): string {
  return `${personId} ${moduleId}`
}

/** Reads where an organization's list ends, which removals by retention do not change. */
export async function readHead(d1: D1Database, orgId: string): Promise<Head> {
  const [last] = await listRows<Head>(
    d1,
    'SELECT seq, hash FROM training_records WHERE org_id = ? ORDER BY seq DESC LIMIT 1',
    orgId,
  )
  if (last !== undefined) return last
  const [kept] = await listRows<{ seq: number; hash: string | null }>(
    d1,
    'SELECT records_from - 1 AS seq, records_from_hash AS hash FROM glossaries WHERE org_id = ?',
    orgId,
  )
  return { seq: kept?.seq ?? 0, hash: kept?.hash ?? NO_RECORD }
}

/** Reads what is known of people and trainings; those without a record are left out. */
export async function readKnown(
  d1: D1Database,
  orgId: string,
  subjects: readonly Subject[],
): Promise<PersonTraining[]> {
  const rows = await listRows<{ known: string }>(
    d1,
    `SELECT person_trainings.known FROM json_each(?2) AS subject
     CROSS JOIN person_trainings ON org_id = ?1 AND person_id = subject.value ->> 0 AND module_id = subject.value ->> 1`,
    orgId,
    JSON.stringify(subjects.map(({ personId, moduleId }) => [personId, moduleId])),
  )
  return rows.map(({ known }) => PersonTraining.parse(JSON.parse(known)))
}

/** Lists the records about a person and a training, in order. */
export async function listRecordsOf(
  d1: D1Database,
  orgId: string,
  { personId, moduleId }: Subject,
): Promise<TrainingRecord[]> {
  const rows = await listRows<{ text: string }>(
    d1,
    `SELECT text FROM record_subjects JOIN training_records USING (org_id, seq)
     WHERE org_id = ? AND person_id = ? AND module_id = ? ORDER BY seq`,
    orgId,
    personId,
    moduleId,
  )
  return rows.map(({ text }) => readRecordText(text))
}

/** Reads up to which record those about a person and a training are summed up; 0 before any was. */
export async function readBaseSeq(d1: D1Database, orgId: string, { personId, moduleId }: Subject): Promise<number> {
  const query = 'SELECT base_seq AS seq FROM person_trainings WHERE org_id = ? AND person_id = ? AND module_id = ?'
  const [row] = await listRows<{ seq: number }>(d1, query, orgId, personId, moduleId)
  return row?.seq ?? 0
}

/** Reads a record from its stored text. */
export function readRecordText(text: string): TrainingRecord {
  return TrainingRecord.parse(JSON.parse(text))
}

/** Reads what a list shows; null where the row holds no record, which the check of an export then says. */
export function readShown(text: string): TrainingRecord | null {
  const value = parseJson(text)
  const { success, data } = TrainingRecord.safeParse(value)
  return success ? data : null
}

/** Whom and what a record is about; a correction is about those of the record that it names. */
export async function listSubjectsOf(d1: D1Database, orgId: string, record: TrainingRecord): Promise<Subject[]> {
  if (record.body.kind !== 'corrected') return subjectsOf(record)
  const corrected = await findHashed(d1, orgId, record.body.of.seq)
  return corrected === null ? [] : subjectsOf(readRecordText(corrected.text))
}

/**
 * Makes the statements that add records and what is then known. A record whose number is taken meanwhile fails the
 * batch, so that what was read before it still holds where it succeeds. Of a person who was erased nothing is known, also
 * where a later record is about one of theirs.
 */
export function insertRows(
  d1: D1Database,
  orgId: string,
  {
    rows,
    known,
    nowMs,
  }: { rows: readonly NewRow[]; known: readonly (PersonTraining & { seq: number })[]; nowMs: number },
): D1PreparedStatement[] {
  const records = rows.map(({ record, hash, text }) => [record.seq, hash, text, record.body.kind satisfies RecordKind])
  const subjects = rows.flatMap(({ record, subjects: of }) =>
    of.map(({ personId, moduleId }) => [personId, moduleId, record.seq]),
  )
  const facts = known.map(({ seq, ...of }) => {
    const states = [JSON.stringify(timelineOf(of)), of.done?.version.hash ?? null]
    return [of.personId, of.moduleId, JSON.stringify(of), seq, ...states]
  })
  return [
    ...divideRows(records).map((part) => d1.prepare(INSERT_RECORDS).bind(orgId, part, nowMs)),
    ...divideRows(subjects).map((part) => d1.prepare(INSERT_SUBJECTS).bind(orgId, part)),
    ...divideRows(facts).map((part) => d1.prepare(INSERT_FACTS).bind(orgId, part)),
  ]
}

const INSERT_RECORDS = `INSERT INTO training_records (org_id, seq, hash, text, kind, created_at)
  SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, ?3 FROM json_each(?2)`
const INSERT_SUBJECTS = `INSERT INTO record_subjects (org_id, person_id, module_id, seq)
  SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2)`
const INSERT_FACTS = `INSERT INTO person_trainings (org_id, person_id, module_id, known, seq, timeline, done_hash)
  SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
  FROM json_each(?2) WHERE EXISTS (SELECT 1 FROM people WHERE org_id = ?1 AND id = value ->> 0)
  ON CONFLICT DO UPDATE SET known = excluded.known, seq = excluded.seq, timeline = excluded.timeline,
    done_hash = excluded.done_hash`

/** D1 takes 2 MB as one value; a character has up to three bytes. */
const VALUE_CHARS = 600_000

/** Writes rows as JSON, in parts that D1 takes. */
export function divideRows(rows: readonly (readonly unknown[])[]): string[] {
  const texts = rows.map((row) => JSON.stringify(row))
  return divideBySize(texts, (text) => text.length + 1, VALUE_CHARS).map((part) => `[${part.join(',')}]`)
}

/** Finds a record by its number; null for one that there is not, or not any more. */
export async function findHashed(d1: D1Database, orgId: string, seq: number): Promise<HashedRow | null> {
  const [row] = await listRows<HashedRow>(
    d1,
    'SELECT seq, hash, kind, text FROM training_records WHERE org_id = ? AND seq = ?',
    orgId,
    seq,
  )
  return row ?? null
}

/** A record as it is stored. */
export interface HashedRow extends Head {
  kind: RecordKind
  text: string
}

/** Number of the first record of the organization `?1` that is kept; those before it are being removed. */
export const FIRST_KEPT = 'coalesce((SELECT records_from FROM glossaries WHERE org_id = ?1), 1)'
