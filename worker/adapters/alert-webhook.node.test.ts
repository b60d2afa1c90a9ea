import { describe, expect, it } from 'vitest'
import type { HealthAlert } from '#worker/ports/alert.ts'
import { postAlert } from './alert-webhook.ts'
import { json, openServer } from './openai-compatible/testing/open-server.node.ts'

const ALERT: HealthAlert = {
  state: 'bad',
  text: 'Adapt (production) is not well.',
  since: '2026-11-29T01:03:00.000Z',
  parts: { r2: 'unreachable: videos cannot be uploaded or played' },
  environment: 'production',
  debugUrl: 'https://adapt.example.com/debug',
}
const HOOK_PATH = '/hooks/T0/B0/of-operators'

describe('an alert', () => {
  it('reaches the webhook as JSON, with a text that chats show', async () => {
    const { baseUrl, requests } = await openServer(json({}))
    await postAlert(baseUrl + HOOK_PATH, ALERT)
    const [request] = requests
    expect(requests).toHaveLength(1)
    expect(request?.path).toBe(`/v1${HOOK_PATH}`)
    expect(request?.headers.get('content-type')).toBe('application/json')
    expect(JSON.parse(String(request?.body))).toEqual(ALERT)
  })

  it.each([
    ['refuses it', json({}, 403), 'it answered 403'],
    ['breaks', json({}, 500), 'it answered 500'],
    ['sends it elsewhere', json({}, 307, { location: 'http://127.0.0.1:1/' }), 'it answered 307'],
    ['does not answer', () => undefined, 'no answer within 0.1 s'],
  ])('fails where the receiver %s, without the address', async (_what, answer, why) => {
    const { baseUrl } = await openServer(answer)
    const failed = await postAlert(baseUrl + HOOK_PATH, ALERT, 100).catch((error: unknown) => error)
    expect(failed).toMatchObject({ code: 'unavailable', message: expect.stringContaining(why) })
    expect(String(failed)).not.toContain(HOOK_PATH)
  })

  it('fails where there is no receiver', async () => {
    await expect(postAlert(`http://127.0.0.1:1${HOOK_PATH}`, ALERT)).rejects.toThrow('it could not be reached')
  })
})
