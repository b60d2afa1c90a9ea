import { type PersonTraining, ruleOf } from '#contract/records/person-training.ts'
import type { SignOffAnswer } from '#contract/records/sign-off.ts'
import { isMetFor, listAskedSteps } from '#contract/records/training-state.ts'
import { VersionContent } from '#contract/version.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { listRows } from '#worker/db/db.ts'
import { findPerson, type PersonRow } from '#worker/domain/person/person-store.ts'
import { listRecordsOf, readKnown, type Subject } from '#worker/domain/record/record-store.ts'
import { readObject } from '#worker/domain/version/version-objects.ts'

type ReadContext = Pick<Context, 'db' | 'd1' | 'bucket' | 'nowMs'>

/** What a sign-off is about. */
export interface SignOffSubject {
  person: PersonRow
  known: PersonTraining
  version: { hash: string; number: number }
  content: VersionContent
  /** Ids of the steps that have to be shown. */
  asked: string[]
  /** Number of the last record that changed what is to be judged; 0 before the first. */
  seq: number
}

/**
 * Finds what a supervisor of an organization signs of a person and a training.
 * @throws {AppError} not_found for people and trainings of others, and trainings that this person has nothing to do with
 */
export async function getSignOff(
  { db, d1, bucket, nowMs }: ReadContext,
  orgId: string,
  subject: Subject,
): Promise<SignOffSubject> {
  const [person, published, [known], seq] = await Promise.all([
    findPerson(db, orgId, subject.personId),
    findPublished(d1, orgId, subject.moduleId),
    readKnown(d1, orgId, [subject]),
    readJudgedSeq(d1, orgId, subject),
  ])
  const isHere = person?.isActive && person.joinedTo === null
  if (!isHere || published === null || known === undefined || known.requests.length === 0)
    throw new AppError('not_found', 'This training is not asked of this person.')
  const version = versionToSign(known, published, nowMs())
  const content = await readObject(bucket, { moduleId: subject.moduleId, hash: version.hash }, VersionContent)
  const ids = content.steps.map(({ id }) => id)
  const asked = listAskedSteps(known, ids, nowMs())
  return { person, known, version, content, asked, seq }
}

/** Refuses that somebody signs off their own training. @throws {AppError} invalid_request */
export function requireOther(person: PersonRow, userId: string): void {
  if (person.userId === userId)
    throw new AppError('invalid_request', 'Nobody signs off their own training. Ask another supervisor.')
}

/** Reads the same for the supervisor's page. @throws {AppError} not_found */
export async function readSignOff(
  context: ReadContext,
  { orgId, userId, ...subject }: Subject & { orgId: string; userId: string },
): Promise<SignOffAnswer> {
  const { person, known, version, content, asked, seq } = await getSignOff(context, orgId, subject)
  const { reached, confirmed, signedOff, refusedSteps } = known
  return {
    success: true,
    person: { id: person.id, name: person.name, number: person.number },
    title: content.module.title,
    version,
    seq,
    steps: content.steps,
    asked,
    rule: ruleOf(known),
    known: { reached, confirmed, signedOff, refusedSteps },
    notes: refusedSteps.length === 0 ? {} : await readNotes(context.d1, orgId, subject),
    isMe: person.userId === userId,
  }
}

/**
 * What a supervisor signs is what the learner has seen: the version that they have reached or confirmed last, unless a
 * newer one asks for something. What has to be met again to renew a completion was not seen.
 */
function versionToSign(
  known: PersonTraining,
  published: SignOffSubject['version'],
  nowMs: number,
): SignOffSubject['version'] {
  const seen = (['reached', 'confirmed'] as const).flatMap((part) => {
    const version = known[part]?.version
    return version !== undefined && isMetFor(known, part, { hash: version.hash, nowMs }) ? [version] : []
  })
  const last = seen.toSorted((one, other) => one.number - other.number).at(-1)
  return last === undefined || known.retraining !== null ? published : last
}

/** Reads what a supervisor has said of the steps that were refused last, by their ids. */
export async function readNotes(d1: D1Database, orgId: string, subject: Subject): Promise<Record<string, string>> {
  const records = await listRecordsOf(d1, orgId, subject)
  const last = records.findLast(({ body }) => body.kind === 'refused')
  const steps = last?.body.kind === 'refused' ? last.body.steps : []
  return Object.fromEntries(steps.map(({ id, note }) => [id, note]))
}

/** What the learner does meanwhile takes nothing from what a supervisor has seen of them. */
async function readJudgedSeq(d1: D1Database, orgId: string, { personId, moduleId }: Subject): Promise<number> {
  // CROSS JOIN looks their records up; SQLite would rather go through all judgements of the organization.
  const query = `SELECT coalesce(max(seq), 0) AS seq
    FROM record_subjects CROSS JOIN training_records USING (org_id, seq)
    WHERE org_id = ? AND person_id = ? AND module_id = ?
      AND kind IN ('signed_off', 'refused', 'retraining', 'corrected')`
  const [row] = await listRows<{ seq: number }>(d1, query, orgId, personId, moduleId)
  return row?.seq ?? 0
}

async function findPublished(
  d1: D1Database,
  orgId: string,
  moduleId: string,
): Promise<SignOffSubject['version'] | null> {
  const query = `SELECT v.hash, v.number FROM modules AS m
    JOIN training_versions AS v ON v.module_id = m.id AND v.number = m.published_version
    WHERE m.org_id = ? AND m.id = ?`
  const [row] = await listRows<SignOffSubject['version']>(d1, query, orgId, moduleId)
  return row ?? null
}
