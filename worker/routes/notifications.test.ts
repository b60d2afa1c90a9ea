import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { expect, it } from 'vitest'
import { NotificationsAnswer, WebhookSecretAnswer } from '#contract/team/notifications.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'
import { addNotices, findWebhook } from '#worker/domain/notice/notice-store.ts'

const PATH = '/api/notifications'
const newBoss = () => ({ as: `user_${nanoid(8)}`, orgId: `org_${nanoid(8)}`, orgRole: 'org:admin' })
const read = (boss: ReturnType<typeof newBoss>) => answerOf(NotificationsAnswer, PATH, boss)
/** Nobody listens there. */
const URL_OF = 'http://127.0.0.1:9/adapt'

it('begins with reminders and without a webhook, and keeps what is set', async () => {
  const boss = newBoss()
  const first = {
    success: true,
    canMail: true,
    sendsReminders: true,
    checkpointEmail: null,
    webhook: null,
    hasMatrixKey: false,
  } as const
  expect(await read(boss)).toEqual(first)
  const patch = (json: object) => answerOf(NotificationsAnswer, PATH, { ...boss, method: 'PATCH', json })
  expect(await patch({ sendsReminders: false })).toEqual({ ...first, sendsReminders: false })
  const email = 'audit@example.com'
  expect(await patch({ checkpointEmail: email })).toEqual({ ...first, sendsReminders: false, checkpointEmail: email })
  expect(await patch({ sendsReminders: true, checkpointEmail: null })).toEqual(first)
})

it('shows the secret of a webhook once, and a new one with each change', async () => {
  const boss = newBoss()
  const save = () => answerOf(WebhookSecretAnswer, `${PATH}/webhook`, { ...boss, method: 'PUT', json: { url: URL_OF } })
  const secrets = [(await save()).secret, (await save()).secret]
  expect(new Set(secrets).size).toBe(2)
  expect(secrets[1]).toMatch(/^whsec_[\w+/]{43}=$/)
  expect(await findWebhook(env.DB, boss.orgId)).toMatchObject({ secret: secrets[1] })
  const answer = await read(boss)
  expect(answer.webhook).toEqual({ url: URL_OF, takenAt: null, failure: null, stoppedAt: null, waiting: 0 })
  expect(JSON.stringify(answer)).not.toContain('whsec_')
})

it('shows what waits and why, has it tried again, and forgets it with the webhook', async () => {
  const boss = newBoss()
  const webhook = (method: string, more = '', json?: object) =>
    answerOf(NotificationsAnswer.partial(), `${PATH}/webhook${more}`, { ...boss, method, ...(json && { json }) })
  await webhook('PUT', '', { url: URL_OF })
  const notices = [{ kind: 'records.checkpoint', day: '2026-11-02', seq: 1, hash: 'x' } as const]
  await env.DB.batch([
    ...addNotices(env.DB, boss.orgId, { notices, nowMs: Date.now() + 60_000 }),
    env.DB.prepare("UPDATE webhooks SET failed_at = 5, failure = '500', stopped_at = 5 WHERE org_id = ?").bind(
      boss.orgId,
    ),
  ])
  const at = new Date(5).toISOString()
  expect((await read(boss)).webhook).toMatchObject({ failure: { at, reason: '500' }, stoppedAt: at, waiting: 1 })
  expect((await webhook('POST', '/retry')).webhook).toMatchObject({ stoppedAt: null, waiting: 1 })
  expect(await webhook('DELETE')).toMatchObject({ webhook: null })
  await webhook('PUT', '', { url: URL_OF })
  expect((await read(boss)).webhook).toMatchObject({ failure: null, waiting: 0 })
})

it('refuses an address that is none', async () => {
  for (const url of ['hooks.example.org', 'ftp://hooks.example.org/x', `https://${'x'.repeat(500)}.org`]) {
    const problem = await problemOf(`${PATH}/webhook`, { ...newBoss(), method: 'PUT', json: { url } })
    expect([url, problem.code]).toEqual([url, 'invalid_request'])
  }
})
