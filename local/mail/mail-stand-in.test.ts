import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { call } from '#local/testing/api.ts'
import { listMails, MAIL_PATH, mailStandIn } from './mail-stand-in.ts'

it('keeps mails and shows them, the newest first, as text', async () => {
  const mailer = mailStandIn(env.DB, 'http://localhost:8787')
  expect(await (await call(MAIL_PATH)).text()).toContain('No mail yet.')
  await mailer.send({ to: 'anna@example.com', subject: 'First', text: 'One' })
  await mailer.send({ to: 'bo@example.com', subject: '<b>Second</b>', text: 'Line\n<script>' })
  expect((await listMails(env.DB)).map(({ subject }) => subject)).toEqual(['<b>Second</b>', 'First'])
  const response = await call(MAIL_PATH)
  expect(response.headers.get('content-type')).toContain('text/html')
  const page = await response.text()
  expect(page).toContain('&lt;b&gt;Second&lt;/b&gt;')
  expect(page).not.toContain('<script>')
  expect(await (await call(`${MAIL_PATH}mails.json`)).json()).toMatchObject([{ to: 'bo@example.com' }, {}])
})
