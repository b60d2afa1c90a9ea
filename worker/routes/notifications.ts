import { type Context, Hono } from 'hono'
import {
  type MatrixKeyAnswer,
  type NotificationsAnswer,
  NotificationsPatch,
  type Webhook,
  WebhookEdit,
  type WebhookSecretAnswer,
} from '#contract/team/notifications.ts'
import { AppError } from '#worker/core/errors.ts'
import { hasMatrixKey, issueMatrixKey, revokeMatrixKey } from '#worker/domain/matrix/matrix-key.ts'
import { readSettings, storeSettings } from '#worker/domain/notice/notice-settings.ts'
import {
  countWaiting,
  findWebhook,
  removeWebhook,
  resumeWebhook,
  storeWebhook,
  type WebhookRow,
} from '#worker/domain/notice/notice-store.ts'
import { requireManaged } from '#worker/domain/person/require-team.ts'
import { makeSecret } from '#worker/domain/signed-payload.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { readJson, requireUser } from '#worker/http/request.ts'
import { chooseInterface } from '#worker/http/visitor-language.ts'
import { ring } from '#worker/tasks/ring.ts'

/** How the active organization reminds its people and has others told, for those who manage it. */
export const notificationRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/', answerNotifications)
  .patch('/', async (c) => {
    const { checkpointEmail: email, ...settings } = await readJson(c, NotificationsPatch)
    const checkpointMail = email ? { email, language: chooseInterface(c) } : null
    const orgId = requireManaged(c.var.caller)
    await storeSettings(c.var.context, orgId, { ...settings, ...(email !== undefined && { checkpointMail }) })
    return answerNotifications(c)
  })
  .put('/webhook', async (c) => {
    const { url } = await readJson(c, WebhookEdit)
    const { context } = c.var
    const { d1, nowMs, services } = context
    const orgId = requireManaged(c.var.caller)
    if (!services.webhooks.allows(new URL(url)))
      throw new AppError('invalid_request', 'url: must be a public https address, without a port or a password.')
    const secret = makeWebhookSecret()
    await storeWebhook(d1, orgId, { url, secret, nowMs: nowMs() })
    await ring(context, 'notify')
    return c.json({ success: true, secret } satisfies WebhookSecretAnswer)
  })
  .delete('/webhook', async (c) => {
    await removeWebhook(c.var.context, requireManaged(c.var.caller))
    return answerNotifications(c)
  })
  .post('/webhook/retry', async (c) => {
    const { context, caller } = c.var
    await resumeWebhook(context.d1, requireManaged(caller), context.nowMs())
    await ring(context, 'notify')
    return answerNotifications(c)
  })
  .put('/matrix-key', async (c) => {
    const key = await issueMatrixKey(c.var.context, requireManaged(c.var.caller))
    return c.json({ success: true, key } satisfies MatrixKeyAnswer)
  })
  .delete('/matrix-key', async (c) => {
    await revokeMatrixKey(c.var.context.db, requireManaged(c.var.caller))
    return answerNotifications(c)
  })

/** A secret of 32 bytes as Standard Webhooks writes it: in base64 with padding, which that of links does without. */
function makeWebhookSecret(): string {
  return `whsec_${makeSecret().replaceAll('-', '+').replaceAll('_', '/')}=`
}

async function answerNotifications(c: Context<AppEnv>): Promise<Response> {
  const { db, d1, services } = c.var.context
  const orgId = requireManaged(c.var.caller)
  const [{ sendsReminders, checkpointMail }, webhook, waiting, hasKey] = await Promise.all([
    readSettings(db, orgId),
    findWebhook(d1, orgId),
    countWaiting(d1, orgId),
    hasMatrixKey(db, orgId),
  ])
  return c.json({
    success: true,
    canMail: services.mailer !== null,
    sendsReminders,
    checkpointEmail: checkpointMail?.email ?? null,
    webhook: webhook === null ? null : presentWebhook(webhook, waiting),
    hasMatrixKey: hasKey,
  } satisfies NotificationsAnswer)
}

function presentWebhook({ url, okAt, failedAt, failure, stoppedAt }: WebhookRow, waiting: number): Webhook {
  return {
    url,
    takenAt: toIso(okAt),
    failure: failedAt === null ? null : { at: toIso(failedAt), reason: failure ?? 'unreachable' },
    stoppedAt: toIso(stoppedAt),
    waiting,
  }
}
