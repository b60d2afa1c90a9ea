import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { json, openServer } from './openai-compatible/testing/open-server.node.ts'
import { isPublicAddress, webhookSender } from './webhook-sender.ts'

const SECRET = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`
const eventTo = (url: string) => {
  return { url, secret: SECRET, id: 'org_1-completed-7', body: '{"type":"x"}', timeMs: Date.now() }
}
const everywhere = webhookSender(() => true, 500)

describe('webhookSender', () => {
  it('signs what it sends so that the verifier of Standard Webhooks takes it, and no other secret or body', async () => {
    const { baseUrl, requests } = await openServer(json({}, 204))
    await everywhere.post(eventTo(`${baseUrl}/hook`))
    const [request] = requests
    const headers = Object.fromEntries(request?.headers ?? [])
    const body = String(request?.body)
    expect(requests).toHaveLength(1)
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'org_1-completed-7' })
    expect(new Webhook(SECRET).verify(body, headers)).toEqual({ type: 'x' })
    expect(() => new Webhook(SECRET).verify(`${body} `, headers)).toThrow('No matching signature')
    expect(() => new Webhook(`whsec_${btoa('another')}`).verify(body, headers)).toThrow('No matching signature')
  })

  it.each([
    ['refuses it', json({}, 400), '400'],
    ['breaks', json({}, 503), '503'],
    ['sends it elsewhere', json({}, 307, { location: 'http://127.0.0.1:1/' }), '307'],
    ['does not answer', () => undefined, 'timeout'],
  ])('says why a receiver that %s has not taken it, without the address', async (_, answer, reason) => {
    const { baseUrl, requests } = await openServer(answer)
    const failed = await webhookSender(() => true, reason === 'timeout' ? 50 : 5_000)
      .post(eventTo(`${baseUrl}/secret-path`))
      .catch((error: unknown) => error)
    expect(failed).toMatchObject({ name: 'NotTaken', reason })
    expect(String(failed)).not.toContain('secret-path')
    expect(requests).toHaveLength(1)
  })

  it('says that there is no receiver', async () => {
    await expect(everywhere.post(eventTo('http://127.0.0.1:1/'))).rejects.toMatchObject({ reason: 'unreachable' })
  })

  it('sends nothing to an address that is not allowed, or not any more', async () => {
    const { baseUrl, requests } = await openServer(json({}))
    await expect(webhookSender(isPublicAddress).post(eventTo(baseUrl))).rejects.toMatchObject({ reason: 'refused' })
    expect(requests).toEqual([])
  })
})

describe('isPublicAddress', () => {
  it.each([
    'https://hooks.example.org/x?y=1',
    'https://a.b-c.co',
    'https://HOOKS.Example.org./',
    'https://xn--bcher-kva.de',
  ])('takes %s', (url) => expect(isPublicAddress(new URL(url))).toBe(true))

  it.each([
    'http://hooks.example.org',
    'https://hooks.example.org:8443',
    'https://user@hooks.example.org',
    'https://localhost',
    'https://app.localhost',
    'https://intranet',
    'https://printer.local',
    'https://metadata.google.internal',
    'https://metadata.google.internal.',
    'https://router.home.arpa',
    'https://127.0.0.1',
    'https://127.1',
    'https://2130706433',
    'https://0x7f.0.0.1',
    'https://017700000001',
    'https://10.0.0.1',
    'https://169.254.169.254',
    'https://93.184.216.34',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://[fd00::1]',
    'https://[2606:4700::1]',
    'ftp://hooks.example.org',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
  ])('refuses %s', (url) => expect(isPublicAddress(new URL(url))).toBe(false))
})
