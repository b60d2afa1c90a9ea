import { PersonTraining } from '#contract/records/person-training.ts'
import type { RecordedPerson } from '#contract/records/training-record.ts'
import type { Retraining } from '#contract/version.ts'
import { listRows } from '#worker/db/db.ts'

/** A published version of which it is not recorded yet who is to be trained again. */
export interface UnaskedVersion {
  moduleId: string
  orgId: string
  number: number
  hash: string
  /** Hash of the version before it. */
  before: string
  retraining: Retraining
}

const SELECT_VERSIONS = `SELECT v.module_id AS moduleId, m.org_id AS orgId, v.number, v.hash,
    coalesce(b.hash, v.hash) AS before, v.retraining
  FROM training_versions AS v JOIN modules AS m ON m.id = v.module_id
  LEFT JOIN training_versions AS b ON b.module_id = v.module_id AND b.number = v.number - 1`

/** Lists such versions, those of one training in their order. */
export function listUnasked(d1: D1Database, limit: number): Promise<UnaskedVersion[]> {
  const areUnasked = 'WHERE v.is_asked = 0 AND m.org_id IS NOT NULL ORDER BY v.published_at, v.number LIMIT ?'
  return listRows<UnaskedVersion>(d1, `${SELECT_VERSIONS} ${areUnasked}`, limit)
}

/** Lists the versions of a training after one of them, in their order. */
export function listLater(
  d1: D1Database,
  { moduleId, number }: Pick<UnaskedVersion, 'moduleId' | 'number'>,
): Promise<UnaskedVersion[]> {
  const areLater = 'WHERE v.module_id = ? AND v.number > ? AND m.org_id IS NOT NULL ORDER BY v.number'
  return listRows<UnaskedVersion>(d1, `${SELECT_VERSIONS} ${areLater}`, moduleId, number)
}

/** Whether there is such a version that asks for something, after a number and up to this one. */
export async function hasUnasked(
  d1: D1Database,
  { moduleId, number }: Pick<UnaskedVersion, 'moduleId' | 'number'>,
  after: number,
): Promise<boolean> {
  const asks = `SELECT 1 FROM training_versions
    WHERE module_id = ?1 AND number > ?2 AND number <= ?3 AND is_asked = 0 AND retraining <> 'none' LIMIT 1`
  return (await listRows(d1, asks, moduleId, after, number)).length > 0
}

/** A person who has done an earlier version, or has met a part of its rule. */
export interface TrainedPerson extends RecordedPerson {
  known: PersonTraining
}

/** Lists the next people who have done an earlier version, by their ids. */
export async function listTrained(
  d1: D1Database,
  { moduleId, orgId, number }: UnaskedVersion,
  { after, limit }: { after: string; limit: number },
): Promise<TrainedPerson[]> {
  const numberOf = (part: string) => `coalesce(known ->> '$.${part}.version.number', 0)`
  const rows = await listRows<{ id: string; commitment: string; known: string }>(
    d1,
    `SELECT p.id, p.commitment, known FROM person_trainings AS pt
     JOIN people AS p ON p.org_id = pt.org_id AND p.id = pt.person_id
     WHERE pt.module_id = ?1 AND pt.org_id = ?2 AND p.id > ?4
       AND max(${numberOf('done')}, ${numberOf('reached')}, ${numberOf('confirmed')}, ${numberOf('signedOff')})
         BETWEEN 1 AND ?3 - 1 AND ${numberOf('retraining')} < ?3
     ORDER BY p.id LIMIT ?5`,
    moduleId,
    orgId,
    number,
    after,
    limit,
  )
  return rows.map(({ known, ...person }) => ({ ...person, known: PersonTraining.parse(JSON.parse(known)) }))
}

/** Makes the statement that notes that all of them are asked. */
export function noteAsked(d1: D1Database, { moduleId, number }: UnaskedVersion): D1PreparedStatement {
  return d1
    .prepare('UPDATE training_versions SET is_asked = 1 WHERE module_id = ? AND number = ?')
    .bind(moduleId, number)
}
