import { ASSIGNED_MAX, type RecordBody, type RecordedPerson } from '#contract/records/training-record.ts'
import type { Context } from '#worker/core/context.ts'
import { findPerson, toRecorded } from '#worker/domain/person/person-store.ts'
import { appendRecords } from '#worker/domain/record/append-records.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import {
  type AssignmentRow,
  listAssigned,
  listRequested,
  listTrainings,
  listUnsettled,
  type RequestedPair,
} from './assignment-store.ts'
import { dayIn, endOfDay } from './end-of-day.ts'
import { readTimeZone } from './time-zone.ts'

/** People × trainings of one call, so that it stays within the rows that it reserves. */
const PAIRS_PER_CALL = ASSIGNED_MAX
/** Assignments that one call looks at, so that it stays within the queries of an invocation. */
const ASSIGNMENTS_PER_CALL = 50
const DAY_MS = 24 * 60 * 60_000

/** One record that is missing, and how many people × trainings it is about. */
interface MissingRecord {
  body: RecordBody
  pairs: number
}

type SettleContext = Pick<Context, 'db' | 'd1' | 'nowMs'>

/**
 * Records who is assigned since, and who is not any more: what assignments say is compared with what records say. So it may
 * be done at any time, and doing it twice changes nothing.
 * @param personIds those whose groups may have changed; null for all people of the assignments
 * @param removed trainings that a collection had before
 * @returns how many people × trainings are left for the next call
 */
export async function settleAssignments(
  context: SettleContext,
  orgId: string,
  {
    assignments,
    personIds,
    removed = [],
  }: { assignments: readonly AssignmentRow[]; personIds: readonly string[] | null; removed?: readonly string[] },
): Promise<number> {
  const missing: MissingRecord[] = []
  for (const assignment of assignments)
    missing.push(...(await listMissing(context, assignment, { personIds, removed })))
  let recorded = 0
  for (const { body, pairs } of missing) {
    if (recorded > 0 && recorded + pairs > PAIRS_PER_CALL) break
    await appendRecords(context, orgId, { bodies: [body] })
    recorded += pairs
  }
  return missing.reduce((sum, { pairs }) => sum + pairs, 0) - recorded
}

/** The same of all assignments, for people whose groups may have changed. */
export async function settlePeople(
  context: SettleContext,
  orgId: string,
  personIds: readonly string[],
): Promise<number> {
  const unsettled = await listUnsettled(context, orgId, personIds)
  const assignments = unsettled.slice(0, ASSIGNMENTS_PER_CALL)
  const left = await settleAssignments(context, orgId, { assignments, personIds })
  return left + unsettled.length - assignments.length
}

async function listMissing(
  context: SettleContext,
  assignment: AssignmentRow,
  { personIds, removed }: { personIds: readonly string[] | null; removed: readonly string[] },
): Promise<MissingRecord[]> {
  const { d1 } = context
  const moduleIds = await listTrainings(d1, assignment)
  const [people, requested, by] = await Promise.all([
    assignment.endedAt === null ? listAssigned(d1, assignment, personIds) : [],
    listRequested(d1, assignment, personIds === null ? { moduleIds: [...moduleIds, ...removed] } : { personIds }),
    findBy(context, assignment),
  ])
  const keyOf = ({ id, moduleId }: Pick<RequestedPair, 'id' | 'moduleId'>) => `${id} ${moduleId}`
  const asked = people.flatMap((person) => moduleIds.map((moduleId) => ({ ...person, moduleId })))
  const [askedKeys, requestedKeys] = [new Set(asked.map(keyOf)), new Set(requested.map(keyOf))]
  const about = { assignment: assignment.id, by }
  const request = {
    rule: assignment.rule,
    dueAt: await dueOf(context, assignment),
    everyMonths: assignment.everyMonths,
  }
  return [
    ...divide(asked.filter((pair) => !requestedKeys.has(keyOf(pair)))).map(({ pairs, ...of }) => ({
      pairs,
      body: { kind: 'assigned', ...about, ...of, ...request } as const,
    })),
    ...divide(requested.filter((pair) => !askedKeys.has(keyOf(pair)))).map(({ pairs, ...of }) => ({
      pairs,
      body: { kind: 'unassigned', ...about, ...of } as const,
    })),
  ]
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
    const each = Math.max(1, Math.floor(ASSIGNED_MAX / trainings.length))
    const parts = Array.from({ length: Math.ceil(people.length / each) }, (_, index) =>
      people.slice(index * each, (index + 1) * each),
    )
    return parts.map((part) => ({ trainings, people: part, pairs: part.length * trainings.length }))
  })
}
