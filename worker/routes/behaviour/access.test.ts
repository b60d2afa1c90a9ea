// Behaviour: who may call each route, and what a stranger, another owner or a deleted module gets.
import { env } from 'cloudflare:workers'
import { encodeBase64Url } from 'hono/utils/encode'
import { beforeAll, describe, expect, it } from 'vitest'
import { UNPUBLISHED } from '#contract/module.ts'
import { call } from '#local/testing/api.ts'
import { tokenOf } from '#local/testing/sign-in.ts'
import { seedCollection, seedEditor, seedPerson, seedTutored } from '#local/testing/tutored.ts'
import { CALLERS, EVERY_CALLER, MAY, NEEDS_NO_SHARING, ORG, type Who, whoIs } from '../testing/access-callers.ts'
import { answerTo, requestFor, sameOf } from '../testing/ask-route.ts'
import { isOpen } from '../testing/route-row.ts'
import { ROUTES as TABLE } from '../testing/route-table.ts'

const ROUTES = Object.entries(TABLE)

/** A module with a collection, which is hidden as its module is, a person, a group and an assignment with its id. */
async function seedBoth(fields: { orgId: string; shared?: boolean; publishedVersion?: number }) {
  const planted = await seedTutored(fields)
  const shared = fields.shared ?? fields.publishedVersion !== UNPUBLISHED
  await seedCollection(planted.as, planted.moduleId, { ...fields, shared })
  await seedPerson(fields.orgId, planted.moduleId)
  await seedEditor(planted.moduleId, CALLERS.invited.as)
  return planted
}

async function ask(name: string, moduleId: string, who: Who) {
  const { path, options } = requestFor(name, moduleId, who)
  return answerTo(await call(path, options))
}

describe('who may do what', () => {
  let looked: ReturnType<typeof seedBoth>
  beforeAll(async () => {
    looked = seedBoth({ orgId: ORG })
    await looked
  })
  it.each(ROUTES)(
    'who may do what: %s',
    { tags: ['guarantee-G8', 'threat-1', 'spec-6.4'] },
    async (name, { access, ok = 200 }) => {
      // Looking at a module leaves it as it was.
      let planted = name.startsWith('GET ') ? await looked : await seedBoth({ orgId: ORG })
      for (const caller of EVERY_CALLER) {
        const { as: owner, moduleId } = planted
        const answer = await ask(name, moduleId, whoIs(caller, owner))
        const refused = CALLERS[caller] === null ? 401 : 404
        const may = MAY[access].includes(caller)
        expect(answer.status, `${caller}: ${answer.text.slice(0, 300)}`).toBe(may ? ok : refused)
        // Who may has changed the module, and may have ended it; who is refused has left it to the next as it was.
        if (may && (access === 'deleter' || access === 'manager')) planted = await seedBoth({ orgId: ORG })
      }
    },
  )
})

describe.each([
  ['that is not shared', { shared: false }],
  ['that waits for its first version', { publishedVersion: UNPUBLISHED }],
])('a module %s', (_which, fields) => {
  let hidden: ReturnType<typeof seedBoth>
  beforeAll(async () => {
    hidden = seedBoth({ orgId: ORG, ...fields })
    await hidden
  })

  it.each(ROUTES.filter(([, { access }]) => access === 'link' || access === 'viewer'))(
    'is answered by %s as one that does not exist',
    { tags: ['guarantee-G8', 'fault-44'] },
    async (name, { access, ok = 200 }) => {
      const missing = 'x'.repeat(22)
      const { as: owner, moduleId } = await hidden
      for (const caller of EVERY_CALLER) {
        const signedIn = whoIs(caller, owner)
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
    deleted = await seedBoth({ orgId: ORG })
    const byAdmin = { as: deleted.as, orgId: ORG, orgRole: 'org:admin', method: 'DELETE' }
    for (const noun of ['collections', 'modules']) await call(`/api/${noun}/${deleted.moduleId}`, byAdmin)
  })

  it.each(ABOUT_ONE)(
    'is answered by %s as one that does not exist',
    { tags: ['guarantee-G8', 'fault-44', 'spec-1.2'] },
    async (name) => {
      const missing = 'x'.repeat(22)
      // Other callers may see no more of a module than these.
      for (const caller of ['anonymous', 'owner', 'operator'] as const) {
        // Those who may restore it: the one thing that is left of it.
        if (name.endsWith('/restore') && MAY.deleter.includes(caller)) continue
        const answer = await ask(name, deleted.moduleId, whoIs(caller, deleted.as))
        const expected = await ask(name, missing, whoIs(caller, deleted.as))
        expect(sameOf(answer, deleted.moduleId), caller).toEqual(sameOf(expected, missing))
      }
    },
  )

  it.each(LISTS)('is not in the answer of %s', async (name) => {
    // Their owner's own, which say that it was deleted.
    const isOwners = name.endsWith('/deleted') || name.endsWith('/export')
    const { status, text } = await ask(name, '', whoIs('owner', deleted.as))
    expect(status).toBe(200)
    expect(text.includes(deleted.moduleId)).toBe(isOwners)
  })
})

function unsigned(header: unknown, claims: unknown): string {
  const encode = (part: unknown) =>
    encodeBase64Url(new TextEncoder().encode(JSON.stringify(part)).buffer).replaceAll('=', '')
  return `${encode(header)}.${encode(claims)}.`
}

/** Signed as the instance would, with a key that is not its own. */
async function signElsewhere(header: unknown, claims: unknown): Promise<string> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const exponent = new Uint8Array([1, 0, 1])
  const made = await crypto.subtle.generateKey({ ...algorithm, modulusLength: 2048, publicExponent: exponent }, true, [
    'sign',
    'verify',
  ])
  const content = unsigned(header, claims).slice(0, -1)
  const { privateKey } = made as CryptoKeyPair
  const signature = await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(content))
  return `${content}.${encodeBase64Url(signature).replaceAll('=', '')}`
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
    ['for another audience', await tokenOf(userId, { claims: { aud: 'https://elsewhere.test' } })],
    ['of another key', await signElsewhere({ alg: 'RS256', typ: 'JWT', kid: 'ins_local' }, claims)],
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
    const planted = await seedBoth({ orgId: ORG })
    moduleId = planted.moduleId
    tokens = await badTokens(planted.as)
  })

  const readsToken = (row: (typeof ROUTES)[number][1]) => row.readsToken ?? !isOpen(row)

  it('opens nothing, whatever is wrong with it', { tags: ['fault-39', 'threat-2'] }, async () => {
    for (const [what, token] of tokens) {
      expect((await ask('GET /api/modules', moduleId, { token })).status, what).toBe(401)
    }
  })

  // All routes have the same reader of tokens: each gets one of them, in turn.
  it.each(ROUTES.map(([name, row], at) => ({ name, row, at })))(
    'opens nothing at $name',
    { tags: ['fault-39', 'threat-2'] },
    async ({ name, row, at }) => {
      const [what, token] = tokens[at % tokens.length] ?? ['', '']
      const answer = await ask(name, moduleId, { token })
      expect(answer.status, `${what}: ${answer.text.slice(0, 300)}`).toBe(readsToken(row) ? 401 : (row.ok ?? 200))
    },
  )
})
