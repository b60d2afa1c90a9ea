import type { Context } from '#worker/core/context.ts'
import type { EventNotice } from '#worker/domain/notice/notice.ts'
import { findPerson } from '#worker/domain/person/person-store.ts'
import { findHashed, readShown } from '#worker/domain/record/record-store.ts'
import { openTitles } from '#worker/domain/record/title-trainings.ts'
import { toIso } from '#worker/domain/to-iso.ts'

/** An event as a receiver reads it. */
interface EventBody {
  type: EventNotice['kind']
  /** When it happened, ISO 8601, UTC. */
  timestamp: string
  data: Record<string, unknown>
}

/** Writes what a notice tells, with names as they are now. @returns null where there is nothing to tell any more */
export async function writeEvent(
  context: Pick<Context, 'db' | 'd1'>,
  orgId: string,
  notice: EventNotice,
): Promise<EventBody | null> {
  if (notice.kind === 'records.checkpoint') {
    const { kind: type, day, seq, hash } = notice
    return { type, timestamp: `${day}T00:00:00.000Z`, data: { organization: orgId, day, seq, hash } }
  }
  if (notice.kind === 'training.overdue') {
    const about = await describe(context, orgId, { ...notice, number: null })
    const dueAt = toIso(notice.dueMs)
    return { type: notice.kind, timestamp: dueAt, data: { organization: orgId, ...about, dueAt } }
  }
  const row = await findHashed(context.d1, orgId, notice.seq)
  const record = row === null ? null : readShown(row.text)
  // Retention has removed it.
  if (row === null || record === null) return null
  const { body } = record
  const number = 'training' in body ? body.training.number : null
  const about = await describe(context, orgId, { ...notice, number })
  const data = {
    organization: orgId,
    ...about,
    ...('training' in body && { version: { hash: body.training.version, number: body.training.number } }),
    ...('knownBy' in body && { knownBy: body.knownBy }),
    record: { seq: row.seq, hash: row.hash },
  }
  return { type: notice.kind, timestamp: record.time, data }
}

/** Person and training, as its version is called; a name is null once it was erased. */
async function describe(
  { db, d1 }: Pick<Context, 'db' | 'd1'>,
  orgId: string,
  { personId, moduleId, number }: { personId: string; moduleId: string; number: number | null },
) {
  const training = { id: moduleId, number }
  const [person, titleOf] = await Promise.all([findPerson(db, orgId, personId), openTitles(d1, orgId, [training])])
  return {
    person: { id: personId, name: person?.name ?? null, number: person?.number ?? null },
    training: { id: moduleId, title: titleOf(training) },
  }
}
