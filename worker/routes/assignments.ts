import { type Context, Hono } from 'hono'
import { type AssignmentsAnswer, NewAssignment, type SettleAnswer, SettleRequest } from '#contract/team/assignment.ts'
import { makeAssignment, readAssignments } from '#worker/domain/assignment/assign-trainings.ts'
import { type AssignmentRow, endAssignment, getAssignment } from '#worker/domain/assignment/assignment-store.ts'
import { settleAssignments, settlePeople } from '#worker/domain/assignment/settle-assignments.ts'
import { requireManaged } from '#worker/domain/person/require-team.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { readJson, requireUser } from '#worker/http/request.ts'

/** Records what is missing of an assignment, and answers how much is left. */
async function settle(c: Context<AppEnv>, row: AssignmentRow): Promise<Response> {
  const left = await settleAssignments(c.var.context, row.orgId, { assignments: [row], personIds: null })
  return c.json({ success: true, id: row.id, left } satisfies SettleAnswer)
}

/** What the active organization asks of its people, for those who manage it. */
export const assignmentRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/', async (c) => {
    const assignments = await readAssignments(c.var.context, requireManaged(c.var.caller))
    return c.json({ success: true, assignments } satisfies AssignmentsAnswer)
  })
  .post('/', async (c) => {
    const asked = await readJson(c, NewAssignment)
    const { caller, context } = c.var
    return settle(c, await makeAssignment(context, { caller, orgId: requireManaged(caller) }, asked))
  })
  .post('/settle', async (c) => {
    const { personIds } = await readJson(c, SettleRequest)
    const left = await settlePeople(c.var.context, requireManaged(c.var.caller), personIds)
    return c.json({ success: true, id: null, left } satisfies SettleAnswer)
  })
  .post('/:assignmentId/settle', async (c) => settle(c, await getOwn(c)))
  .delete('/:assignmentId', async (c) => {
    const row = await getOwn(c)
    const endedAt = c.var.context.nowMs()
    await endAssignment(c.var.context.db, row, endedAt)
    return settle(c, { ...row, endedAt: row.endedAt ?? endedAt })
  })

function getOwn(c: Context<AppEnv>): Promise<AssignmentRow> {
  return getAssignment(c.var.context.db, requireManaged(c.var.caller), c.req.param('assignmentId') ?? '')
}
