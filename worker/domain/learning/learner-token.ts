import { z } from 'zod'
import { isPartOf, type PersonTraining, renewableFrom } from '#contract/records/person-training.ts'
import { KnownBy } from '#contract/records/training-record.ts'
import type { PersonId } from '#worker/domain/module/assigned-access.ts'
import { readSigned, signPayload } from '#worker/domain/signed-payload.ts'
import { ACCOUNT_TOKEN_TTL_MS } from './learning-limits.ts'

const LearnerToken = z.object({
  kind: z.literal('learner'),
  /** As it is stored: `anyone:…`, `user:…` or `person:…`. */
  learnerId: z.string(),
  /** A learner without an account is known to one module only; null for an account. */
  moduleId: z.string().nullable(),
  /** Null for a learner without an account. */
  expiresAtMs: z.number().nullable(),
})
/** The identity that the server gave to a learner's browser. It allows adding and reading progress, nothing else. */
export type LearnerToken = z.infer<typeof LearnerToken>

const SessionToken = z.object({
  kind: z.literal('session'),
  moduleId: z.string(),
  /** Null for an owner, whose watching is not counted. */
  learnerId: z.string().nullable(),
  sessionId: z.string(),
  /** By the server's clock. */
  startedAtMs: z.number(),
  /** How it was known who a person of an organization is; left out for other learners. */
  knownBy: KnownBy.optional(),
  /** The group at whose shared device a person has entered their code. */
  groupId: z.string().optional(),
  /** Number of the version that the page of a person shows; left out for other learners and for a draft. */
  version: z.number().int().optional(),
  /** Whether it goes on from a copy on the device, which is used without a network. */
  isKept: z.boolean().optional(),
})
/** An opened page of a learner. */
export type SessionToken = z.infer<typeof SessionToken>

/** Returns how the learner with this account is stored. */
export function accountLearnerId(userId: string): string {
  return `user:${userId}`
}

/** Whether a learner has an account. */
export function isAccountLearner(learnerId: string): boolean {
  return learnerId.startsWith('user:')
}

/** The version of a training that somebody sees. Seconds of equal timelines are of the same video and the same steps. */
export interface ShownVersion {
  number: number
  timeline: string
}

/**
 * Returns how a person of an organization is stored as a learner of a training. Each time that it is to be done again is
 * one of its own, in which nothing was seen yet, and so is each timeline.
 * @param shown null where only the person and the time are asked about
 */
export function personLearnerId(
  { orgId, personId }: PersonId,
  known: PersonTraining,
  { nowMs, shown }: { nowMs: number; shown: ShownVersion | null },
): string {
  const { done, reached } = known
  const isAnew = reached !== null && !isPartOf(known, 'reached')
  const renewableMs = renewableFrom(known)
  const isRenewed = renewableMs !== null && renewableMs <= nowMs
  // What a later version asks for says nothing of who still sees an earlier one.
  const askedBy = known.retraining?.version.number ?? Number.POSITIVE_INFINITY
  const isAsked = known.retraining !== null && (shown === null || askedBy <= shown.number)
  const again = isAsked ? `v${askedBy}` : isRenewed ? `r${done?.seq}` : '1'
  const round = isAnew ? `s${reached.seq}` : again
  return ['person', orgId, personId, round, ...(shown === null ? [] : [shown.timeline])].join(':')
}

/** Whose progress a learner's is, where it is a person of an organization; null for other learners. */
export function personOfLearner(learnerId: string): PersonId | null {
  const [kind, orgId, personId] = learnerId.split(':')
  return kind === 'person' && orgId !== undefined && personId !== undefined ? { orgId, personId } : null
}

/** Which time of a person, and which timeline, a learner is of; whose it is left out, since entries may be joined. */
export function roundOf(learnerId: string | null): string {
  return learnerId?.split(':').slice(PERSON_PARTS).join(':') ?? ''
}

/** Of the id of a person as a learner: its kind, the organization and the person. */
const PERSON_PARTS = 3

/** Who is one and the same at all trainings; null for a learner who is known to one of them only. */
export function holderOf(learnerId: string): string | null {
  const person = personOfLearner(learnerId)
  if (person !== null) return `person:${person.orgId}:${person.personId}`
  return isAccountLearner(learnerId) ? learnerId : null
}

/** Signs a token for an account on one device. @param secrets as in `TICKET_SECRET` */
export function signAccountToken(secrets: string, userId: string, nowMs: number): Promise<string> {
  const expiresAtMs = nowMs + ACCOUNT_TOKEN_TTL_MS
  const token: LearnerToken = { kind: 'learner', learnerId: accountLearnerId(userId), moduleId: null, expiresAtMs }
  return signPayload(secrets, token)
}

/** Signs a token for a learner of one module who has no account. @param secrets as in `TICKET_SECRET` */
export function signVisitorToken(
  secrets: string,
  { learnerId, moduleId }: { learnerId: string; moduleId: string },
): Promise<string> {
  const token: LearnerToken = { kind: 'learner', learnerId, moduleId, expiresAtMs: null }
  return signPayload(secrets, token)
}

/**
 * Reads a learner's token.
 * @param secrets as in `TICKET_SECRET`
 * @returns null when it is not valid for this module now
 */
export async function readLearnerToken(
  secrets: string,
  token: string | undefined,
  { moduleId, nowMs }: { moduleId: string; nowMs: number },
): Promise<LearnerToken | null> {
  const { data } = LearnerToken.safeParse(token === undefined ? null : await readSigned(secrets, token))
  if (data === undefined || (data.moduleId !== null && data.moduleId !== moduleId)) return null
  return data.expiresAtMs === null || data.expiresAtMs > nowMs ? data : null
}

/** Signs a session's token. @param secrets as in `TICKET_SECRET` */
export function signSession(secrets: string, session: Omit<SessionToken, 'kind'>): Promise<string> {
  return signPayload(secrets, { kind: 'session', ...session } satisfies SessionToken)
}

/** Reads a session's token. @returns null when it is not valid for this module */
export async function readSession(secrets: string, token: string, moduleId: string): Promise<SessionToken | null> {
  const { data } = SessionToken.safeParse(await readSigned(secrets, token))
  return data !== undefined && data.moduleId === moduleId ? data : null
}
