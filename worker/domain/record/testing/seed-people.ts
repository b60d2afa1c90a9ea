import { env } from 'cloudflare:workers'

/** Inserts people of an organization, as a list of them would. */
export async function seedPeople(
  orgId: string,
  people: readonly { id: string; name: string; userId?: string; isActive?: boolean }[],
): Promise<void> {
  const insert = env.DB.prepare(
    `INSERT INTO people (org_id, id, name, commitment, names, user_id, is_active, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, 0)`,
  )
  const names = (name: string) => JSON.stringify([{ name, number: null, salt: 'ab'.repeat(16) }])
  await env.DB.batch(
    people.map(({ id, name, userId = null, isActive = true }) =>
      insert.bind(orgId, id, name, '0'.repeat(64), names(name), userId, isActive ? 1 : 0),
    ),
  )
}
