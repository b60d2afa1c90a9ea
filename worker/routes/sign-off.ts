import { type Context, Hono } from 'hono'
import { SignOff, type SignOffAnswer } from '#contract/records/sign-off.ts'
import { getSigningOrg } from '#worker/domain/organization/membership.ts'
import { readSignOff } from '#worker/domain/sign-off/read-sign-off.ts'
import { signOff } from '#worker/domain/sign-off/sign-off.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { readJson, requireUser } from '#worker/http/request.ts'

/** What supervisors of an organization say of a person's training. */
export const signOffRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/:personId/:moduleId', (c) => answerSignOff(c))
  .post('/:personId/:moduleId', async (c) => {
    const signed = await readJson(c, SignOff)
    await signOff(c.var.context, { ...aboutOf(c), signOff: signed })
    return answerSignOff(c)
  })

function aboutOf(c: Context<AppEnv>) {
  const { caller } = c.var
  const subject = { personId: c.req.param('personId') ?? '', moduleId: c.req.param('moduleId') ?? '' }
  return { ...subject, orgId: getSigningOrg(caller), userId: caller.userId }
}

async function answerSignOff(c: Context<AppEnv>): Promise<Response> {
  return c.json((await readSignOff(c.var.context, aboutOf(c))) satisfies SignOffAnswer)
}
