import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { openClerk } from '../clerk.ts'
import { environmentOf } from '../environment.ts'
import { openFakeShell } from '../testing/fake-shell.ts'
import { removeAll } from './flows.ts'
import { createPerson } from './person.ts'
import { smoke } from './smoke.ts'

interface Answer {
  status?: number
  headers?: Record<string, string>
  json?: unknown
}

let server: Server | null = null
afterEach(() => void server?.close())

/** A host on this machine. @returns its origin */
async function serve(answer: (request: IncomingMessage, body: string) => Answer): Promise<string> {
  server = createServer(async (request, response) => {
    const { status = 200, headers = {}, json = {} } = answer(request, await text(request))
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const jwtOf = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`

/** Clerk's API for programs and the one for browsers, as far as one person needs them. */
async function serveClerk({ templates = ['api'], signIn = 200, organizations = 200 } = {}) {
  const asked: string[] = []
  let active: string | null = null
  const origin = await serve(({ method, url = '', headers }, body) => {
    const { pathname, searchParams } = new URL(url, 'http://x')
    asked.push(`${method} ${pathname}`)
    if (pathname === '/v1/users') return { json: { object: 'user', id: 'user_1', email_addresses: [] } }
    if (pathname === '/v1/sign_in_tokens') return { json: { object: 'sign_in_token', id: 'sit_1', token: 'ticket_1' } }
    if (pathname === '/v1/testing_tokens') return { json: { object: 'testing_token', token: 'testing_1' } }
    if (method === 'DELETE') return { json: { object: 'user', id: 'user_1', deleted: true } }
    if (pathname === '/v1/organizations') {
      const refusal = { errors: [{ code: 'organization_not_enabled_in_instance', message: 'Not enabled.' }] }
      return { status: organizations, json: organizations === 200 ? { object: 'organization', id: 'org_1' } : refusal }
    }
    const isLetIn =
      headers.origin === 'https://adapt.acme.com' && searchParams.get('__clerk_testing_token') === 'testing_1'
    if (!isLetIn) return { status: 403 }
    if (pathname === '/v1/client/sign_ins') {
      const isTicket = new URLSearchParams(body).get('ticket') === 'ticket_1'
      const sessions = [{ id: 'sess_1', status: 'active', tasks: null }]
      const json = { response: { created_session_id: 'sess_1' }, client: { sessions } }
      return { status: isTicket ? signIn : 422, json, headers: { 'set-cookie': '__client=c1; Path=/; HttpOnly' } }
    }
    if (pathname === '/v1/client/sessions/sess_1/touch') {
      active = new URLSearchParams(body).get('active_organization_id') || null
      return { json: { response: { id: 'sess_1', status: 'active', tasks: null } } }
    }
    const template = /^\/v1\/client\/sessions\/sess_1\/tokens(?:\/(.*))?$/.exec(pathname)?.[1]
    if (headers.cookie !== '__client=c1' || (template !== undefined && !templates.includes(template)))
      return { status: 404 }
    return {
      json: {
        jwt: jwtOf({ iat: Math.floor(Date.now() / 1000) - 30, template: template ?? 'session', org_id: active }),
      },
    }
  })
  const clerk = openClerk({ CLERK_SECRET_KEY: 'sk_live_acme', CLERK_API_URL: origin })
  if (clerk === null) throw new Error('there is no client')
  return { asked, person: () => createPerson(clerk, { frontendApi: origin, origin: 'https://adapt.acme.com' }) }
}

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object

describe('a person at a hosted Clerk', () => {
  it('is made, signed in with a ticket as at the app’s own origin, and removed', async () => {
    const { asked, person } = await serveClerk()
    const own = await person()
    expect(claimsOf(await own.token())).toMatchObject({ template: 'api' })
    expect(own.hasTemplate()).toBe(true)
    expect(Math.round(own.clockOffMs() / 10_000)).toBe(3)
    const calls = asked.length
    await own.token()
    expect(asked).toHaveLength(calls)
    await own.remove()
    expect(asked.at(-1)).toBe('DELETE /v1/users/user_1')
  })

  it('works in an organization of its own, which is removed with it', async () => {
    const { asked, person } = await serveClerk()
    const own = await person()
    expect(own.needsOrganization).toBe(false)
    await own.joinOrganization()
    expect(claimsOf(await own.token())).toMatchObject({ org_id: 'org_1' })
    await own.leaveOrganization()
    expect(claimsOf(await own.token())).toMatchObject({ org_id: null })
    await own.remove()
    expect(asked.slice(-2)).toEqual(['DELETE /v1/organizations/org_1', 'DELETE /v1/users/user_1'])
  })

  it('says what to turn on where there are no organizations, and does not stay behind', async () => {
    const { asked, person } = await serveClerk({ organizations: 403 })
    const own = await person()
    await expect(own.joinOrganization()).rejects.toThrow('Not enabled. At Clerk, Organizations, turn them on')
    await own.remove()
    expect(asked.at(-1)).toBe('DELETE /v1/users/user_1')
  })

  it('has session tokens where there is no template', async () => {
    const own = await (await serveClerk({ templates: [] })).person()
    expect(claimsOf(await own.token())).toMatchObject({ template: 'session' })
    expect(own.hasTemplate()).toBe(false)
  })

  it('does not stay behind where the ticket is refused', async () => {
    const { asked, person } = await serveClerk({ signIn: 401 })
    await expect(person()).rejects.toThrow('Clerk answered /client/sign_ins with 401')
    expect(asked.at(-1)).toBe('DELETE /v1/users/user_1')
  })
})

interface Fault {
  /** Tasks that the session waits for beside an organization. */
  more?: readonly string[]
  /** Whether the session has an active organization once it was chosen. */
  isFollowed?: boolean
  /** Whether the template names it. */
  isNamed?: boolean
  /** Whose calls Adapt refuses: the organization's, or `personal`. */
  refused?: string
}

/** The stand-in for Clerk with an Adapt, as far as one person needs them. */
async function serveAdapt(
  membership: 'optional' | 'required',
  { more = [], isFollowed = true, isNamed = true, refused = '' }: Fault = {},
) {
  const asked: string[] = []
  let active: string | null = null
  const sessionOf = () => {
    const waits = [...(membership === 'required' && active === null ? ['choose-organization'] : []), ...more]
    return { id: 'sess_1', status: waits.length === 0 ? 'active' : 'pending', tasks: waits.map((key) => ({ key })) }
  }
  const origin = await serve(({ method, url = '', headers }, body) => {
    const { pathname, searchParams } = new URL(url, 'http://x')
    const path = pathname.replace('/__clerk/v1', '')
    asked.push(`${searchParams.get('_method') ?? method} ${path}`)
    if (path === '/client/sign_ups')
      return { json: { response: { created_session_id: 'sess_1' }, client: { sessions: [sessionOf()] } } }
    if (path === '/organizations') return { json: { response: { id: 'org_1' } } }
    if (path === '/organizations/org_1') return { json: { response: { id: 'org_1', deleted: true } } }
    if (path === '/client/sessions/sess_1/touch') {
      active = (isFollowed && new URLSearchParams(body).get('active_organization_id')) || null
      return { json: { response: sessionOf() } }
    }
    const claims = { iat: Math.floor(Date.now() / 1000), org_id: isNamed ? active : null, to: active ?? 'personal' }
    if (path === '/client/sessions/sess_1/tokens/api') return { json: { jwt: jwtOf(claims) } }
    if (path === '/api/modules' && headers.authorization?.includes(jwtOf(claims)) && refused !== (active ?? 'personal'))
      return { json: { success: true } }
    return { status: 500 }
  })
  return { asked, origin }
}

describe('cloud:smoke', () => {
  const run = async (url: string | null, { isDry = false, isFirst = false } = {}) => {
    const shell = Object.assign(openFakeShell(), { isDry })
    const ended = await smoke({ environment: environmentOf('none'), shell, url, clerk: null, isFirst }).catch(String)
    return { ended, said: shell.said }
  }

  it('says of each failed check what to do, and leaves out what it has no means for', async () => {
    const broken = await serve(() => ({ status: 500, json: { error: 'no' } }))
    const { ended, said } = await run(broken)
    expect(ended).toContain(`3 of 19 checks failed at ${broken}.`)
    expect(said.filter((line) => line.startsWith('FAIL')).map((line) => line.slice(5, 21).trim())).toEqual([
      'Version',
      'Sign-in',
      'Parts',
    ])
    expect(said.find((line) => line.startsWith('FAIL Sign-in'))).toMatch(/with 500: .*\. Run cloud:setup/)
    expect(said.at(-1)).toBe('0 ok, 3 failed, 16 left out')
  })

  it.each([
    ['optional', 'a token of the template api is accepted, with and without an organization'],
    ['required', 'a token of the template api is accepted; Clerk requires an organization'],
  ] as const)('signs in where membership is %s, in an organization that it removes', async (membership, found) => {
    const { asked, origin } = await serveAdapt(membership)
    const { said } = await run(origin)
    expect(said.find((line) => line.startsWith('ok   Sign-in'))).toContain(found)
    expect(asked.at(-1)).toBe('DELETE /organizations/org_1')
  })

  const STAYS = 'although an organization is active: at Clerk, '
  it.each([
    [
      'required',
      { isFollowed: false },
      `pending (choose-organization) ${STAYS}Organizations, set Membership to optional`,
    ],
    ['required', { more: ['setup-mfa'] }, `pending (setup-mfa) ${STAYS}Sessions, turn setup-mfa off`],
    ['optional', { more: ['setup-mfa'] }, `pending (setup-mfa) ${STAYS}Sessions, turn setup-mfa off`],
    ['required', { isNamed: false }, 'the template api does not name the active organization'],
    ['optional', { isNamed: false }, 'the template api does not name the active organization'],
    ['required', { refused: 'org_1' }, '/api/modules answered 500'],
    ['optional', { refused: 'org_1' }, '/api/modules answered 500'],
    ['optional', { refused: 'personal' }, '/api/modules answered 500'],
  ] as const)(
    'fails where membership is %s, with %o, and removes the organization',
    async (membership, fault, found) => {
      const { asked, origin } = await serveAdapt(membership, fault)
      const { said } = await run(origin)
      expect(said.find((line) => line.startsWith('FAIL Sign-in'))).toContain(found)
      expect(asked.at(-1)).toBe('DELETE /organizations/org_1')
    },
  )

  it('says of a first deployment when to look whether its cron runs', async () => {
    const parts = {
      postgres: 'ok',
      s3: 'ok',
      qstash: 'ok',
      d1: 'ok',
      r2: 'ok',
      ai: 'not called yet',
      durableObjects: 'ok',
    }
    const queues = 'the sweep has not run yet: lost work is not found again'
    const deployed = { environment: 'production', uptime: 5, version: 'abc1234', release: 'v-1' }
    const json = { success: true, ...parts, queues, speechPreparation: null, ...deployed }
    const origin = await serve(() => ({ status: 200, json }))
    const { said } = await run(origin, { isFirst: true })
    expect(said.find((line) => line.includes('Parts'))).toContain(
      `left out: the first run of a new cron takes up to 15 minutes: open ${origin}/api/health then`,
    )
  })

  it('names the status of a page that answers in place of Adapt, and what to allow', async () => {
    const origin = await serve(() => ({ status: 403, headers: { 'content-type': 'text/html' } }))
    const { said } = await run(origin)
    expect(said.find((line) => line.startsWith('FAIL Version'))).toContain(
      '/api/health answered 403 (text/html), as Bot',
    )
  })

  it('lists the checks and asks nothing in a dry run', async () => {
    const asked: (string | undefined)[] = []
    const origin = await serve(({ url }) => {
      asked.push(url)
      return {}
    })
    const { ended, said } = await run(origin, { isDry: true })
    expect(ended).toBeUndefined()
    expect(said).toHaveLength(20)
    expect(said[0]).toBe(`  would check Version at ${origin}`)
    expect(said.at(-1)).toContain('Nothing was run.')
    expect(asked).toEqual([])
  })

  it('removes the person at Clerk although Adapt does not erase what it keeps of them', async () => {
    const origin = await serve(() => ({ status: 500, json: { error: 'no' } }))
    const removed: string[] = []
    const person = {
      token: async () => 'token',
      clockOffMs: () => 0,
      hasTemplate: () => true,
      needsOrganization: false,
      joinOrganization: async () => {},
      leaveOrganization: async () => {},
      remove: async () => void removed.push('person'),
    }
    const visit = {
      origin,
      person,
      isHere: true,
      isFirst: false,
      commit: '',
      moduleId: '',
      key: '',
      workerOffMs: null,
      aacTakenAs: null,
      openPerson: null,
    }
    await expect(removeAll(visit)).rejects.toThrow('/api/account answered 500')
    expect(removed).toEqual(['person'])
  })

  it('asks for an address where no environment names one', async () => {
    expect((await run(null)).ended).toContain('--url https://')
  })
})
