import { and, eq, getTableColumns } from 'drizzle-orm'
import type { UserSession } from './account-store.ts'
import { findUserByEmail, hashPassword } from './account-store.ts'
import { SEEDED_ADMIN, SEEDED_MEMBER, SEEDED_ORGANIZATION, SEEDED_PASSWORD } from './seeded-team.ts'
import {
  type Invitation,
  invitations,
  type Membership,
  memberships,
  newId,
  type Organization,
  organizations,
  type StandInDb,
  type User,
  users,
} from './tables.ts'

export interface CountedOrganization extends Organization {
  memberCount: number
  pendingInvitationCount: number
}

export interface OrganizationMembership {
  membership: Membership
  organization: CountedOrganization
}

type NewOrganization = Pick<Organization, 'name' | 'slug'>

export async function createOrganization(db: StandInDb, made: NewOrganization, creatorId: string): Promise<string> {
  const { slug } = made
  const row = { ...made, id: newId('org'), createdAtMs: Date.now() }
  // A taken slug gets a random end instead of an error: slugs are not chosen in a local run.
  const inserted = await db.insert(organizations).values(row).onConflictDoNothing().returning()
  if (inserted.length === 0) await db.insert(organizations).values({ ...row, slug: `${slug}-${row.id.slice(-6)}` })
  await addMember(db, { organizationId: row.id, userId: creatorId, role: 'org:admin' })
  return row.id
}

/** Removes it with its memberships and invitations; sessions in which it was active have none. */
export async function deleteOrganization(db: StandInDb, id: string): Promise<void> {
  await db.batch([
    db.delete(memberships).where(eq(memberships.organizationId, id)),
    db.delete(invitations).where(eq(invitations.organizationId, id)),
    db.delete(organizations).where(eq(organizations.id, id)),
  ])
}

function addMember(db: StandInDb, member: Pick<Membership, 'organizationId' | 'userId' | 'role'>) {
  const row = { ...member, id: `orgmem_${member.organizationId}_${member.userId}`, createdAtMs: Date.now() }
  return db.insert(memberships).values(row).onConflictDoNothing()
}

type MemberIds = Pick<Membership, 'organizationId' | 'userId'>

function isMember({ organizationId, userId }: MemberIds) {
  return and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId))
}

export async function updateRole(db: StandInDb, member: MemberIds, role: string): Promise<void> {
  await db.update(memberships).set({ role }).where(isMember(member))
}

export async function removeMember(db: StandInDb, member: MemberIds): Promise<void> {
  await db.delete(memberships).where(isMember(member))
}

export async function listMembershipsOf(db: StandInDb, userId: string): Promise<OrganizationMembership[]> {
  const organization = {
    ...getTableColumns(organizations),
    memberCount: db.$count(memberships, eq(memberships.organizationId, organizations.id)),
    pendingInvitationCount: db.$count(invitations, isPending(organizations.id)),
  }
  return db
    .select({ membership: memberships, organization })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(eq(memberships.userId, userId))
    .orderBy(memberships.createdAtMs)
}

export async function listMembers(
  db: StandInDb,
  organizationId: string,
): Promise<{ membership: Membership; user: User }[]> {
  return db
    .select({ membership: memberships, user: users })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.organizationId, organizationId))
    .orderBy(memberships.createdAtMs)
}

function isPending(organizationId: string | typeof organizations.id) {
  return and(eq(invitations.organizationId, organizationId), eq(invitations.status, 'pending'))
}

export async function invite(
  db: StandInDb,
  invitation: Pick<Invitation, 'organizationId' | 'email' | 'role'>,
): Promise<Invitation> {
  const row = { ...invitation, id: newId('orginv'), status: 'pending' as const, createdAtMs: Date.now() }
  await db.insert(invitations).values(row)
  return row
}

export async function listPendingInvitations(db: StandInDb, organizationId: string): Promise<Invitation[]> {
  return db.select().from(invitations).where(isPending(organizationId))
}

export async function listInvitationsTo(
  db: StandInDb,
  email: string,
): Promise<{ invitation: Invitation; organization: Organization }[]> {
  return db
    .select({ invitation: invitations, organization: organizations })
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .where(and(eq(invitations.email, email), eq(invitations.status, 'pending')))
}

export async function acceptInvitation(db: StandInDb, invitation: Invitation, userId: string): Promise<void> {
  await addMember(db, { organizationId: invitation.organizationId, userId, role: invitation.role })
  await db.update(invitations).set({ status: 'accepted' }).where(eq(invitations.id, invitation.id))
}

/** Creates an organization with an admin and a member, so that a fresh installation can show what each of them may do. */
export async function seedTeam(db: StandInDb): Promise<void> {
  if ((await findUserByEmail(db, SEEDED_ADMIN.email)) !== null) return
  const passwordHash = await hashPassword(SEEDED_PASSWORD)
  const createdAtMs = Date.now()
  const organization = { ...SEEDED_ORGANIZATION, createdAtMs }
  const times = { createdAtMs, updatedAtMs: createdAtMs }
  const accounts = [SEEDED_ADMIN, SEEDED_MEMBER].map((account) => ({ ...account, passwordHash, ...times }))
  const asMember = ({ id: userId, role }: typeof SEEDED_ADMIN) =>
    addMember(db, { organizationId: organization.id, userId, role })
  // Of two first requests the second inserts nothing.
  await db.batch([
    db.insert(users).values(accounts).onConflictDoNothing(),
    db.insert(organizations).values(organization).onConflictDoNothing(),
    asMember(SEEDED_ADMIN),
    asMember(SEEDED_MEMBER),
  ])
}

/** Who is signed in, with their organizations. */
export interface SignedIn extends UserSession {
  memberships: OrganizationMembership[]
}
