import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { clerkIdentity } from './clerk-identity.ts'
import { encodeBase64Url, encodeJson, encodeText, makeSigner, RS256_HEADER, type Signer } from './testing/signer.ts'

const ISSUER = 'https://clerk.adapt.test'
const ORIGIN = 'https://adapt.test'
const NOW_S = Math.floor(Date.now() / 1000)

let ours: Signer

beforeAll(async () => {
  ours = await makeSigner()
})

function claims(changes: Record<string, unknown> = {}) {
  return { azp: ORIGIN, iss: ISSUER, sub: 'user_1', iat: NOW_S, nbf: NOW_S, exp: NOW_S + 60, ...changes }
}

function identity(pem = ours.pem) {
  return clerkIdentity({ jwtKey: async () => pem, issuer: ISSUER, authorizedParties: ['https://other.test', ORIGIN] })
}

async function verify(changes: Record<string, unknown>, header?: unknown) {
  return identity().verify(await ours.sign(claims(changes), header))
}

describe('clerkIdentity', () => {
  it('reads the user of a token without an organization', async () => {
    expect(await verify({})).toEqual({ userId: 'user_1', orgId: null, orgRole: null, orgPermissions: [] })
  })

  it('reads the organization of a template token', { tags: 'spec-6.6' }, async () => {
    const org = { org_id: 'org_1', org_role: 'org:admin', org_permissions: ['org:videos:read'] }
    const caller = await verify({ ...org, email: 'a@b.test' })
    const orgPermissions = ['org:videos:read']
    expect(caller).toEqual({ userId: 'user_1', orgId: 'org_1', orgRole: 'org:admin', orgPermissions })
    expect(await verify({ ...org, org_permissions: 'all' })).toMatchObject({ orgId: 'org_1', orgPermissions: [] })
  })

  it('gives the role of a session token its prefix', async () => {
    const caller = await verify({ v: 2, sts: 'active', o: { id: 'org_1', rol: 'admin', slg: 'one' } })
    expect(caller).toEqual({ userId: 'user_1', orgId: 'org_1', orgRole: 'org:admin', orgPermissions: [] })
  })

  it.each([
    ['of a first factor', [7, -1], { verifiedMinutesAgo: 7 }],
    ['of this minute', [0, 3], { verifiedMinutesAgo: 0 }],
    ['of a second factor alone', [-1, 3], {}],
    ['of another shape', 7, {}],
  ])('reads when a factor was verified last: %s', async (_, fva, read) => {
    const caller = await verify({ v: 2, fva })
    expect(caller).toEqual({ userId: 'user_1', orgId: null, orgRole: null, orgPermissions: [], ...read })
  })

  it('unpacks the permissions of a session token', { tags: 'spec-6.6' }, async () => {
    const o = { id: 'org_1', rol: 'admin', per: 'manage,read', fpm: '3,2' }
    const caller = await verify({ v: 2, fea: 'o:dash,u:notes,o:videos', o })
    expect(caller?.orgPermissions).toEqual(['org:dash:manage', 'org:dash:read', 'org:videos:read'])
  })

  it.each([
    ['that is missing', {}, true],
    ['of this app', { aud: ORIGIN }, true],
    ['of several, with this app', { aud: ['https://x.test', ORIGIN] }, true],
    ['of another app', { aud: 'https://x.test' }, false],
    ['of none of several', { aud: [] }, false],
  ])('takes a token for the audience %s: %o %s', async (_, aud, isTaken) => {
    expect((await verify(aud)) !== null).toBe(isTaken)
  })

  it.each([
    ['null', { org_id: null, org_role: null }],
    ['empty', { org_id: '', org_role: '' }],
    ['an unresolved shortcode', { org_id: '{{org.id}}', org_role: '{{org.role}}' }],
    ['a number', { org_id: 7, org_role: 7 }],
    ['a role alone', { org_role: 'org:admin' }],
  ])('takes an organization that is %s for none', async (_, org) => {
    expect(await verify(org)).toEqual({ userId: 'user_1', orgId: null, orgRole: null, orgPermissions: [] })
  })

  it('accepts a key whose line breaks are written as \\n', async () => {
    const token = await ours.sign(claims())
    expect(await identity(ours.pem.replaceAll('\n', '\\n')).verify(token)).not.toBeNull()
  })

  it.each([
    ['expired longer ago than clocks may differ', { exp: NOW_S - 10 }],
    ['of a clock that is ten minutes behind', { iat: NOW_S - 660, nbf: NOW_S - 660, exp: NOW_S - 600 }],
    ['of a clock that is ten minutes ahead', { iat: NOW_S + 600, nbf: NOW_S + 600, exp: NOW_S + 660 }],
    ['not valid yet', { nbf: NOW_S + 60 }],
    ['without an end', { exp: undefined }],
    ['for another app', { azp: 'https://evil.test' }],
    ['without an app', { azp: undefined }],
    ['of another issuer', { iss: 'https://evil.test' }],
    ['without an issuer', { iss: undefined }],
    ['without a user', { sub: undefined }],
  ])('refuses a token %s', { tags: ['fault-39', 'threat-2'] }, async (_, changes) => {
    expect(await verify(changes)).toBeNull()
  })

  it('says of a session that still has a task to do what to do, and only of a token that is ours', async () => {
    await expect(verify({ sts: 'pending' })).rejects.toMatchObject({
      code: 'sign_in_incomplete',
      message: expect.stringContaining('an organization to choose'),
    })
    for (const foreign of [{ iss: 'https://evil.test' }, { azp: 'https://evil.test' }, { aud: 'https://x.test' }]) {
      expect(await verify({ sts: 'pending', ...foreign })).toBeNull()
    }
  })

  it('accepts a token that expired within the difference of two clocks', { tags: 'fault-39' }, async () => {
    expect(await verify({ exp: NOW_S - 2 })).not.toBeNull()
  })

  it('accepts a token of a clock that is some seconds ahead', { tags: 'fault-39' }, async () => {
    expect(await verify({ iat: NOW_S + 4, nbf: NOW_S + 4, exp: NOW_S + 64 })).not.toBeNull()
  })

  it.each([
    ['no algorithm', { alg: 'none', typ: 'JWT' }],
    ['another RSA algorithm', { alg: 'RS512', typ: 'JWT' }],
    ['another type', { alg: 'RS256', typ: 'at+jwt' }],
    ['no fields', null],
  ])('refuses a header with %s', { tags: 'fault-39' }, async (_, header) => {
    expect(await verify({}, header)).toBeNull()
  })

  it('refuses an unsigned token', { tags: ['fault-39', 'threat-2'] }, async () => {
    expect(await identity().verify(`${encodeJson({ alg: 'none', typ: 'JWT' })}.${encodeJson(claims())}.`)).toBeNull()
    expect(await identity().verify(`${encodeJson(RS256_HEADER)}.${encodeJson(claims())}.`)).toBeNull()
  })

  it('refuses the public key used as a shared secret', { tags: ['fault-39', 'threat-2'] }, async () => {
    const secret = new TextEncoder().encode(ours.pem)
    const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    const content = `${encodeJson({ alg: 'HS256', typ: 'JWT' })}.${encodeJson(claims())}`
    const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(content))
    expect(await identity().verify(`${content}.${encodeBase64Url(signature)}`)).toBeNull()
  })

  it('refuses a token signed with another key', { tags: 'fault-39' }, async () => {
    const theirs = await makeSigner()
    expect(await identity().verify(await theirs.sign(claims()))).toBeNull()
  })

  it('refuses a token signed with another hash', async () => {
    const theirs = await makeSigner({ hash: 'SHA-512' })
    expect(await identity(theirs.pem).verify(await theirs.sign(claims(), { alg: 'RS512', typ: 'JWT' }))).toBeNull()
  })

  it('refuses claims changed after signing', async () => {
    const [header, , signature] = (await ours.sign(claims())).split('.')
    expect(await identity().verify(`${header}.${encodeJson(claims({ sub: 'user_2' }))}.${signature}`)).toBeNull()
  })

  it('answers null for anything that is not a token', async () => {
    const text = fc.oneof(fc.string(), fc.tuple(fc.json(), fc.json(), fc.string()).map(asToken))
    await fc.assert(
      fc.asyncProperty(text, async (token) => {
        expect(await identity().verify(token)).toBeNull()
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['the key', { jwtKey: async () => '' }],
    ['the issuer', { issuer: '' }],
    ['the accepted origins', { authorizedParties: [] }],
  ])('throws while %s is not set, so that no check is skipped', { tags: 'threat-2' }, async (_, missing) => {
    const settings = { jwtKey: async () => ours.pem, issuer: ISSUER, authorizedParties: [ORIGIN], ...missing }
    await expect(clerkIdentity(settings).verify(await ours.sign(claims()))).rejects.toThrow('Sign-in is not set up')
  })

  it('passes on that the key could not be read', async () => {
    const broken = clerkIdentity({
      jwtKey: async () => {
        throw new Error('no database')
      },
      issuer: ISSUER,
      authorizedParties: [ORIGIN],
    })
    await expect(broken.verify('a.b.c')).rejects.toThrow('no database')
  })
})

function asToken([header, payload, signature]: [string, string, string]): string {
  return [header, payload, signature].map(encodeText).join('.')
}
