import { expect, test } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import type { MatrixAnswer } from '#contract/records/matrix.ts'
import { serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { createAccount, tokenByCall } from './people.ts'
import { runSql } from './seed-modules.ts'
import { Team } from './team.ts'

/** Adds the task of a notice, as the sweep does in the morning of an organization. */
function addNotice(origin: string, id: string, notice: object): Promise<unknown> {
  const insert = `INSERT INTO task_queue (subject_kind, subject_id, kind, idx, payload, next_attempt_at)
    VALUES ('notice', ?1, 'notify', 0, ?2, 0)`
  return runSql(origin, insert, [id, JSON.stringify(notice)])
}

test('a manager has a system told and a person reminded, sees why an address fails, and lets a program read', async ({
  page,
}) => {
  const received: { body: string; headers: Record<string, string> }[] = []
  let status = 503
  const receiver = await serveOnFreePort(async (request) => {
    received.push({ body: await request.text(), headers: Object.fromEntries(request.headers) })
    return new Response(null, { status })
  })
  const { orgId } = await Team.found(page, 'North Office')
  await page.goto('/team/people')
  const { origin } = new URL(page.url())
  await page.getByRole('button', { name: 'Add a person' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Anna Berg')
  await page.getByLabel('Email address').fill('anna@example.com')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Anna Berg')).toBeVisible()

  await page.getByRole('link', { name: 'Notifications' }).click()
  await expect(page.getByRole('switch', { name: 'Reminders and answers by mail' })).toBeChecked()
  await page.getByLabel('Checkpoints of the records by mail').fill('audit@example.com')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.getByLabel('Address', { exact: true }).fill(`${receiver.origin}/adapt`)
  await page.getByRole('button', { name: 'Save' }).click()
  const secret = await page.getByRole('dialog', { name: 'Secret of the webhook' }).getByRole('textbox').inputValue()
  await page.keyboard.press('Escape')

  const checkpoint = { day: '2026-11-02', seq: 1, hash: 'f'.repeat(64) }
  await addNotice(origin, `${orgId}/mail/checkpoint-2026-11-02`, { kind: 'checkpoint_mail', ...checkpoint })
  await addNotice(origin, `${orgId}/event/checkpoint-2026-11-02`, { kind: 'records.checkpoint', ...checkpoint })
  // Not long ago: the sweep removes what waits for more than a week.
  const stop = "UPDATE webhooks SET failed_at = 1, failure = '503', stopped_at = unixepoch() * 1000 WHERE org_id = ?1"
  await runSql(origin, stop, [orgId])
  await page.reload()
  await expect(page.getByText(/^Nothing has been sent since .*: it answered 503\./)).toBeVisible()
  await expect(page.getByText('Events waiting: 1')).toBeVisible()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.poll(() => received.length).toBe(1)
  // It fails once more, and is sent again by itself.
  await expect(async () => {
    await page.reload()
    await expect(page.getByText(/^The last event was not accepted/)).toBeVisible({ timeout: 2_000 })
  }).toPass()
  status = 204
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.poll(() => received.length).toBe(2)
  const { body = '', headers = {} } = received[1] ?? {}
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'records.checkpoint', data: checkpoint })
  expect(headers['webhook-id']).toBe(received[0]?.headers['webhook-id'])

  await page.getByRole('button', { name: 'Remove webhook' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove webhook' }).click()
  await expect(page.getByRole('button', { name: 'Remove webhook' })).toBeHidden()

  await page.getByRole('button', { name: 'Make a key' }).click()
  const key = await page.getByRole('dialog', { name: 'Key for other systems' }).getByRole('textbox').inputValue()
  await page.keyboard.press('Escape')
  const readMatrix = () => fetch(`${origin}/api/matrix`, { headers: { authorization: `Bearer ${key}` } })
  const matrix = (await (await readMatrix()).json()) as MatrixAnswer
  expect(matrix.people.map(({ name }) => name)).toContain('Anna Berg')
  await page.getByRole('button', { name: 'Remove key' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove key' }).click()
  await expect(page.getByRole('button', { name: 'Make a key' })).toBeVisible()
  expect((await readMatrix()).status).toBe(401)

  await page.goto('/__mail/')
  const mail = page.getByRole('article').filter({ hasText: 'audit@example.com' })
  await expect(mail).toContainText(checkpoint.hash)
  await receiver.close()
})

test('who asked the trainer with an account has the answer by mail, once', { tag: '@asked-4' }, async ({
  page,
  browser,
  baseURL,
}) => {
  const team = await Team.found(page, 'South Office')
  const id = await team.addTraining('Forklift', ['Drive', 'Park'])
  const personId = await team.addPerson('Bert Stein', [])
  const { request } = await browser.newContext({ baseURL: baseURL ?? '', locale: 'de-DE' })
  const asker = await createAccount(request)
  const join = 'UPDATE people SET user_id = ?1, email = ?2 WHERE org_id = ?3 AND id = ?4'
  await runSql(asker.origin, join, [asker.userId, asker.email, team.orgId, personId])
  const headers = { authorization: `Bearer ${await tokenByCall(request)}`, 'accept-language': 'de' }
  const data = { question: 'What does the insurance cost in winter?', turnId: 'turn-of-bert' }
  expect((await request.post(`/api/asked/${id}`, { data, headers })).ok()).toBe(true)

  await page.goto(`/training/${id}/questions`)
  await page.getByRole('button', { name: `Answer: ${data.question}` }).click()
  const form = page.getByRole('form', { name: 'Answer' })
  await form.getByRole('textbox', { name: 'Your answer' }).fill('In winter it costs 90 euros a month.')
  await form.getByRole('button', { name: 'Give the answer' }).click()
  await expect(page.getByRole('region', { name: 'Your answers' })).toContainText('90 euros')
  const mails = page.getByRole('article').filter({ hasText: asker.email })
  await expect(async () => {
    await page.goto('/__mail/')
    await expect(mails).toContainText('In winter it costs 90 euros a month.', { timeout: 1_000 })
  }).toPass()
  await expect(mails).toHaveCount(1)
  await expect(mails).toContainText('Ihre Frage ist beantwortet: Forklift')
  await request.dispose()
})
