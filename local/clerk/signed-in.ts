import type { StandInContext } from './context.ts'
import { FapiError, unauthenticated } from './fapi-error.ts'
import { listMembershipsOf, type OrganizationMembership } from './store/organization-store.ts'
import { findOpenSession, type UserSession } from './store/session-store.ts'

/** Who is signed in in this browser, with what belongs to them. */
export interface SignedIn extends UserSession {
  memberships: OrganizationMembership[]
}

export async function findSignedIn(c: StandInContext): Promise<SignedIn | null> {
  const { db, clientId } = c.var
  const found = clientId && (await findOpenSession(db, clientId))
  return found ? { ...found, memberships: await listMembershipsOf(db, found.user.id) } : null
}

/** @throws {FapiError} 401 when nobody is, or when the session named is not theirs. */
export async function getSignedIn(c: StandInContext, sessionId?: string): Promise<SignedIn> {
  const signedIn = await findSignedIn(c)
  if (!signedIn || (sessionId && sessionId !== signedIn.session.id)) throw unauthenticated()
  return signedIn
}

export function activeMembership({ session, memberships }: SignedIn): OrganizationMembership | null {
  return memberships.find(({ organization }) => organization.id === session.organizationId) ?? null
}

/** @throws {FapiError} when somebody is signed in already, for example from another tab. */
export async function refuseSecondSession(c: StandInContext): Promise<void> {
  if (await findSignedIn(c)) throw new FapiError(400, 'session_exists', "You're already signed in.")
}
