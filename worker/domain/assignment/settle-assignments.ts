import { ASSIGNED_MAX, type RecordBody, type RecordedPerson } from '#contract/records/training-record.ts'
import { DAY_MS } from '#contract/time/day.ts'
import type { Context } from '#worker/core/context.ts'
import { findPerson, toRecorded } from '#worker/domain/person/person-store.ts'
import { appendRecords } from '#worker/domain/record/append-records.ts'
import { divideBySize } from '#worker/domain/record/divide-by-size.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import {
  type AssignmentRow,
  getAssignment,
  listAssigned,
  listRequested,
  listTrainings,
  listUnsettled,
  type MeantTraining,
  noteSettled,
  type RequestedPair,
  settleLaterAt,
} from './assignment-store.ts'
import { dayIn, endOfDay } from './end-of-day.ts'
import { readTimeZone } from './time-zone.ts'

/** People × trainings of one call, so that it stays within the rows that it reserves. */
const PAIRS_PER_CALL = ASSIGNED_MAX
/** Assignments that one call looks at, so that it stays within the queries of an invocation. */
const ASSIGNMENTS_PER_CALL = 50

/** When trainings that could not be assigned yet are looked at again. */
const WAIT_MS = 60 * 60_000

/** One record that is missing, and how many people × trainings it is about. */
interface MissingRecord {
  body: RecordBody
  pairs: number
}

/** What records do not say of an assignment. */
interface Missing {
  row: AssignmentRow
  records: MissingRecord[]
  /** Whether a training of it cannot be assigned yet. */
  isWaiting: boolean
}

type SettleContext = Pick<Context, 'db' | 'd1' | 'nowMs'>

/**
 * Records who is assigned since, and who is not any more: what assignments say is compared with what records say. So it may
 * be done at any time, and doing it twice changes nothing. What is left, the sweep does if nobody else comes before.
 * @param personIds those whose groups may have changed; null for all people of the assignments
 * @returns how many people × trainings are left for the next call
 */
export async function settleAssignments(
  context: SettleContext,
  orgId: string,
  { assignments, personIds }: { assignments: readonly { id: string }[]; personIds: readonly string[] | null },
): Promise<number> {
  let [room, left] = [PAIRS_PER_CALL, 0]
  for (const { id } of assignments) {
    const done = await settleOne(context, { orgId, id }, { personIds, room })
    room -= done.recorded
    left += done.left
  }
  return left
}

async function settleOne(
  context: SettleContext,
  { orgId, id }: { orgId: string; id: string },
  { personIds, room }: { personIds: readonly string[] | null; room: number },
): Promise<{ recorded: number; left: number }> {
  const { db, nowMs } = context
  const looks: (Missing & { taken: MissingRecord[] })[] = []
  const bodies = async () => {
    // Read again where another record came first, so that nobody is assigned twice.
    const missing = await findMissing(context, await getAssignment(db, orgId, id), personIds)
    const taken = takeSome(missing.records, room)
    looks.push({ ...missing, taken })
    return taken.map(({ body }) => body)
  }
  try {
    await appendRecords(context, orgId, { bodies })
  } catch (error) {
    await settleLaterAt(db, { orgId, id }, nowMs())
    throw error
  }
  const last = looks.at(-1)
  if (last === undefined) return { recorded: 0, left: 0 }
  const recorded = countPairs(last.taken)
  const left = countPairs(last.records) - recorded
  await noteRest(context, last, { left, isOfAll: personIds === null })
  return { recorded, left }
}

/** Takes records while there is room. One alone is never too large for a call. */
function takeSome(records: readonly MissingRecord[], room: number): MissingRecord[] {
  const count = records.findIndex((_, index) => countPairs(records.slice(0, index + 1)) > room)
  const taken = count === -1 ? records : records.slice(0, count)
  return taken.length === 0 && room === PAIRS_PER_CALL ? records.slice(0, 1) : [...taken]
}

const countPairs = (records: readonly MissingRecord[]) => records.reduce((sum, { pairs }) => sum + pairs, 0)

async function noteRest(
  { db, nowMs }: SettleContext,
  { row, isWaiting }: Missing,
  { left, isOfAll }: { left: number; isOfAll: boolean },
): Promise<void> {
  if (left > 0) await settleLaterAt(db, row, nowMs())
  else if (isOfAll && isWaiting) await settleLaterAt(db, row, nowMs() + WAIT_MS)
  else if (isOfAll) await noteSettled(db, row)
}

/** The same of all assignments, for people whose groups may have changed. */
export async function settlePeople(
  context: SettleContext,
  orgId: string,
  personIds: readonly string[],
): Promise<number> {
  const unsettled = await listUnsettled(context, orgId, personIds)
  const [now, later] = [unsettled.slice(0, ASSIGNMENTS_PER_CALL), unsettled.slice(ASSIGNMENTS_PER_CALL)]
  for (const row of later) await settleLaterAt(context.db, row, context.nowMs())
  return later.length + (await settleAssignments(context, orgId, { assignments: now, personIds }))
}

async function findMissing(
  context: SettleContext,
  row: AssignmentRow,
  personIds: readonly string[] | null,
): Promise<Missing> {
  const { d1 } = context
  const isOpen = row.endedAt === null
  const [trainings, people, requested, by] = await Promise.all([
    isOpen ? listTrainings(d1, row) : [],
    isOpen ? listAssigned(d1, row, personIds) : [],
    listRequested(d1, row, personIds),
    findBy(context, row),
  ])
  const pairsOf = (some: readonly MeantTraining[]) =>
    people.flatMap((person) => some.map(({ id: moduleId }) => ({ ...person, moduleId })))
  const about = { assignment: row.id, by }
  const since = row.countsEarlier ? {} : { since: toIso(row.createdAt) }
  const request = { rule: row.rule, dueAt: await dueOf(context, row), everyMonths: row.everyMonths, ...since }
  const ready = trainings.filter(({ isReady }) => isReady)
  const assigned = divide(subtractPairs(pairsOf(ready), requested)).map(({ pairs, ...of }) => {
    return { pairs, body: { kind: 'assigned', ...about, ...of, ...request } as const }
  })
  const unassigned = divide(subtractPairs(requested, pairsOf(trainings))).map(({ pairs, ...of }) => {
    return { pairs, body: { kind: 'unassigned', ...about, ...of } as const }
  })
  return { row, records: [...assigned, ...unassigned], isWaiting: ready.length < trainings.length }
}

function subtractPairs(pairs: readonly RequestedPair[], others: readonly RequestedPair[]): RequestedPair[] {
  const keyOf = ({ id, moduleId }: RequestedPair) => `${id} ${moduleId}`
  const keys = new Set(others.map(keyOf))
  return pairs.filter((pair) => !keys.has(keyOf(pair)))
}

/** Who assigned it; whoever changes a group later changes whom it is about, not what it is. */
async function findBy({ db }: SettleContext, { orgId, byPersonId }: AssignmentRow): Promise<RecordedPerson> {
  const person = await findPerson(db, orgId, byPersonId)
  return person === null ? { id: byPersonId, commitment: '0'.repeat(64) } : toRecorded(person)
}

/** The end of a day, in the time zone of the organization. */
async function dueOf({ db, nowMs }: SettleContext, assignment: AssignmentRow): Promise<string | null> {
  if (assignment.dueDays === null) return toIso(assignment.dueAt)
  const timeZone = await readTimeZone(db, assignment.orgId)
  return toIso(endOfDay(dayIn(nowMs() + assignment.dueDays * DAY_MS, timeZone), timeZone))
}

/** Puts people with the same trainings into one record, in parts that are not too large. */
function divide(pairs: readonly RequestedPair[]) {
  const byPerson = Map.groupBy(pairs, ({ id }) => id)
  const bySame = Map.groupBy(byPerson.values(), (of) => JSON.stringify(of.map(({ moduleId }) => moduleId)))
  return [...bySame].flatMap(([key, same]) => {
    const trainings = JSON.parse(key) as string[]
    const people = same.flatMap(([first]) => (first === undefined ? [] : [toRecorded(first)]))
    const parts = divideBySize(people, () => trainings.length, ASSIGNED_MAX)
    return parts.map((part) => ({ trainings, people: part, pairs: part.length * trainings.length }))
  })
}
