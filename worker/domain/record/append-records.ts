import { applyRecord, foldRecords, newPersonTraining, type PersonTraining } from '#contract/records/person-training.ts'
import { type RecordBody, TrainingRecord } from '#contract/records/training-record.ts'
import { hashRecord } from '#records/hash-record.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { addNotices } from '#worker/domain/notice/notice-store.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { eventsOf } from './events-of-records.ts'
import { readHistories } from './read-histories.ts'
import { type Head, insertRows, keyOf, listSubjectsOf, type NewRow, readHead, readKnown } from './record-store.ts'

/** Each conflict is another record of the same organization that came first. */
const TRIES = 8

/** What is written besides the records, if and only if they are. */
interface Beside {
  /**
   * The records, or what decides which ones are still needed. It is asked again when another record came first: what it
   * reads holds when the records are written.
   */
  bodies: readonly RecordBody[] | (() => Promise<readonly RecordBody[]>)
  /** Statements of the same batch, of D1's own API. */
  statements?: readonly D1PreparedStatement[]
}

/**
 * Adds records to the end of an organization's list, and what they say to what is known of people and trainings, all of
 * it or nothing.
 * @throws {AppError} unavailable when too many come at once
 * @throws where a body is none: it could never be read, or taken back, again
 */
export async function appendRecords(
  { d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>,
  orgId: string,
  { bodies, statements = [] }: Beside,
): Promise<TrainingRecord[]> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const now = nowMs()
    const head = await readHead(d1, orgId)
    const decided = typeof bodies === 'function' ? await bodies() : bodies
    if (decided.length === 0) return []
    const rows = await continueList(d1, { orgId, head, bodies: decided, nowMs: now })
    const known = await addToKnown(d1, orgId, rows)
    const records = rows.map(({ record }) => record)
    const told = addNotices(d1, orgId, { notices: eventsOf(records, known), nowMs: now })
    try {
      await d1.batch([...insertRows(d1, orgId, { rows, known, nowMs: now }), ...told, ...statements])
      return records
    } catch (error) {
      // Only the number of a record can be taken; another conflict would come again each time.
      if (!isTaken(error)) throw error
    }
  }
  throw new AppError('unavailable', 'Very much is being recorded right now. Please try again.', { retryAfterS: 1 })
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && error.message.includes('append-only: this number is taken')
}

async function continueList(
  d1: D1Database,
  { orgId, head, bodies, nowMs }: { orgId: string; head: Head; bodies: readonly RecordBody[]; nowMs: number },
): Promise<NewRow[]> {
  const rows: NewRow[] = []
  let { seq, hash: previous } = head
  for (const body of bodies) {
    const place = { format: 'adapt-record-1', organization: orgId, seq: seq + 1, previous, time: toIso(nowMs) }
    const record = TrainingRecord.parse({ ...place, body })
    const { text, hash } = await hashRecord(record)
    const subjects = await listSubjectsOf(d1, orgId, record)
    rows.push({ record, text, hash, subjects })
    seq = record.seq
    previous = hash
  }
  return rows
}

/** What is known after the records, of all that they are about, with the number of the last of them. */
async function addToKnown(
  d1: D1Database,
  orgId: string,
  rows: readonly NewRow[],
): Promise<(PersonTraining & { seq: number })[]> {
  const pairs = rows.flatMap(({ record, subjects: of }) =>
    of.map((subject) => ({ record, subject, key: keyOf(subject) })),
  )
  const subjects = new Map(pairs.map(({ key, subject }) => [key, subject]))
  const before = await readKnown(d1, orgId, [...subjects.values()])
  const known = new Map<string, PersonTraining & { seq: number }>(before.map((of) => [keyOf(of), { ...of, seq: 0 }]))
  const corrected = new Set<string>()
  for (const { record, subject, key } of pairs) {
    if (record.body.kind === 'corrected') corrected.add(key)
    const was = known.get(key) ?? newPersonTraining(subject.personId, subject.moduleId)
    known.set(key, { ...applyRecord(was, record), seq: record.seq })
  }
  // What a corrected record has led to is not undone by hand: all records are read again without it.
  const added = Map.groupBy(pairs, ({ key }) => key)
  const asked = [...corrected].flatMap((key) => subjects.get(key) ?? [])
  for (const { base, records, personId, moduleId } of await readHistories(d1, orgId, asked)) {
    const subject = { personId, moduleId }
    const key = keyOf(subject)
    const mine = added.get(key)?.map(({ record }) => record) ?? []
    const folded = foldRecords(subject, [...records, ...mine], base ?? undefined)
    known.set(key, { ...folded, seq: mine.at(-1)?.seq ?? 0 })
  }
  return [...known.values()]
}
