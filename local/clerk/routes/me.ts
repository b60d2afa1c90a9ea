import { Hono } from 'hono'
import { answer, loadSessionJson } from '../client.ts'
import type { StandInContext, StandInEnv } from '../context.ts'
import { fieldError, notFound } from '../fapi-error.ts'
import { readForm, requireNewPassword } from '../form.ts'
import { invitationJson, membershipJson } from '../json/organization-resources.ts'
import { pageJson } from '../json/page.ts'
import { userJson } from '../json/resources.ts'
import { hashPassword, isPassword } from '../passwords.ts'
import { getSignedIn } from '../signed-in.ts'
import { addMember, listInvitationsTo, settleInvitation } from '../store/organization-store.ts'
import { updateUser } from '../store/user-store.ts'

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
