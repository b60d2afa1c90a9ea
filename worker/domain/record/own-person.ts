import { nanoid } from 'nanoid'
import { z } from 'zod'
import type { RecordedPerson } from '#contract/records/training-record.ts'
import { commitPerson } from '#records/commit-person.ts'
import type { Context } from '#worker/core/context.ts'
import { listRows, runSql } from '#worker/db/db.ts'
import type { HeldName } from '#worker/db/record-tables.ts'

const SALT_BYTES = 16

/** Somebody who acts with their account. */
interface Actor {
  orgId: string
  userId: string
  /** As they write it; used where the organization does not know them yet. */
  name: string
}

/** Finds the person of an account in an organization, for records that name them, and makes one where there is none. */
export async function ensureOwnPerson(
  { d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>,
  actor: Actor,
): Promise<RecordedPerson> {
  const found = await findOwnPerson(d1, actor)
  if (found !== null) return found
  const held: HeldName = {
    name: actor.name,
    number: null,
    salt: z.util.uint8ArrayToHex(crypto.getRandomValues(new Uint8Array(SALT_BYTES))),
  }
  // Two first acts of one person may both get here; the first row wins and both use it.
  await runSql(
    d1,
    `INSERT INTO people (org_id, id, name, commitment, names, user_id, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7) ON CONFLICT DO NOTHING`,
    actor.orgId,
    nanoid(),
    actor.name,
    await commitPerson({ name: held.name, number: held.number }, held.salt),
    JSON.stringify([held]),
    actor.userId,
    nowMs(),
  )
  const made = await findOwnPerson(d1, actor)
  if (made === null) throw new Error('A person that was just made is not there.')
  return made
}

async function findOwnPerson(
  d1: D1Database,
  { orgId, userId }: Pick<Actor, 'orgId' | 'userId'>,
): Promise<RecordedPerson | null> {
  const query = 'SELECT id, commitment FROM people WHERE user_id = ? AND org_id = ?'
  const [row] = await listRows<RecordedPerson>(d1, query, userId, orgId)
  return row ?? null
}
