import { eq } from 'drizzle-orm'
import { Hono } from 'hono'
import { invitationJson, membershipJson, pageJson, userJson, verificationJson } from '../json/resources.ts'
import { answer, loadClientJson, loadSessionJson, setSignedInSince } from '../session/client.ts'
import { readForm, requireNewPassword, type StandInContext, type StandInEnv } from '../session/context.ts'
import { getSignedIn, mintApiToken, mintSessionToken } from '../session/tokens.ts'
import { forgetClient, hashPassword, isPassword, recordVerification, updateUser } from '../store/account-store.ts'
import { failure, fieldError, notFound, wrongPassword } from '../store/failures.ts'
import { acceptInvitation, listInvitationsTo, removeMember, type SignedIn } from '../store/organization-store.ts'
import { sessions } from '../store/tables.ts'

export const meRoutes = new Hono<StandInEnv>()
  .get('/', answerMe)
  .patch('/', async (c) => {
    const { user } = await getSignedIn(c)
    const form = await readForm(c)
    await updateUser(c.var.db, user.id, {
      firstName: form.first_name ?? user.firstName,
      lastName: form.last_name ?? user.lastName,
    })
    return answerMe(c)
  })
  .post('/change_password', async (c) => {
    const { user } = await getSignedIn(c)
    const form = await readForm(c)
    if (!(await isPassword(form.current_password ?? '', user.passwordHash))) {
      throw fieldError('current_password', 'form_password_incorrect', 'Password is incorrect.')
    }
    const password = requireNewPassword(form.new_password ?? '', 'new_password')
    await updateUser(c.var.db, user.id, { passwordHash: await hashPassword(password) })
    return answerMe(c)
  })
  .get('/sessions/active', async (c) => c.json([await loadSessionJson(c, await getSignedIn(c))]))
  .get('/organization_memberships', async (c) => {
    const { memberships, user } = await getSignedIn(c)
    return answer(c, pageJson(memberships.map((membership) => membershipJson({ ...membership, user }))))
  })
  .delete('/organization_memberships/:organizationId', async (c) => {
    const { memberships, user } = await getSignedIn(c)
    const leftMembership = memberships.find(({ organization }) => organization.id === c.req.param('organizationId'))
    if (!leftMembership) throw notFound('Membership')
    await removeMember(c.var.db, leftMembership.membership)
    return answer(c, membershipJson({ ...leftMembership, user }))
  })
  .get('/organization_invitations', async (c) => {
    const { user } = await getSignedIn(c)
    const list = await listInvitationsTo(c.var.db, user.email)
    return answer(c, pageJson(list.map(({ invitation, organization }) => invitationJson(invitation, organization))))
  })
  .post('/organization_invitations/:invitationId/accept', async (c) => {
    const { user } = await getSignedIn(c)
    const invited = await listInvitationsTo(c.var.db, user.email)
    const found = invited.find(({ invitation }) => invitation.id === c.req.param('invitationId'))
    if (!found) throw notFound('Invitation')
    await acceptInvitation(c.var.db, found.invitation, user.id)
    return answer(c, invitationJson({ ...found.invitation, status: 'accepted' }, found.organization))
  })
  .get('/organization_suggestions', async (c) => {
    await getSignedIn(c)
    return answer(c, pageJson([]))
  })

async function answerMe(c: StandInContext): Promise<Response> {
  return answer(c, userJson(await getSignedIn(c)))
}

export const sessionRoutes = new Hono<StandInEnv>()
  .delete('/', async (c) => {
    await signOut(c)
    return answer(c, await loadClientJson(c))
  })
  .get('/:sessionId', async (c) => answer(c, await loadSessionJson(c, await getSignedIn(c))))
  .post('/:sessionId/touch', async (c) => {
    const signedIn = await getSignedIn(c)
    const organizationId = pickOrganization(signedIn, (await readForm(c)).active_organization_id)
    const changes = { lastActiveAtMs: Date.now(), ...(organizationId !== undefined && { organizationId }) }
    await c.var.db.update(sessions).set(changes).where(eq(sessions.id, signedIn.session.id))
    return answer(c, await loadSessionJson(c, await getSignedIn(c)))
  })
  .post('/:sessionId/verify', async (c) => {
    const session = await loadSessionJson(c, await getSignedIn(c))
    return answer(c, verificationJson(session, 'needs_first_factor'))
  })
  .post('/:sessionId/verify/attempt_first_factor', async (c) => {
    const { session, user } = await getSignedIn(c)
    const { password = '' } = await readForm(c)
    if (!(await isPassword(password, user.passwordHash))) throw wrongPassword()
    await recordVerification(c.var.db, session)
    return answer(c, verificationJson(await loadSessionJson(c, await getSignedIn(c)), 'complete'))
  })
  .post('/:sessionId/tokens', async (c) => {
    return c.json({ object: 'token', jwt: await mintSessionToken(c, await getSignedIn(c)) })
  })
  .post('/:sessionId/tokens/:template', async (c) => {
    const signedIn = await getSignedIn(c)
    if (c.req.param('template') !== 'api') throw notFound('JWT template')
    return c.json({ object: 'token', jwt: await mintApiToken(c, signedIn) })
  })
  .post('/:sessionId/:ending{remove|end}', async (c) => {
    const session = await loadSessionJson(c, await getSignedIn(c))
    await signOut(c)
    return answer(c, { ...session, status: c.req.param('ending') === 'end' ? 'ended' : 'removed' })
  })

async function signOut(c: StandInContext): Promise<void> {
  if (c.var.clientId) await forgetClient(c.var.db, c.var.clientId)
  await setSignedInSince(c, null)
}

/** @returns undefined when the form does not speak of it, null for none. */
function pickOrganization({ memberships }: SignedIn, organizationId: string | undefined): string | null | undefined {
  if (!organizationId) return organizationId === '' ? null : undefined
  if (memberships.some(({ organization }) => organization.id === organizationId)) return organizationId
  throw failure(404, 'organization_not_found_or_unauthorized', 'Organization not found or unauthorized')
}
