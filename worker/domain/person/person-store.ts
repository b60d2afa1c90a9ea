import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { PEOPLE_MAX, PEOPLE_PAGE_SIZE } from '#contract/limits.ts'
import type { RecordedPerson } from '#contract/records/training-record.ts'
import type { PeopleRequest, Person } from '#contract/team/people.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Db } from '#worker/db/db.ts'
import { groupPeople, people } from '#worker/db/record-tables.ts'
import { isStillTheirs, type PersonToken } from '#worker/domain/module/assigned-access.ts'

/** A person as it is kept. */
export type PersonRow = typeof people.$inferSelect

/** Names its tables itself: among the columns of a query the builder leaves them out. */
const GROUP_IDS = sql<string>`(SELECT json_group_array(g.group_id) FROM group_people AS g
  WHERE g.org_id = people.org_id AND g.person_id = people.id)`

/** The answer for missing and foreign people alike. */
export function personNotFound(): AppError {
  return new AppError('not_found', 'This person could not be found.')
}

/** Presents a person to those who manage the organization. */
function presentPerson(row: PersonRow & { groupIds: string }): Person {
  const { id, name, number, email, isActive, isNameChecked } = row
  return {
    id,
    name,
    number,
    email,
    hasAccount: row.userId !== null,
    isNameChecked,
    isActive,
    hasLink: row.linkHash !== null,
    hasCode: row.codeHash !== null,
    groupIds: JSON.parse(row.groupIds) as string[],
  }
}

const WITH_GROUPS = { ...getTableColumns(people), groupIds: GROUP_IDS }

/** Lists people by name, a page at a time. */
export async function listPeople(
  db: Db,
  orgId: string,
  { query = '', group, left, after }: PeopleRequest,
): Promise<{ people: Person[]; next: string | null }> {
  const [afterName, afterId] = readCursor(after)
  const rows = await db
    .select(WITH_GROUPS)
    .from(people)
    .where(
      and(
        eq(people.orgId, orgId),
        eq(people.isActive, left === undefined),
        sql`${people.joinedTo} IS NULL`,
        sql`(${people.name}, ${people.id}) > (${afterName}, ${afterId})`,
        query === ''
          ? undefined
          : sql`(instr(lower(${people.name}), lower(${query})) > 0 OR instr(lower(${people.number}), lower(${query})) > 0)`,
        group === undefined
          ? undefined
          : sql`EXISTS (SELECT 1 FROM ${groupPeople} WHERE ${groupPeople.orgId} = ${orgId}
              AND ${groupPeople.groupId} = ${group} AND ${groupPeople.personId} = ${people.id})`,
      ),
    )
    .orderBy(asc(people.name), asc(people.id))
    .limit(PEOPLE_PAGE_SIZE + 1)
  const shown = rows.slice(0, PEOPLE_PAGE_SIZE)
  const last = rows.length > PEOPLE_PAGE_SIZE ? shown.at(-1) : undefined
  return { people: shown.map(presentPerson), next: last === undefined ? null : JSON.stringify([last.name, last.id]) }
}

function readCursor(after: string | undefined): [name: string, id: string] {
  try {
    const [name, id] = JSON.parse(after ?? '[]') as unknown[]
    if (typeof name === 'string' && typeof id === 'string') return [name, id]
  } catch {
    throw new AppError('invalid_request', 'after: must be the next of an answer.')
  }
  return ['', '']
}

/** Finds a person of an organization; null for missing ones and those of others. */
export async function findPerson(db: Db, orgId: string, id: string): Promise<PersonRow | null> {
  const isIt = and(eq(people.orgId, orgId), eq(people.id, id))
  return (await db.select().from(people).where(isIt).get()) ?? null
}

/** @throws {AppError} not_found, also for an entry that was joined to another one */
export async function getPerson(db: Db, orgId: string, id: string): Promise<PersonRow> {
  const row = await findPerson(db, orgId, id)
  if (row === null || row.joinedTo !== null) throw personNotFound()
  return row
}

/** Reads a person as those see it who manage the organization. @throws {AppError} not_found */
export async function readPerson(db: Db, orgId: string, id: string): Promise<Person> {
  const row = await db
    .select(WITH_GROUPS)
    .from(people)
    .where(and(eq(people.orgId, orgId), eq(people.id, id)))
    .get()
  if (row === undefined) throw personNotFound()
  return presentPerson(row)
}

/** Finds the person with an account; null where there is none. */
export async function findAccountPerson(db: Db, orgId: string, userId: string): Promise<PersonRow | null> {
  const isIt = and(eq(people.userId, userId), eq(people.orgId, orgId))
  return (await db.select().from(people).where(isIt).get()) ?? null
}

/** @throws {AppError} invalid_request where so many more people would be too many */
export async function requireRoom(d1: D1Database, orgId: string, added: number): Promise<void> {
  if (added === 0) return
  const count = await d1.prepare('SELECT count(*) AS people FROM people WHERE org_id = ?').bind(orgId).first('people')
  if (Number(count) + added > PEOPLE_MAX)
    throw new AppError('invalid_request', `An organization has at most ${PEOPLE_MAX} people.`)
}

/** Names a person in a record. */
export function toRecorded({ id, commitment }: Pick<PersonRow, 'id' | 'commitment'>): RecordedPerson {
  return { id, commitment }
}

/** Finds whose device it is by its token; null where that was taken back, or the person has left. */
export async function findTokenPerson(db: Db, token: PersonToken): Promise<PersonRow | null> {
  return (await db.select().from(people).where(isStillTheirs(token)).get()) ?? null
}
