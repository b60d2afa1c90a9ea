import { type Context, Hono } from 'hono'
import { REPORT_PHOTO_MAX_BYTES } from '#contract/limits.ts'
import {
  SignOff,
  type SignOffAnswer,
  type SignOffPhotoAnswer,
  SignOffSettings,
  type SignOffSettingsAnswer,
} from '#contract/records/sign-off.ts'
import { getSigningOrg } from '#worker/domain/organization/membership.ts'
import { requireManaged } from '#worker/domain/person/require-team.ts'
import { readSignOff } from '#worker/domain/sign-off/read-sign-off.ts'
import { readSignOffSettings, requirePassword, storeSignOffSettings } from '#worker/domain/sign-off/require-password.ts'
import { signOff } from '#worker/domain/sign-off/sign-off.ts'
import { addSignOffPhoto } from '#worker/domain/sign-off/sign-off-photo.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { readBytes, readJson, requireUser } from '#worker/http/request.ts'

/** What supervisors of an organization say of a person's training. */
export const signOffRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/settings', answerSettings)
  .put('/settings', async (c) => {
    const settings = await readJson(c, SignOffSettings)
    const { caller, context } = c.var
    const orgId = requireManaged(caller)
    // Otherwise whoever finds a device signed in could first switch off what asks them.
    await requirePassword(context.db, orgId, caller)
    await storeSignOffSettings(context, orgId, settings)
    return answerSettings(c)
  })
  .get('/:personId/:moduleId', (c) => answerSignOff(c))
  .post('/:personId/:moduleId', async (c) => {
    const signed = await readJson(c, SignOff)
    const about = aboutOf(c)
    await requirePassword(c.var.context.db, about.orgId, c.var.caller)
    await signOff(c.var.context, { ...about, signOff: signed })
    return answerSignOff(c)
  })
  .post('/:personId/:moduleId/photos', async (c) => {
    const bytes = await readBytes(c, REPORT_PHOTO_MAX_BYTES)
    const hash = await addSignOffPhoto(c.var.context, aboutOf(c), bytes)
    return c.json({ success: true, hash } satisfies SignOffPhotoAnswer)
  })

function aboutOf(c: Context<AppEnv>) {
  const { caller } = c.var
  const subject = { personId: c.req.param('personId') ?? '', moduleId: c.req.param('moduleId') ?? '' }
  return { ...subject, orgId: getSigningOrg(caller), userId: caller.userId }
}

async function answerSignOff(c: Context<AppEnv>): Promise<Response> {
  return c.json((await readSignOff(c.var.context, aboutOf(c))) satisfies SignOffAnswer)
}

async function answerSettings(c: Context<AppEnv>): Promise<Response> {
  const settings = await readSignOffSettings(c.var.context.db, requireManaged(c.var.caller))
  return c.json({ success: true, ...settings } satisfies SignOffSettingsAnswer)
}
