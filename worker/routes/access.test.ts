import { env } from 'cloudflare:workers'
import { encodeBase64Url } from 'hono/utils/encode'
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '#local/testing/api.ts'
import { tokenOf } from '#local/testing/sign-in.ts'
import { plantTutored } from '#local/testing/tutored.ts'
import { createApp } from '#worker/create-worker.ts'
import { ACCESS, type Access, type Route } from './testing/access-matrix.ts'

const ORG = 'org_matrix'

/** Who asks; the owner is the planted module's own. */
const CALLERS = {
  nobody: null,
  stranger: { as: 'user_stranger' },
  'member of another organization': { as: 'user_other', orgId: 'org_other', orgRole: 'org:admin' },
  owner: { as: 'owner' },
  'member of the organization': { as: 'user_member', orgId: ORG, orgRole: 'org:member' },
  'admin of the organization': { as: 'user_admin', orgId: ORG, orgRole: 'org:admin' },
  operator: { as: 'user_operator' },
} as const
type Caller = keyof typeof CALLERS

const EVERYBODY = Object.keys(CALLERS) as Caller[]
const SIGNED_IN = EVERYBODY.filter((caller) => caller !== 'nobody')
/** Who may, by what a route asks for. Whoever may not is answered as for a module that does not exist, or asked to sign in. */
const MAY: Record<Access, readonly Caller[]> = {
  anyone: EVERYBODY,
  ticket: EVERYBODY,
  link: EVERYBODY,
  user: SIGNED_IN,
  viewer: SIGNED_IN,
  owner: ['owner', 'member of the organization', 'admin of the organization'],
  inspector: ['owner', 'admin of the organization', 'operator'],
  deleter: ['owner', 'admin of the organization'],
}
/** Those whom a route does not even tell whether there is such a module. */
const NEEDS_NO_SHARING: readonly Caller[] = MAY.owner

const ROUTES = Object.entries(ACCESS)

function pathOf(name: string, { params = {}, query }: Route, moduleId: string): { method: string; path: string } {
  const [method = '', template = ''] = name.split(' ')
  const fields: Record<string, string> = { ...params, moduleId }
  const fill = (text: string) => text.replaceAll(/:([a-zA-Z]+)/g, (whole, field: string) => fields[field] ?? whole)
  return { method, path: fill(template) + (query === undefined ? '' : `?${query.replaceAll(':moduleId', moduleId)}`) }
}

/** Calls a route about a module; a token is put into the headers as it is. */
async function ask(
  name: string,
  moduleId: string,
  who: { as?: string; token?: string; orgId?: string; orgRole?: string },
) {
  const route = ACCESS[name] as Route
  const { method, path } = pathOf(name, route, moduleId)
  const { token, ...signedIn } = who
  const json =
    route.json === undefined ? undefined : JSON.parse(JSON.stringify(route.json).replaceAll(':moduleId', moduleId))
  const response = await call(path, {
    ...signedIn,
    method,
    headers: { ...route.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    ...(json === undefined ? {} : { json: route.isIdInBody ? { ...json, moduleId } : json }),
    ...(route.body === undefined ? {} : { body: route.body }),
  })
  return { status: response.status, text: await response.text() }
}

/** Without what differs from call to call. */
function sameOf({ status, text }: { status: number; text: string }, moduleId: string) {
  return { status, text: text.replaceAll(moduleId, 'ID').replaceAll(/"requestId":"[^"]*"/g, '"requestId":""') }
}

describe('the matrix of who may do what', () => {
  it('names every route, and no other', () => {
    const { routes } = createApp(() => ({}) as never)
    const served = routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`)
    expect([...new Set(served)].sort()).toEqual(Object.keys(ACCESS).sort())
  })

  it.each(ROUTES)('%s', async (name, { access, ok }) => {
    let planted = await plantTutored({ orgId: ORG })
    for (const caller of EVERYBODY) {
      // What changed a module may have ended it.
      if (access === 'deleter') planted = await plantTutored({ orgId: ORG })
      const { as: owner, moduleId } = planted
      const who = CALLERS[caller]
      const answer = await ask(name, moduleId, who === null ? {} : { ...who, as: who.as === 'owner' ? owner : who.as })
      const refused = who === null ? 401 : 404
      expect(answer.status, `${caller}: ${answer.text.slice(0, 300)}`).toBe(MAY[access].includes(caller) ? ok : refused)
    }
  })
})

describe('a module that is not shared', () => {
  let hidden: ReturnType<typeof plantTutored>
  beforeAll(async () => {
    hidden = plantTutored({ orgId: ORG, shared: false })
    await hidden
  })

  it.each(ROUTES.filter(([, { access }]) => access === 'link' || access === 'viewer'))(
    'is answered by %s as one that does not exist',
    async (name, { access, ok }) => {
      const missing = 'x'.repeat(22)
      const { as: owner, moduleId } = await hidden
      for (const caller of EVERYBODY) {
        const who = CALLERS[caller]
        const signedIn = who === null ? {} : { ...who, as: who.as === 'owner' ? owner : who.as }
        const answer = await ask(name, moduleId, signedIn)
        if (NEEDS_NO_SHARING.includes(caller) && access === 'viewer') expect(answer.status, caller).toBe(ok)
        else if (!NEEDS_NO_SHARING.includes(caller))
          expect(sameOf(answer, moduleId), caller).toEqual(sameOf(await ask(name, missing, signedIn), missing))
      }
    },
  )
})

describe('a module that was deleted', () => {
  const ABOUT_ONE = ROUTES.filter(([, { access }]) => access !== 'anyone' && access !== 'user')
  const LISTS = ROUTES.filter(([name, { access }]) => access === 'user' && name.startsWith('GET '))
  let deleted: { as: string; moduleId: string }
  beforeAll(async () => {
    deleted = await plantTutored({ orgId: ORG })
    await call(`/api/modules/${deleted.moduleId}`, { as: deleted.as, method: 'DELETE' })
  })
  const signInOf = (caller: Caller) => {
    const who = CALLERS[caller]
    return who === null ? {} : { ...who, as: who.as === 'owner' ? deleted.as : who.as }
  }

  it.each(ABOUT_ONE)('is answered by %s as one that does not exist', async (name) => {
    const missing = 'x'.repeat(22)
    // Whoever else may see less of a module than these.
    for (const caller of ['nobody', 'owner', 'operator'] as const) {
      // Those who may restore it: the one thing that is left of it.
      if (name.endsWith('/restore') && MAY.deleter.includes(caller)) continue
      const answer = await ask(name, deleted.moduleId, signInOf(caller))
      const expected = await ask(name, missing, signInOf(caller))
      expect(sameOf(answer, deleted.moduleId), caller).toEqual(sameOf(expected, missing))
    }
  })

  it.each(LISTS)('is not in the answer of %s', async (name) => {
    // Their owner's own, which say that it was deleted.
    const isOwners = name.endsWith('/deleted') || name.endsWith('/export')
    const { status, text } = await ask(name, '', signInOf('owner'))
    expect(status).toBe(200)
    expect(text.includes(deleted.moduleId)).toBe(isOwners)
  })
})

function unsigned(header: unknown, claims: unknown): string {
  const encode = (part: unknown) =>
    encodeBase64Url(new TextEncoder().encode(JSON.stringify(part)).buffer).replaceAll('=', '')
  return `${encode(header)}.${encode(claims)}.`
}

async function badTokens(userId: string): Promise<[string, string][]> {
  const nowS = Math.floor(Date.now() / 1_000)
  const claims = {
    azp: 'http://localhost:8787',
    iss: env.CLERK_ISSUER,
    iat: nowS,
    nbf: nowS,
    exp: nowS + 60,
    sub: userId,
  }
  const whole = await tokenOf(userId)
  const signature = whole.split('.')[2] ?? ''
  return [
    ['expired', await tokenOf(userId, { claims: { exp: nowS - 60 } })],
    ['of another issuer', await tokenOf(userId, { claims: { iss: 'https://elsewhere.test' } })],
    ['for another app', await tokenOf(userId, { claims: { azp: 'https://elsewhere.test' } })],
    ['with algorithm none', unsigned({ alg: 'none', typ: 'JWT' }, claims)],
    ['with a shared secret', `${unsigned({ alg: 'HS256', typ: 'JWT' }, claims)}${signature}`],
    [
      'with a signature of other claims',
      `${unsigned({ alg: 'RS256', typ: 'JWT' }, { ...claims, sub: 'user_x' })}${signature}`,
    ],
    ['that is none', 'nonsense'],
  ]
}

describe('a token that does not hold', () => {
  let tokens: [string, string][]
  let moduleId: string
  beforeAll(async () => {
    const planted = await plantTutored({ orgId: ORG })
    moduleId = planted.moduleId
    tokens = await badTokens(planted.as)
  })

  it.each(ROUTES)('opens nothing at %s', async (name, { readsToken, ok }) => {
    for (const [what, token] of tokens) {
      const answer = await ask(name, moduleId, { token })
      expect(answer.status, `${what}: ${answer.text.slice(0, 300)}`).toBe(readsToken === false ? ok : 401)
    }
  })
})
