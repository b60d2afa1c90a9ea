import { and, eq, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import { PersonTraining } from '#contract/records/person-training.ts'
import { KnownBy } from '#contract/records/training-record.ts'
import type { Context } from '#worker/core/context.ts'
import type { Db } from '#worker/db/db.ts'
import { groupPeople, people, peopleGroups, personTrainings } from '#worker/db/record-tables.ts'
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
  /** At whose shared device the code was entered; left out where it was no code. */
  groupId: z.string().optional(),
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

interface NewPersonToken extends PersonId, Pick<PersonToken, 'userId' | 'groupId'> {
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

/** What was signed for a person when they were known. */
export type SignedPerson = Pick<PersonToken, 'orgId' | 'personId' | 'knownBy' | 'groupId' | 'signedMs'>

/**
 * Where what was signed for a person still holds: they have not left, and that by which they were known was neither taken
 * back since nor made anew.
 */
export function isStillTheirs({ orgId, personId, knownBy, groupId = '', signedMs }: SignedPerson) {
  const isHere = and(
    eq(people.orgId, orgId),
    eq(people.id, personId),
    eq(people.isActive, true),
    lte(people.accessFrom, signedMs),
  )
  if (knownBy === 'personal_link') return and(isHere, lte(people.linkFrom, signedMs))
  if (knownBy !== 'code') return isHere
  const isOfGroup = sql`EXISTS (SELECT 1 FROM ${groupPeople} AS g JOIN ${peopleGroups} AS own
    ON own.org_id = g.org_id AND own.id = g.group_id
    WHERE g.org_id = ${orgId} AND g.group_id = ${groupId} AND g.person_id = ${personId}
      AND own.link_hash IS NOT NULL AND own.link_from <= ${signedMs})`
  return and(isHere, lte(people.codeFrom, signedMs), isOfGroup)
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
export async function findAssigned(db: Db, person: SignedPerson, linkId: string): Promise<AssignedTraining | null> {
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

/** Finds the entry that is used instead of one that something was signed for; null where it was taken back before. */
export async function findJoined(
  db: Db,
  { orgId, personId, signedMs }: PersonId & { signedMs: number },
): Promise<PersonId | null> {
  const isIt = and(eq(people.orgId, orgId), eq(people.id, personId), lte(people.accessFrom, signedMs))
  const row = await db.select({ joinedTo: people.joinedTo }).from(people).where(isIt).get()
  return row?.joinedTo ? { orgId, personId: row.joinedTo } : null
}

/** Finds the training of a link for the person whose device asks, as {@link findAssigned} does. */
export async function findVisitorAssigned(
  context: Pick<Context, 'db' | 'secrets' | 'nowMs' | 'personToken'>,
  linkId: string,
): Promise<(AssignedTraining & { person: PersonToken }) | null> {
  const person = await readPersonToken(context)
  const assigned = person === null ? null : await findAssigned(context.db, person, linkId)
  return person === null || assigned === null ? null : { ...assigned, person }
}
