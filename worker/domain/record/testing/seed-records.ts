import { env } from 'cloudflare:workers'
import type { RecordBody, RecordedPerson } from '#contract/records/training-record.ts'
import { commitPerson } from '#records/commit-person.ts'

export const ANNA = { id: 'anna', commitment: 'a'.repeat(64) }
export const BOSS = { id: 'boss', commitment: 'b'.repeat(64) }
export const TRAINING = { id: 'forklift', version: 'f'.repeat(64), number: 1 }

/** An assignment of a training that asks for a confirmation. */
export const ASSIGNED: Extract<RecordBody, { kind: 'assigned' }> = {
  kind: 'assigned',
  assignment: 'a1',
  trainings: [TRAINING.id],
  people: [ANNA],
  rule: { reached: false, confirmed: true, signedOff: false },
  dueAt: null,
  everyMonths: null,
  by: BOSS,
}

export const CONFIRMED: Extract<RecordBody, { kind: 'confirmed' }> = {
  kind: 'confirmed',
  person: ANNA,
  knownBy: 'personal_link',
  training: TRAINING,
  deviceTime: null,
  wasOffline: false,
  words: 'I have understood it.',
  language: 'en',
}

/** Adds a person of an organization, with a salt. @returns how records name them */
export async function seedPerson(
  orgId: string,
  { id, name, userId = null }: { id: string; name: string; userId?: string | null },
): Promise<RecordedPerson> {
  const salt = '5a'.repeat(16)
  const commitment = await commitPerson({ name, number: null }, salt)
  await env.DB.prepare(
    `INSERT INTO people (org_id, id, name, commitment, names, user_id, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, 0, 0)`,
  )
    .bind(orgId, id, name, commitment, JSON.stringify([{ name, number: null, salt }]), userId)
    .run()
  return { id, commitment }
}
