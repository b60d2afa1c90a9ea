import { env } from 'cloudflare:workers'
import type { RecordedPerson } from '#contract/records/training-record.ts'
import { commitPerson } from '#records/commit-person.ts'

interface SeededPerson {
  id: string
  name: string
  userId?: string | null
  isActive?: boolean
}

const SALT = '5a'.repeat(16)

/** Inserts people of an organization, as a list of them would. @returns how records name them */
export async function seedPeople(orgId: string, people: readonly SeededPerson[]): Promise<RecordedPerson[]> {
  const insert = env.DB.prepare(
    `INSERT INTO people (org_id, id, name, commitment, names, user_id, is_active, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, 0)`,
  )
  const committed = await Promise.all(
    people.map(async (person) => ({ ...person, commitment: await commitPerson({ ...person, number: null }, SALT) })),
  )
  await env.DB.batch(
    committed.map(({ id, name, commitment, userId = null, isActive = true }) => {
      const names = JSON.stringify([{ name, number: null, salt: SALT }])
      return insert.bind(orgId, id, name, commitment, names, userId, isActive ? 1 : 0)
    }),
  )
  return committed.map(({ id, commitment }) => ({ id, commitment }))
}

/** Inserts one of them. @returns how records name the person */
export async function seedPerson(orgId: string, person: SeededPerson): Promise<RecordedPerson> {
  const [recorded] = await seedPeople(orgId, [person])
  if (recorded === undefined) throw new Error('no person')
  return recorded
}
