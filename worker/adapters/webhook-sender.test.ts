import { Webhook } from 'standardwebhooks'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { isPublicAddress, webhookSender } from './webhook-sender.ts'

const SECRET = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`
const URL_OF = 'https://hooks.example.org/adapt'
const event = () => ({ url: URL_OF, secret: SECRET, id: 'org_1-completed-7', body: '{"type":"x"}', timeMs: Date.now() })

/** A receiver that answers every call like this. @returns the calls that reached it */
function receive(answer: (request: Request) => Response | Promise<Response>) {
  const requests: Request[] = []
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input as string, init as RequestInit)
    requests.push(request.clone())
    return answer(request)
  })
  onTestFinished(() => spy.mockRestore())
  return requests
}

const everywhere = webhookSender(() => true)

describe('webhookSender', () => {
  it('signs what it sends so that the verifier of Standard Webhooks takes it, and no other secret or body', async () => {
    const [sent, requests] = [event(), receive(() => new Response(null, { status: 204 }))]
    await everywhere.post(sent)
    const [request] = requests
    if (request === undefined) throw new Error('nothing was sent')
    const headers = Object.fromEntries(request.headers)
    const body = await request.text()
    expect([request.method, request.url, request.redirect]).toEqual(['POST', URL_OF, 'manual'])
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': sent.id })
    expect(new Webhook(SECRET).verify(body, headers)).toEqual({ type: 'x' })
    expect(() => new Webhook(SECRET).verify(`${body} `, headers)).toThrow('No matching signature')
    expect(() => new Webhook(`whsec_${btoa('another')}`).verify(body, headers)).toThrow('No matching signature')
  })

  it.each([
    [302, '302'],
    [400, '400'],
    [503, '503'],
  ])('does not take an answer of %i for a receipt, and follows nothing', async (status, reason) => {
    const requests = receive(() => new Response('x', { status, headers: { location: 'https://elsewhere.org' } }))
    await expect(everywhere.post(event())).rejects.toMatchObject({ name: 'NotTaken', reason })
    expect(requests).toHaveLength(1)
  })

  it('waits for no receiver for ever, and quotes no address', async () => {
    receive(({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))))
    const sending = webhookSender(() => true, 20).post(event())
    await expect(sending).rejects.toMatchObject({ reason: 'timeout' })
    await expect(sending).rejects.not.toThrow('example')
    receive(() => Promise.reject(new Error(`no route to ${URL_OF}`)))
    await expect(everywhere.post(event())).rejects.toMatchObject({ reason: 'unreachable' })
  })

  it('sends nothing to an address that is not allowed any more', async () => {
    const requests = receive(() => new Response())
    await expect(webhookSender(isPublicAddress).post({ ...event(), url: 'https://10.0.0.1/' })).rejects.toMatchObject({
      reason: 'refused',
    })
    expect(requests).toEqual([])
  })
})

describe('isPublicAddress', () => {
  it.each(['https://hooks.example.org/x?y=1', 'https://a.b-c.co', 'https://HOOKS.Example.org./', 'https://xn--bcher-kva.de'])(
    'takes %s',
    (url) => expect(isPublicAddress(new URL(url))).toBe(true),
  )

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
