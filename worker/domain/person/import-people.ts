import { nanoid } from 'nanoid'
import type { ImportAnswer, ImportRow } from '#contract/team/people.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { listRows } from '#worker/db/db.ts'
import type { HeldName } from '#worker/db/record-tables.ts'
import { ensureGroups } from './group-store.ts'
import { type NamedPerson, namePerson } from './person-name.ts'
import { requireRoom } from './person-store.ts'

interface FoundPerson {
  id: string
  name: string
  number: string | null
  commitment: string
  email: string | null
  names: string
  isActive: number
  joinedTo: string | null
}

/** A person of a list: a row of the database with what changes in it. */
interface ImportedPerson {
  id: string
  groupIds: string[]
  /** What is written of it; null where nothing is. */
  written: NamedPerson | null
  /** Null leaves the address as it is. */
  email: string | null
  isNew: boolean
  /** The names that were found, as they are kept; empty for a new one. */
  before: string
}

/**
 * Takes over a list of people. Who has a number is found by it, everybody else by the name: the same list again changes
 * nothing. Who is in the list and has left is back. Nobody is removed from a group, or because they are not in the list.
 * @returns numbers of people, and the ids of all of them
 * @throws {AppError} invalid_request for two rows about one person, too many people or groups
 */
export async function importPeople(
  { d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>,
  orgId: string,
  rows: readonly ImportRow[],
): Promise<Omit<ImportAnswer, 'success'>> {
  const now = nowMs()
  requireDistinct(rows)
  const names = [...new Set(rows.flatMap(({ groups }) => groups))]
  const groupIds = await ensureGroups(d1, orgId, { names, makeId: nanoid, nowMs: now })
  const found = await findAll(d1, orgId, rows)
  const people = await Promise.all(
    rows.map(async (row): Promise<ImportedPerson> => {
      const before = found.get(keyOf(row))
      const listed = { groupIds: row.groups.flatMap((name) => groupIds.get(name) ?? []), email: row.email }
      if (before === undefined)
        return { id: nanoid(), ...listed, written: await namePerson(row, []), isNew: true, before: '' }
      const written = await findChange(before, row)
      return { id: before.joinedTo ?? before.id, ...listed, written, isNew: false, before: before.names }
    }),
  )
  await requireRoom(d1, orgId, people.filter(({ isNew }) => isNew).length)
  const joined = await writeAll(d1, orgId, people, now)
  const added = people.filter(({ isNew }) => isNew).length
  const changed = people.filter(({ id, isNew, written }) => !isNew && (written !== null || joined.has(id))).length
  const unchanged = rows.length - added - changed
  return { added, changed, unchanged, renamed: listRenamed(rows, found), personIds: people.map(({ id }) => id) }
}

/** Finds out whom a list would rename. Nothing is changed. @throws {AppError} invalid_request for two rows about one person */
export async function previewImport(
  { d1 }: Pick<Context, 'd1'>,
  orgId: string,
  rows: readonly ImportRow[],
): Promise<Omit<ImportAnswer, 'success'>> {
  requireDistinct(rows)
  const renamed = listRenamed(rows, await findAll(d1, orgId, rows))
  return { added: 0, changed: 0, unchanged: rows.length, renamed, personIds: [] }
}

function listRenamed(
  rows: readonly ImportRow[],
  found: ReadonlyMap<string, FoundPerson>,
): Omit<ImportAnswer, 'success'>['renamed'] {
  return rows.flatMap((row) => {
    const before = found.get(keyOf(row))
    const isRenamed = before !== undefined && before.joinedTo === null && before.name !== row.name
    return isRenamed ? [{ before: before.name, after: row.name }] : []
  })
}

/** What a row changes of a person; null for nothing. Of an entry that was joined to another one it says only the groups. */
async function findChange(before: FoundPerson, row: ImportRow): Promise<NamedPerson | null> {
  const { name, number, commitment, joinedTo, isActive } = before
  const names = JSON.parse(before.names) as HeldName[]
  if (joinedTo !== null) return null
  if (name !== row.name) return namePerson(row, names)
  const isSame = isActive === 1 && (row.email === null || row.email === before.email)
  return isSame ? null : { name, number, commitment, names }
}

const keyOf = ({ name, number }: Pick<ImportRow, 'name' | 'number'>) => JSON.stringify(number ?? [name])

function requireDistinct(rows: readonly ImportRow[]): void {
  const seen = new Set<string>()
  for (const [index, row] of rows.entries()) {
    const key = keyOf(row)
    if (seen.has(key)) throw new AppError('invalid_request', `rows.${index}: ${row.number ?? row.name} is there twice.`)
    seen.add(key)
  }
}

/** By number; without one by name, among those who have none. */
async function findAll(d1: D1Database, orgId: string, rows: readonly ImportRow[]): Promise<Map<string, FoundPerson>> {
  const columns =
    'p.id, p.name, p.number, p.commitment, p.email, p.names, p.is_active AS isActive, p.joined_to AS joinedTo'
  const numbers = rows.flatMap(({ number }) => number ?? [])
  const names = rows.flatMap(({ name, number }) => (number === null ? [name] : []))
  const [byNumber, byName] = await Promise.all([
    listRows<FoundPerson>(
      d1,
      `SELECT ${columns} FROM json_each(?2) AS asked CROSS JOIN people AS p ON p.org_id = ?1 AND p.number = asked.value`,
      orgId,
      JSON.stringify(numbers),
    ),
    listRows<FoundPerson>(
      d1,
      `SELECT ${columns} FROM json_each(?2) AS asked CROSS JOIN people AS p ON p.org_id = ?1 AND p.name = asked.value
         AND p.is_active IN (0, 1) AND p.number IS NULL AND p.joined_to IS NULL ORDER BY p.is_active, p.created_at DESC`,
      orgId,
      JSON.stringify(names),
    ),
  ])
  return new Map([...byName, ...byNumber].map((person) => [keyOf(person), person]))
}

/** ?1 organization, ?2 people in groups, ?3 now: the page settles what follows; the sweep does where it was closed. */
const SETTLE_GROUPS = `UPDATE assignments SET settle_at = iif(settle_at IS ?3, ?3 + 1, ?3)
  WHERE org_id = ?1 AND ended_at IS NULL AND EXISTS (
    SELECT 1 FROM json_each(assignments.group_ids) WHERE value IN (SELECT value ->> 0 FROM json_each(?2)))`

/** Who was erased, joined or renamed since they were found stays what they are now. */
const CHANGE = `UPDATE people SET name = asked ->> 1, number = asked ->> 2, commitment = asked ->> 3, names = asked ->> 4,
    is_active = 1, email = coalesce(asked ->> 6, email), updated_at = ?3
  FROM (SELECT value AS asked FROM json_each(?2))
  WHERE people.org_id = ?1 AND people.id = asked ->> 0 AND joined_to IS NULL AND names = asked ->> 5`

/** @returns ids of those who are new in a group */
async function writeAll(
  d1: D1Database,
  orgId: string,
  people: readonly ImportedPerson[],
  nowMs: number,
): Promise<Set<string>> {
  const rowsOf = (which: (person: ImportedPerson) => boolean) =>
    people.filter(which).flatMap(({ id, written, before, email }) => {
      if (written === null) return []
      return [[id, written.name, written.number, written.commitment, JSON.stringify(written.names), before, email]]
    })
  const members = people.flatMap(({ id, groupIds }) => groupIds.map((groupId) => [groupId, id]))
  const [, , inserted] = await d1.batch<{ id: string }>([
    d1
      .prepare(
        `INSERT INTO people (org_id, id, name, number, commitment, names, email, is_active, created_at, updated_at)
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 6, 1, ?3, ?3 FROM json_each(?2)`,
      )
      .bind(orgId, JSON.stringify(rowsOf(({ isNew }) => isNew)), nowMs),
    d1.prepare(CHANGE).bind(orgId, JSON.stringify(rowsOf(({ isNew }) => !isNew)), nowMs),
    d1
      .prepare(
        `INSERT INTO group_people (org_id, group_id, person_id) SELECT ?1, value ->> 0, value ->> 1 FROM json_each(?2)
         WHERE EXISTS (SELECT 1 FROM people WHERE org_id = ?1 AND people.id = value ->> 1 AND joined_to IS NULL)
         ON CONFLICT DO NOTHING RETURNING person_id AS id`,
      )
      .bind(orgId, JSON.stringify(members)),
    d1.prepare(SETTLE_GROUPS).bind(orgId, JSON.stringify(members), nowMs),
  ])
  return new Set((inserted?.results ?? []).map(({ id }) => id))
}
