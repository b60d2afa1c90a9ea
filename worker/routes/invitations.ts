import { type Context, Hono } from 'hono'
import {
  AcceptInvitation,
  type AcceptInvitationAnswer,
  type InvitationsAnswer,
  NewInvitation,
  type NewInvitationAnswer,
} from '#contract/training/invitation.ts'
import { roomOf } from '#worker/domain/live/publish.ts'
import { removeInvitation } from '#worker/domain/module/invitation-store.ts'
import { acceptInvitation, inviteEditor, readInvitations } from '#worker/domain/module/invite-editor.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { getOwn, readJson, requireUser } from '#worker/http/request.ts'

/** Who was invited to edit a training, for its owners; and accepting it. */
export const invitationRoutes = new Hono<AppEnv>()
  .use(requireUser)
  // No module has an id as short as this.
  .post('/accept', async (c) => {
    const { caller, context } = c.var
    const moduleId = await acceptInvitation(context, { ...(await readJson(c, AcceptInvitation)), caller })
    return c.json({ success: true, trainingUrl: `/training/${moduleId}` } satisfies AcceptInvitationAnswer)
  })
  .get('/:moduleId', async (c) => answerInvitations(c, (await getOwn(c)).id))
  .post('/:moduleId', async (c) => {
    const { name } = await readJson(c, NewInvitation)
    const { id } = await getOwn(c)
    const path = await inviteEditor(c.var.context, id, name)
    return c.json({ ...(await readInvitations(c.var.context, id)), path } satisfies NewInvitationAnswer)
  })
  .delete('/:moduleId/:invitationId', async (c) => {
    const { id } = await getOwn(c)
    await removeInvitation(c.var.context.db, id, c.req.param('invitationId'))
    // Whoever may still watch opens another socket.
    await roomOf(c.var.context, id).endWatching()
    return answerInvitations(c, id)
  })

async function answerInvitations(c: Context<AppEnv>, moduleId: string): Promise<Response> {
  return c.json((await readInvitations(c.var.context, moduleId)) satisfies InvitationsAnswer)
}
