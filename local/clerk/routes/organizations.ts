import { Hono } from 'hono'
import { invitationJson, isRole, membershipJson, organizationJson, pageJson, roleJsons } from '../json/resources.ts'
import { answer } from '../session/client.ts'
import type { StandInContext, StandInEnv } from '../session/context.ts'
import { readForm, requireEmail } from '../session/context.ts'
import { getSignedIn } from '../session/tokens.ts'
import { failure, fieldError, notFound } from '../store/failures.ts'
import {
  type CountedOrganization,
  createOrganization,
  deleteOrganization,
  invite,
  listMembers,
  listPendingInvitations,
  type OrganizationMembership,
  removeMember,
  updateRole,
} from '../store/organization-store.ts'
import type { Invitation } from '../store/tables.ts'

export const organizationRoutes = new Hono<StandInEnv>()
  .post('/', async (c) => {
    const { user } = await getSignedIn(c)
    const form = await readForm(c)
    const name = form.name?.trim()
    if (!name) throw fieldError('name', 'form_param_missing', 'name must be included.')
    const organizationId = await createOrganization(c.var.db, { name, slug: slugOf(form.slug || name) }, user.id)
    return answer(c, organizationJson((await getMembership(c, organizationId)).organization))
  })
  .get('/:organizationId', async (c) => answer(c, organizationJson(await getOrganization(c))))
  .delete('/:organizationId', async (c) => {
    const { id } = await getManaged(c)
    await deleteOrganization(c.var.db, id)
    return answer(c, { object: 'organization', id, deleted: true })
  })
  .get('/:organizationId/roles', async (c) => {
    await getOrganization(c)
    return answer(c, pageJson(roleJsons()))
  })
  .get('/:organizationId/memberships', async (c) => {
    const organization = await getOrganization(c)
    const members = await listMembers(c.var.db, organization.id)
    return answer(c, pageJson(members.map((member) => membershipJson({ ...member, organization }))))
  })
  .patch('/:organizationId/memberships/:userId', async (c) => {
    const member = await getManagedMember(c)
    const { role = '' } = await readForm(c)
    if (!isRole(role)) throw fieldError('role', 'form_param_value_invalid', 'Unknown role')
    await updateRole(c.var.db, member.membership, role)
    return answer(c, membershipJson({ ...member, membership: { ...member.membership, role } }))
  })
  .delete('/:organizationId/memberships/:userId', async (c) => {
    const member = await getManagedMember(c)
    await removeMember(c.var.db, member.membership)
    return answer(c, membershipJson(member))
  })
  .get('/:organizationId/invitations', async (c) => {
    const invitations = await listPendingInvitations(c.var.db, (await getOrganization(c)).id)
    return answer(c, pageJson(invitations.map((invitation) => invitationJson(invitation))))
  })
  .post('/:organizationId/invitations', async (c) => {
    const [first] = await inviteAll(c)
    return answer(c, first)
  })
  .post('/:organizationId/invitations/bulk', async (c) => answer(c, await inviteAll(c)))

async function getMembership(c: StandInContext, organizationId: string): Promise<OrganizationMembership> {
  const { memberships } = await getSignedIn(c)
  const found = memberships.find(({ organization }) => organization.id === organizationId)
  if (!found) throw failure(404, 'organization_not_found_or_unauthorized', 'Organization not found or unauthorized')
  return found
}

async function getOrganization(c: StandInContext): Promise<CountedOrganization> {
  return (await getMembership(c, c.req.param('organizationId') ?? '')).organization
}

/** @throws {HTTPException} for a caller who is no admin */
async function getManaged(c: StandInContext): Promise<CountedOrganization> {
  const { organization, membership } = await getMembership(c, c.req.param('organizationId') ?? '')
  if (membership.role !== 'org:admin') throw failure(403, 'not_an_admin_in_organization', 'Only admins may do this')
  return organization
}

async function getManagedMember(c: StandInContext) {
  const organization = await getManaged(c)
  const members = await listMembers(c.var.db, organization.id)
  const member = members.find(({ user }) => user.id === c.req.param('userId'))
  if (!member) throw notFound('Member')
  return { ...member, organization }
}

async function inviteAll(c: StandInContext) {
  const organization = await getManaged(c)
  const { email_address: emails, role } = await c.req.parseBody({ all: true })
  if (typeof role !== 'string' || !isRole(role)) throw fieldError('role', 'form_param_value_invalid', 'Unknown role')
  // Clerk's form sends an empty address after a comma at the end.
  const given = [emails].flat().map(String).filter(Boolean)
  const addresses = given.map((email) => requireEmail(email, 'email_address'))
  const invitations: Invitation[] = []
  for (const email of addresses) {
    invitations.push(await invite(c.var.db, { organizationId: organization.id, email, role }))
  }
  return invitations.map((invitation) => invitationJson(invitation))
}

function slugOf(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['organization']
  return words.join('-')
}
