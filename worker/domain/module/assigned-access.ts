import { and, eq, lte } from 'drizzle-orm'
import { z } from 'zod'
import { PersonTraining } from '#contract/records/person-training.ts'
import { KnownBy } from '#contract/records/training-record.ts'
import type { Context } from '#worker/core/context.ts'
import type { Db } from '#worker/db/db.ts'
import { people, personTrainings } from '#worker/db/record-tables.ts'
import { readSigned, signPayload } from '#worker/domain/signed-payload.ts'
import { linkIdOf } from './link-state.ts'
import { findByLink } from './link-store.ts'
import { isModuleId } from './module-id.ts'
import type { ModuleRow } from './module-store.ts'

/** A person of an organization. */
export interface PersonId {
  orgId: string
  personId: string
}

const PersonToken = z.object({
  kind: z.literal('person'),
  orgId: z.string(),
  personId: z.string(),
  /** How it was known who it is. */
  knownBy: KnownBy,
  /** Of the account by whose sign-in it was known; left out for a link or a code. */
  userId: z.string().optional(),
  signedMs: z.number(),
  expiresAtMs: z.number(),
})
/** Who a device belongs to right now. It opens what the person is to be trained on, and nothing else. */
export type PersonToken = z.infer<typeof PersonToken>

const HOUR_MS = 60 * 60_000

/** How long a device stays that of a person: their own for a quarter of a year, a shared one for half a shift. */
export const PERSON_TOKEN_TTL_MS: Readonly<Record<Exclude<KnownBy, 'supervisor'>, number>> = {
  personal_link: 90 * 24 * HOUR_MS,
  // Renewed by each visit of the own page; who has left the organization is out the next day.
  signed_in: 24 * HOUR_MS,
  code: 4 * HOUR_MS,
}

/** How a visitor says who it is. */
export type VisitorKnownBy = keyof typeof PERSON_TOKEN_TTL_MS

interface NewPersonToken extends PersonId, Pick<PersonToken, 'userId'> {
  knownBy: VisitorKnownBy
}

/** Signs who a device belongs to. */
export function signPerson(
  { secrets, nowMs }: Pick<Context, 'secrets' | 'nowMs'>,
  person: NewPersonToken,
): Promise<string> {
  const signedMs = nowMs()
  const expiresAtMs = signedMs + PERSON_TOKEN_TTL_MS[person.knownBy]
  const token: PersonToken = { kind: 'person', ...person, signedMs, expiresAtMs }
  return signPayload(secrets, token)
}

/** Reads who the visitor's device belongs to; null where it is nobody's, or was too long ago. */
export async function readPersonToken({
  secrets,
  nowMs,
  personToken = null,
}: Pick<Context, 'secrets' | 'nowMs' | 'personToken'>): Promise<PersonToken | null> {
  const { data } = PersonToken.safeParse(personToken === null ? null : await readSigned(secrets, personToken))
  return data !== undefined && data.expiresAtMs > nowMs() ? data : null
}

/** Where what was signed for a person still holds: they have not left, and nothing was taken back since. */
export function isStillTheirs({ orgId, personId, signedMs }: PersonId & { signedMs: number }) {
  return and(
    eq(people.orgId, orgId),
    eq(people.id, personId),
    eq(people.isActive, true),
    lte(people.accessFrom, signedMs),
  )
}

/** A training that a person is to be trained on, with what is known of both. */
export interface AssignedTraining {
  module: ModuleRow
  known: PersonTraining
  /** As records name the person. */
  commitment: string
}

/**
 * Finds the training of a link for a person who is assigned to it, also where it is not shared, has a password, or its
 * link has ended: the assignment is the permission.
 * @returns null for anybody else
 */
export async function findAssigned(
  db: Db,
  person: PersonId & { signedMs: number },
  linkId: string,
): Promise<AssignedTraining | null> {
  const module = isModuleId(linkId) ? await findByLink(db, linkId) : null
  if (module === null || module.receivedAt === null || linkIdOf(module) !== linkId) return null
  if (module.orgId !== person.orgId) return null
  const row = await db
    .select({ known: personTrainings.known, commitment: people.commitment })
    .from(people)
    .innerJoin(personTrainings, and(eq(personTrainings.orgId, people.orgId), eq(personTrainings.personId, people.id)))
    .where(and(isStillTheirs(person), eq(personTrainings.moduleId, module.id)))
    .get()
  if (row === undefined) return null
  const known = PersonTraining.parse(row.known)
  return known.requests.length === 0 ? null : { module, known, commitment: row.commitment }
}

/** The same for the person whose device asks. */
export async function findVisitorAssigned(
  context: Pick<Context, 'db' | 'secrets' | 'nowMs' | 'personToken'>,
  linkId: string,
): Promise<(AssignedTraining & { person: PersonToken }) | null> {
  const person = await readPersonToken(context)
  const assigned = person === null ? null : await findAssigned(context.db, person, linkId)
  return person === null || assigned === null ? null : { ...assigned, person }
}
