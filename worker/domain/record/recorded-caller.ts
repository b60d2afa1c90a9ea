import { nanoid } from 'nanoid'
import { z } from 'zod'
import type { RecordedPerson } from '#contract/records/training-record.ts'
import { commitPerson } from '#records/commit-person.ts'
import type { Context } from '#worker/core/context.ts'
import { listRows, runSql } from '#worker/db/db.ts'
import type { HeldName } from '#worker/db/record-tables.ts'

const SALT_BYTES = 16

/** An account in an organization, by the name that its sign-in has. */
interface Account {
  orgId: string
  userId: string
  name: string
}

/** Names an account in records, as a person of the organization, who is added where there is none yet. */
export async function getRecordedCaller(
  { d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>,
  { orgId, userId, name }: Account,
): Promise<RecordedPerson> {
  const found = await findRecorded(d1, { orgId, userId })
  if (found !== null) return found
  const salt = z.util.uint8ArrayToHex(crypto.getRandomValues(new Uint8Array(SALT_BYTES)))
  const names: HeldName[] = [{ name, number: null, salt }]
  await runSql(
    d1,
    `INSERT INTO people (org_id, id, name, commitment, names, user_id, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7) ON CONFLICT DO NOTHING`,
    orgId,
    nanoid(),
    name,
    await commitPerson({ name, number: null }, salt),
    JSON.stringify(names),
    userId,
    nowMs(),
  )
  const added = await findRecorded(d1, { orgId, userId })
  if (added === null) throw new Error('A person that was just added cannot be found.')
  return added
}

async function findRecorded(
  d1: D1Database,
  { orgId, userId }: Pick<Account, 'orgId' | 'userId'>,
): Promise<RecordedPerson | null> {
  const [row] = await listRows<RecordedPerson>(
    d1,
    'SELECT id, commitment FROM people WHERE user_id = ? AND org_id = ?',
    userId,
    orgId,
  )
  return row ?? null
}
