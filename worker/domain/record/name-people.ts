import { commitPerson } from '#records/commit-person.ts'
import type { NameOf } from '#records/record-table.ts'
import { listRows } from '#worker/db/db.ts'
import type { HeldName } from '#worker/db/record-tables.ts'

interface NamedRow {
  id: string
  names: string
}

/** Opens the names of some people of an organization. @param ids left out for all of them */
export async function openNames(d1: D1Database, orgId: string, ids?: readonly string[]): Promise<NameOf> {
  const rows =
    ids === undefined
      ? await listRows<NamedRow>(d1, 'SELECT id, names FROM people WHERE org_id = ?', orgId)
      : await listRows<NamedRow>(
          d1,
          'SELECT p.id, p.names FROM json_each(?2) AS asked CROSS JOIN people AS p ON p.org_id = ?1 AND p.id = asked.value',
          orgId,
          JSON.stringify([...new Set(ids)]),
        )
  const held = new Map(rows.map(({ id, names }) => [id, names]))
  const byCommitment = new Map<string, Map<string, HeldName>>()
  const commitAll = async (id: string, names: string) => {
    const list = JSON.parse(names) as HeldName[]
    const entries = await Promise.all(list.map(async (each) => [await commitPerson(each, each.salt), each] as const))
    const committed = new Map(entries)
    byCommitment.set(id, committed)
    return committed
  }
  return async ({ id, commitment }) => {
    const names = held.get(id)
    if (names === undefined) return null
    return (byCommitment.get(id) ?? (await commitAll(id, names))).get(commitment) ?? null
  }
}
