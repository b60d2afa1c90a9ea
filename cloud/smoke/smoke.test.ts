import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { openClerk } from '../clerk.ts'
import { environmentOf } from '../environment.ts'
import type { CatalogueModel } from '../models.ts'
import { type Answer, FakeAdapt, type Fault, timelineOf } from '../testing/fake-adapt.ts'
import { openFakeShell } from '../testing/fake-shell.ts'
import { load } from './checks/load.ts'
import { removeAll } from './checks/sign-in.ts'
import { createPerson, type Person } from './person.ts'
import { CHECKS, runCheck, smoke } from './smoke.ts'
import type { Visit } from './visit.ts'

/** A host on this machine. @returns its origin */
async function serve(answer: (request: Request, body: string) => Answer): Promise<string> {
  const { origin, close } = await serveOnFreePort(async (request) => {
    const { status = 200, headers = {}, json = {} } = answer(request, await request.text())
    return Response.json(json, { status, headers })
  })
  onTestFinished(close)
  return origin
}

const jwtOf = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`

/** Clerk's API for programs and the one for browsers, as far as one person needs them. */
async function serveClerk({ templates = ['api'], signIn = 200, organizations = 200 } = {}) {
  const asked: string[] = []
  let active: string | null = null
  const origin = await serve(({ method, url, headers }, body) => {
    const { pathname, searchParams } = new URL(url)
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
      headers.get('origin') === 'https://adapt.acme.com' && searchParams.get('__clerk_testing_token') === 'testing_1'
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
    if (headers.get('cookie') !== '__client=c1' || (template !== undefined && !templates.includes(template)))
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

const PERSON: Person = {
  token: async () => 'token',
  clockOffMs: () => 0,
  hasTemplate: () => true,
  needsOrganization: false,
  joinOrganization: async () => {},
  leaveOrganization: async () => {},
  remove: async () => {},
}

function makeVisit(changes: Partial<Visit>): Visit {
  return {
    origin: '',
    isHere: false,
    isFirst: false,
    commit: '',
    openPerson: null,
    idleMs: 100,
    load: 0,
    models: { speech: [], language: [] },
    listModels: null,
    person: null,
    moduleId: '',
    key: '',
    workerOffMs: null,
    hasBlanks: null,
    aacTakenAs: null,
    ...changes,
  }
}

interface ClerkFault {
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
async function serveMembership(
  membership: 'optional' | 'required',
  { more = [], isFollowed = true, isNamed = true, refused = '' }: ClerkFault = {},
) {
  const asked: string[] = []
  let active: string | null = null
  const sessionOf = () => {
    const waits = [...(membership === 'required' && active === null ? ['choose-organization'] : []), ...more]
    return { id: 'sess_1', status: waits.length === 0 ? 'active' : 'pending', tasks: waits.map((key) => ({ key })) }
  }
  // One time for all of its tokens, which are compared: the second may end between two requests.
  const iat = Math.floor(Date.now() / 1000)
  const origin = await serve(({ method, url, headers }, body) => {
    const { pathname, searchParams } = new URL(url)
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
    const claims = { iat, org_id: isNamed ? active : null, to: active ?? 'personal' }
    if (path === '/client/sessions/sess_1/tokens/api') return { json: { jwt: jwtOf(claims) } }
    if (
      path === '/api/modules' &&
      headers.get('authorization')?.includes(jwtOf(claims)) &&
      refused !== (active ?? 'personal')
    )
      return { json: { success: true } }
    return { status: 500 }
  })
  return { asked, origin }
}

describe('cloud:smoke', () => {
  const run = async (url: string | null, { isDry = false, isFirst = false } = {}) => {
    const shell = Object.assign(openFakeShell(), { isDry })
    const options = { environment: environmentOf('none'), shell, base: {}, url, clerk: null, isFirst, idleMs: 100 }
    const ended = await smoke(options).catch(String)
    return { ended, said: shell.said }
  }

  it('says of each failed check what to do, and leaves out what it has no means for', async () => {
    const broken = await serve(() => ({ status: 500, json: { error: 'no' } }))
    const { ended, said } = await run(broken)
    expect(ended).toContain(`4 of 29 checks failed at ${broken}.`)
    expect(said.filter((line) => line.startsWith('FAIL')).map((line) => line.slice(5, 21).trim())).toEqual([
      'Version',
      'Sign-in',
      'Distance',
      'Parts',
    ])
    expect(said.find((line) => line.startsWith('FAIL Sign-in'))).toMatch(/with 500: .*\. Run cloud:setup/)
    expect(said.at(-1)).toBe('0 ok, 4 failed, 25 left out')
  })

  it.each([
    ['optional', 'a token of the template api is accepted, with and without an organization'],
    ['required', 'a token of the template api is accepted; Clerk requires an organization'],
  ] as const)('signs in where membership is %s, in an organization that it removes', async (membership, found) => {
    const { asked, origin } = await serveMembership(membership)
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
      const { asked, origin } = await serveMembership(membership, fault)
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
    const asked: string[] = []
    const origin = await serve(({ url }) => {
      asked.push(url)
      return {}
    })
    const { ended, said } = await run(origin, { isDry: true })
    expect(ended).toBeUndefined()
    expect(said).toHaveLength(30)
    expect(said[0]).toBe(`  would check Version at ${origin}`)
    expect(said.at(-1)).toContain('Nothing was run.')
    expect(asked).toEqual([])
  })

  it('removes the person at Clerk although Adapt does not erase what it keeps of them', async () => {
    const origin = await serve(() => ({ status: 500, json: { error: 'no' } }))
    const removed: string[] = []
    const person = { ...PERSON, remove: async () => void removed.push('person') }
    const visit = makeVisit({ origin, person })
    await expect(removeAll(visit)).rejects.toThrow('/api/account answered 500')
    expect(removed).toEqual(['person'])
  })

  it('asks for an address where no environment names one', async () => {
    expect((await run(null)).ended).toContain('--url https://')
  })
})

describe('a line of the smoke checks', () => {
  const adapts: FakeAdapt[] = []
  afterEach(() => {
    for (const adapt of adapts.splice(0)) adapt.close()
  })

  /** Runs the check of a name against an Adapt with a fault. @returns its line */
  async function lineOf(name: string, fault?: Fault, changes: Partial<Visit> = {}) {
    const adapt = await new FakeAdapt(fault).open()
    adapts.push(adapt)
    const { origin } = adapt
    const said: string[] = []
    const found = { origin, person: PERSON, openPerson: async () => PERSON, moduleId: 'm0', key: 'k0' }
    const check = [...CHECKS, load].find((each) => each.name === name)
    if (check === undefined) throw new Error(`there is no check ${name}`)
    await runCheck(check, makeVisit({ ...found, ...changes }), (line) => said.push(line))
    return { line: said.join('\n'), advice: check.advice, adapt }
  }

  const at =
    (start: string, answer: Answer): Fault =>
    ({ line }) =>
      line.startsWith(start) ? answer : undefined
  const LARGE = '@cf/meta/large'
  const models = { speech: [], language: [LARGE] }
  const listing = (...listed: Partial<CatalogueModel>[]) => ({
    models,
    listModels: async () => listed.map((model) => ({ name: LARGE, retiredOn: null, prices: [], ...model })),
  })
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  /** Every module but the first has no run. */
  const oneEvent: Fault = ({ line }) =>
    line.startsWith('GET /api/debug/modules/') && !line.endsWith('/m1') ? timelineOf(null) : undefined

  it.each<[string, RegExp, Partial<Visit>?]>([
    ['Upload', /to the same origin; a second PUT was refused/],
    ['Upload, event', /received by an event after \d/],
    ['Upload in parts', /8\.5 MB in two parts, with if-none-match; one after complete was answered 404/],
    ['Speech, 4 MiB', /4\.2 MB were transcribed after .*, attempt 1/],
    ['Speech, minute', /0\.2 MB were transcribed after .*, attempt 1/],
    ['Speech, blanks', /words begin with blanks/, { hasBlanks: true }],
    ['Range', /call 2 of the same range: HIT/],
    ['Un-shared', /a page that was MISS is 404 after 0\.0 s/],
    ['Idle socket', /event 3 came .* behind 0\.1 s of silence/],
    ['Distance', /p50 of 20 calls of \/api\/modules: \d+ ms, by no colo/],
    ['Load', /4 of 4 READY; median .*; 0 pieces of work were answered busy; 0 sections/, { load: 4, isHere: true }],
    ['Models', /1 models are in the catalogue, .*; @cf\/meta\/large until /, listing({ retiredOn: inDays(120) })],
  ])('says what is true: %s', async (name, found, changes) => {
    const { line } = await lineOf(name, undefined, changes)
    expect(line).toMatch(/^ok/)
    expect(line).toMatch(found)
  })

  it.each<[string, string, RegExp, Fault | undefined, Partial<Visit>?]>([
    [
      'Upload',
      'a bucket that replaces',
      /if-none-match was answered 200/,
      at('PUT /bucket/', { headers: { etag: 'e' } }),
    ],
    ['Upload, event', 'a bucket without events', /only the sweep received it/, oneEvent],
    [
      'Upload in parts',
      'an address that stays good',
      /after complete was answered 200/,
      at('PUT /bucket/part', { headers: { etag: 'e' } }),
    ],
    [
      'Upload in parts',
      'half of the object',
      /5 bytes are served of/,
      at('HEAD /share/', { headers: { 'content-length': '5' } }),
    ],
    [
      'Speech, 4 MiB',
      'a model that fails',
      /4\.2 MB were not transcribed: ai_unavailable/,
      at(
        'GET /api/debug/modules/',
        timelineOf({
          failureCode: 'ai_unavailable',
          audio: { done: 0, total: 1, tries: 7, mostTries: 7, lastTranscribedAt: null },
        }),
      ),
    ],
    [
      'Speech, minute',
      'a model without words',
      /no words were found in 0\.2 MB/,
      at('GET /api/debug/modules/', timelineOf({ steps: { done: 0, total: 0, tries: 0, mostTries: 0, drafts: 0 } })),
    ],
    ['Speech, blanks', 'words without blanks', /no word begins with a blank/, undefined, { hasBlanks: false }],
    [
      'Range',
      'no cache',
      /never answered from the edge: DYNAMIC, /,
      at('GET /share/', { status: 206, headers: { 'x-adapt-edge': 'DYNAMIC' } }),
    ],
    [
      'Un-shared',
      'a page that stays',
      /still there 10\.0 s after un-sharing/,
      at('GET /share/', { headers: { 'x-adapt-edge': 'HIT' } }),
    ],
    ['Distance', 'a database far away', /p50 of 20 calls .*: \d{4} ms, by FRA/, undefined],
    [
      'Load',
      'a video that fails',
      /3 of 4 READY; .*; 3 pieces of work were answered busy; 1 section/,
      at(
        'GET /api/debug/modules/m4',
        timelineOf({
          outcome: 'failed',
          audio: { done: 0, total: 1, tries: 7, mostTries: 7, busy: 3, lastTranscribedAt: null },
          steps: { done: 1, total: 1, tries: 1, mostTries: 1, drafts: 1 },
        }),
      ),
      { load: 4, isHere: true },
    ],
    [
      'Models',
      'a model that is to be retired',
      /large is to be retired on 20/,
      undefined,
      listing({ retiredOn: inDays(80) }),
    ],
    [
      'Models',
      'a model that is gone',
      /large is not in the catalogue/,
      undefined,
      { models, listModels: async () => [] },
    ],
    [
      'Models',
      'a dearer model',
      /large costs \$0\.5 per M input tokens, and is counted as \$0\.293/,
      undefined,
      listing({ prices: [{ unit: 'per M input tokens', price: 0.5 }] }),
    ],
  ])('%s fails with %s, and says what to do', async (name, _what, found, fault, changes) => {
    if (name === 'Distance') slowDown()
    const { line, advice } = await lineOf(
      name,
      name === 'Distance' ? at('GET /api/modules', { headers: { 'cf-ray': '1-FRA' } }) : fault,
      changes,
    )
    expect(line).toMatch(/^FAIL/)
    expect(line).toMatch(found)
    expect(line).toContain(advice)
  })

  /** Has each look at the clock find it a second later. */
  function slowDown(): void {
    let ms = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (ms += 1_000))
    onTestFinished(() => void vi.restoreAllMocks())
  }

  it('fails with a socket that is closed while it is silent', async () => {
    const dropped = lineOf(
      'Idle socket',
      ({ line }) => {
        if (line.endsWith('live-ticket')) setTimeout(() => adapts[0]?.dropSockets(), 3_300)
        return undefined
      },
      { idleMs: 2_000 },
    )
    const { line, advice } = await dropped
    expect(line).toMatch(/^FAIL Idle socket +the socket was closed: 1006/)
    expect(line).toContain(advice)
  })

  it('sends parts without the condition where the bucket does not take it with them', async () => {
    const { line } = await lineOf('Upload in parts', ({ line: asked, headers }) =>
      asked.startsWith('PUT /bucket/part') && headers['if-none-match'] !== undefined ? { status: 501 } : undefined,
    )
    expect(line).toMatch(/^ok .* in two parts, without \(501 with\) if-none-match/)
  })

  it('removes who has sent many videos although Adapt fails', async () => {
    const removed: number[] = []
    const failing = { ...PERSON, remove: async () => void removed.push(1) }
    const { line, adapt } = await lineOf('Load', at('POST /api/presigned-upload', { status: 500 }), {
      load: 7,
      isHere: true,
      openPerson: async () => failing,
    })
    expect(line).toMatch(/^FAIL Load +0 of 7 READY; /)
    expect(removed).toHaveLength(3)
    expect(adapt.asked.filter((asked) => asked === 'DELETE /api/account')).toHaveLength(3)
  })

  it('leaves out what this machine does not have', async () => {
    expect((await lineOf('Models', undefined, { models })).line).toContain('left out: no credentials')
    expect((await lineOf('Speech, blanks', undefined, { hasBlanks: false, isHere: true })).line).toContain('left out')
    expect((await lineOf('Upload, event', oneEvent, { isHere: true })).line).toContain('left out: only the sweep')
  })
})
