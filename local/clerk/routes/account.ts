import { Hono } from 'hono'
import { answer, loadClientJson, loadSessionJson, setSignedInSince } from '../client.ts'
import {
  FapiError,
  fieldError,
  notFound,
  readForm,
  requireNewPassword,
  type StandInContext,
  type StandInEnv,
} from '../context.ts'
import { invitationJson, membershipJson, pageJson, userJson } from '../json/resources.ts'
import {
  closeSessions,
  dropAttempts,
  hashPassword,
  isPassword,
  touchSession,
  updateUser,
} from '../store/account-store.ts'
import { addMember, listInvitationsTo, settleInvitation } from '../store/organization-store.ts'
import { getSignedIn, mintApiToken, mintSessionToken, type SignedIn } from '../tokens.ts'

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
    const list = memberships.map(({ membership, organization }) => membershipJson(membership, { organization, user }))
    return answer(c, pageJson(list))
  })
  .get('/organization_invitations', async (c) => {
    const { user } = await getSignedIn(c)
    const list = await listInvitationsTo(c.var.db, user.email)
    return answer(c, pageJson(list.map(({ invitation, organization }) => invitationJson(invitation, organization))))
  })
  .post('/organization_invitations/:invitationId/accept', acceptInvitation)
  .get('/organization_suggestions', async (c) => {
    await getSignedIn(c)
    return answer(c, pageJson([]))
  })

async function answerMe(c: StandInContext): Promise<Response> {
  return answer(c, userJson(await getSignedIn(c)))
}

async function acceptInvitation(c: StandInContext): Promise<Response> {
  const { user } = await getSignedIn(c)
  const invited = await listInvitationsTo(c.var.db, user.email)
  const found = invited.find(({ invitation }) => invitation.id === c.req.param('invitationId'))
  if (!found) throw notFound('Invitation')
  const { invitation, organization } = found
  await addMember(c.var.db, { organizationId: organization.id, userId: user.id, role: invitation.role })
  await settleInvitation(c.var.db, invitation.id, 'accepted')
  return answer(c, invitationJson({ ...invitation, status: 'accepted' }, organization))
}

export const sessionRoutes = new Hono<StandInEnv>()
  .delete('/', async (c) => {
    await signOut(c)
    return answer(c, await loadClientJson(c))
  })
  .get('/:sessionId', async (c) => answer(c, await loadSessionJson(c, await getSignedIn(c, c.req.param('sessionId')))))
  .post('/:sessionId/touch', async (c) => {
    const signedIn = await getSignedIn(c, c.req.param('sessionId'))
    const organizationId = pickOrganization(signedIn, (await readForm(c)).active_organization_id)
    await touchSession(c.var.db, signedIn.session, { organizationId })
    return answer(c, await loadSessionJson(c, await getSignedIn(c)))
  })
  .post('/:sessionId/tokens', async (c) => {
    const signedIn = await getSignedIn(c, c.req.param('sessionId'))
    return c.json({ object: 'token', jwt: await mintSessionToken(c, signedIn) })
  })
  .post('/:sessionId/tokens/:template', async (c) => {
    const signedIn = await getSignedIn(c, c.req.param('sessionId'))
    if (c.req.param('template') !== 'api') throw notFound('JWT template')
    return c.json({ object: 'token', jwt: await mintApiToken(c, signedIn) })
  })
  .post('/:sessionId/:ending{remove|end}', async (c) => {
    const session = await loadSessionJson(c, await getSignedIn(c, c.req.param('sessionId')))
    await signOut(c)
    return answer(c, { ...session, status: c.req.param('ending') === 'end' ? 'ended' : 'removed' })
  })

async function signOut(c: StandInContext): Promise<void> {
  const clientId = c.var.clientId
  if (clientId) await Promise.all([closeSessions(c.var.db, clientId), dropAttempts(c.var.db, clientId)])
  await setSignedInSince(c, null)
}

/** @returns undefined when the form does not speak of it, null for none. */
function pickOrganization({ memberships }: SignedIn, organizationId: string | undefined): string | null | undefined {
  if (!organizationId) return organizationId === '' ? null : undefined
  if (memberships.some(({ organization }) => organization.id === organizationId)) return organizationId
  throw new FapiError(404, 'organization_not_found_or_unauthorized', 'Organization not found or unauthorized')
}
