import { expect, it, vi } from 'vitest'
import { cloudflareMailer } from './cloudflare-mailer.ts'

const MAIL = { to: 'anna@example.com', subject: 'Due', text: 'Today.' }
const ORIGIN = 'https://adapt.example.com'
const failing = (code: string) => ({
  send: () => Promise.reject(Object.assign(new Error('to anna@example.com'), { code })),
})

it('is there only with a binding and a sender', () => {
  expect(cloudflareMailer({ MAIL_FROM: 'adapt@example.com' }, ORIGIN)).toBeNull()
  expect(cloudflareMailer({ EMAIL: failing(''), MAIL_FROM: '' }, ORIGIN)).toBeNull()
})

it('sends plain text from the sender', async () => {
  const send = vi.fn(async () => ({ messageId: 'm1' }))
  await cloudflareMailer({ EMAIL: { send }, MAIL_FROM: 'adapt@example.com' }, ORIGIN)?.send(MAIL)
  expect(send).toHaveBeenCalledExactlyOnceWith({ ...MAIL, from: { email: 'adapt@example.com', name: 'Adapt' } })
})

it.each([
  ['E_RECIPIENT_SUPPRESSED', 'invalid_request'],
  ['E_SENDER_NOT_VERIFIED', 'unavailable'],
  ['E_RATE_LIMIT_EXCEEDED', 'unavailable'],
  ['E_INTERNAL_SERVER_ERROR', 'unavailable'],
  ['no code of theirs', 'unavailable'],
])('tells what no retry changes (%s) from what one may, and quotes no address', async (reason, code) => {
  const mailer = cloudflareMailer({ EMAIL: failing(reason), MAIL_FROM: 'adapt@example.com' }, ORIGIN)
  await expect(mailer?.send(MAIL)).rejects.toMatchObject({ code })
  await expect(mailer?.send(MAIL)).rejects.not.toThrow('anna')
})
