import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { clerkStandIn } from './clerk-stand-in.ts'
import { cookieSuffix } from './session/publishable-key.ts'
import { ORIGIN, openBrowser, openSignedUpBrowser, PASSWORD } from './testing/test-browser.ts'

const PAGE = new Response('<html></html>', { headers: { 'content-type': 'text/html; charset=utf-8' } })

/** Static assets that hold one script and answer everything else with the app's page. */
const assets = {
  fetch: async (request: RequestInfo | URL) => {
    const path = new URL(new Request(request as Request).url).pathname
    return path === '/clerk-scripts/ui/ui.browser.js' ? new Response('ui()') : PAGE.clone()
  },
} as Pick<Fetcher, 'fetch'>

function get(path: string) {
  return clerkStandIn({ db: env.DB, assets, origin: ORIGIN, isMembershipRequired: false }).request(
    `${ORIGIN}/__clerk${path}`,
  )
}

describe('GET /npm/@clerk/…', () => {
  it.each(['ui@1', 'ui@1.36.0', 'ui@99.0.0-beta'])(
    'serves the installed script whatever version %s names',
    async (name) => {
      const response = await get(`/npm/@clerk/${name}/dist/ui.browser.js`)
      expect(await response.text()).toBe('ui()')
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    },
  )

  it.each([
    '/npm/@clerk/clerk-js@6/dist/unknown.js',
    '/npm/@clerk/ui@1/dist/../../../index.html',
    '/npm/@clerk/backend@3/dist/ui.browser.js',
    '/npm/@clerk/ui@1/dist/ui.browser.js.map',
  ])('answers 404 for %s', async (path) => {
    expect((await get(path)).status).toBe(404)
  })
})

describe('GET /avatars/:initials.svg', () => {
  it.each(['AL', 'A', '4'])('draws the initials %s', async (initials) => {
    const response = await get(`/avatars/${initials}.svg`)
    expect(response.headers.get('content-type')).toContain('image/svg+xml')
    expect(await response.text()).toContain(`>${initials}</text>`)
  })

  it('draws nothing but letters and digits', async () => {
    const svg = await (await get(`/avatars/${encodeURIComponent('<script>')}.svg`)).text()
    expect(svg).toContain('>sc</text>')
  })
})

describe('GET /client', () => {
  it('answers null in a browser that was never here', async () => {
    expect((await openBrowser().get('/client')).body).toEqual({ response: null, client: null })
  })

  it('keeps accounts and sessions when the stand-in is opened again', async () => {
    const { browser, userId, email } = await openSignedUpBrowser()
    expect((await browser.get('/client')).body.response).toMatchObject({ sessions: [{ user: { id: userId } }] })
    const elsewhere = await openBrowser().post('/client/sign_ins', { identifier: email, password: PASSWORD })
    expect(elsewhere.body.client).toMatchObject({ sessions: [{ user: { id: userId } }] })
  })
})

describe('/environment', () => {
  it('names no other host', async () => {
    const { body } = await openBrowser().get('/environment')
    expect(body).toMatchObject({ object: 'environment', user_settings: { social: {} } })
    const hosts = JSON.stringify(body).match(/https?:\/\/[^"]+/g)
    expect(hosts).toEqual([ORIGIN])
  })

  it('answers the same to the PATCH of development keys', async () => {
    expect((await openBrowser().post('/environment', {}, 'PATCH')).body).toMatchObject({ object: 'environment' })
  })
})

describe('anything else', () => {
  it('answers 404 in the form that Clerk uses', async () => {
    const { status, body } = await openBrowser().get('/me/passkeys')
    expect(status).toBe(404)
    expect(body.errors).toMatchObject([{ code: 'resource_not_found' }])
  })
})

describe('cookieSuffix', () => {
  it("is what Clerk's scripts derive from the key", async () => {
    expect(await cookieSuffix()).toBe('nMPGLRhb')
  })
})
