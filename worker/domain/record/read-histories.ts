import { PersonTraining } from '#contract/records/person-training.ts'
import type { TrainingRecord } from '#contract/records/training-record.ts'
import { listRows } from '#worker/db/db.ts'
import { divideBySize } from './divide-by-size.ts'
import { keyOf, readRecordText, type Subject } from './record-store.ts'

/** From what the facts of a person and a training are made anew. */
export interface History extends Subject {
  /** What was summed up; null before. */
  base: PersonTraining | null
  baseSeq: number
  /** Number of the last record in the facts. */
  seq: number
  /** The records that are not in `base`, in order. */
  records: TrainingRecord[]
}

interface FactsRow extends Subject {
  base: string | null
  baseSeq: number
  seq: number
}

interface PlaceRow extends Subject {
  seq: number
  sizeBytes: number
}

/** Records that are read at once, as their texts are long. */
const READ_BYTES = 4_000_000

/**
 * Reads the histories of people and trainings, of all of them in a few queries. Those without facts are left out. A record
 * that comes meanwhile has another `seq` than the history.
 */
export async function readHistories(d1: D1Database, orgId: string, subjects: readonly Subject[]): Promise<History[]> {
  if (subjects.length === 0) return []
  const asked = JSON.stringify(subjects.map(({ personId, moduleId }) => [personId, moduleId]))
  // CROSS JOIN looks each pair up; SQLite would rather try all facts of the organization with all pairs.
  // Before their records, so that no history says it has one that was not read.
  const facts = await listRows<FactsRow>(
    d1,
    `SELECT t.person_id AS personId, t.module_id AS moduleId, t.base, t.base_seq AS baseSeq, t.seq
     FROM json_each(?2) AS a
     CROSS JOIN person_trainings AS t ON t.org_id = ?1 AND t.person_id = a.value ->> 0 AND t.module_id = a.value ->> 1`,
    orgId,
    asked,
  )
  const places = await listRows<PlaceRow>(
    d1,
    `SELECT s.person_id AS personId, s.module_id AS moduleId, s.seq, octet_length(r.text) AS sizeBytes
     FROM json_each(?2) AS a
     CROSS JOIN record_subjects AS s ON s.org_id = ?1 AND s.person_id = a.value ->> 0 AND s.module_id = a.value ->> 1
     JOIN training_records AS r ON r.org_id = s.org_id AND r.seq = s.seq
     ORDER BY s.seq`,
    orgId,
    asked,
  )
  const records = await readRecords(d1, orgId, places)
  const placesOf = Map.groupBy(places, keyOf)
  return facts.map(({ base, ...of }) => ({
    ...of,
    base: base === null ? null : PersonTraining.parse(JSON.parse(base)),
    records: (placesOf.get(keyOf(of)) ?? []).flatMap(({ seq }) => (seq > of.baseSeq && records.get(seq)) || []),
  }))
}

async function readRecords(
  d1: D1Database,
  orgId: string,
  places: readonly PlaceRow[],
): Promise<Map<number, TrainingRecord>> {
  const sizes = new Map(places.map(({ seq, sizeBytes }) => [seq, sizeBytes]))
  const records = new Map<number, TrainingRecord>()
  for (const part of divideBySize([...sizes], ([, sizeBytes]) => sizeBytes, READ_BYTES)) {
    const rows = await listRows<{ seq: number; text: string }>(
      d1,
      `SELECT r.seq, r.text FROM json_each(?2) AS asked
       CROSS JOIN training_records AS r ON r.org_id = ?1 AND r.seq = asked.value`,
      orgId,
      JSON.stringify(part.map(([seq]) => seq)),
    )
    for (const { seq, text } of rows) records.set(seq, readRecordText(text))
  }
  return records
}
