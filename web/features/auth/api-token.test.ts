import { ClerkAPIResponseError } from '@clerk/react/errors'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Done } from '#contract/module.ts'
import { callWithToken } from './api-provider.tsx'
import { type GetToken, getApiToken } from './api-token.ts'

/** A server that knows one token. */
function serve(goodToken: string) {
  const seen: (string | null)[] = []
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    const header = new Headers(init.headers).get('authorization')
    seen.push(header)
    return new Response('{"success":true}', { status: header === `Bearer ${goodToken}` ? 200 : 401 })
  })
  return seen
}

afterEach(() => vi.unstubAllGlobals())

describe('callWithToken', () => {
  it('sends the token', { tags: 'spec-6.5' }, async () => {
    const seen = serve('good')
    await callWithToken(async () => 'good')({ path: '/api/x', schema: Done })
    expect(seen).toEqual(['Bearer good'])
  })

  it('asks for a new token once when the one in memory has expired', { tags: 'fault-39' }, async () => {
    const seen = serve('new')
    const getToken: GetToken = async ({ skipCache }) => (skipCache ? 'new' : 'old')
    await callWithToken(getToken)({ path: '/api/x', schema: Done })
    expect(seen).toEqual(['Bearer old', 'Bearer new'])
  })

  it('gives up when the new token is refused too', async () => {
    const seen = serve('other')
    const call = callWithToken(async () => 'bad')({ path: '/api/x', schema: Done })
    await expect(call).rejects.toMatchObject({ status: 401 })
    expect(seen).toHaveLength(2)
  })

  it('does not retry a 401 for a visitor who is not signed in', async () => {
    const seen = serve('good')
    await expect(callWithToken(async () => null)({ path: '/api/x', schema: Done })).rejects.toMatchObject({
      status: 401,
    })
    expect(seen).toEqual([null])
  })

  it('calls it a lost connection when Clerk cannot be asked', async () => {
    serve('good')
    const getToken: GetToken = async () => {
      throw new Error('clerk_offline')
    }
    await expect(callWithToken(getToken)({ path: '/api/x', schema: Done })).rejects.toMatchObject({ code: 'network' })
  })
})

describe('getApiToken', () => {
  const failure = (status: number) => new ClerkAPIResponseError('no', { status, data: [] })

  it('asks for the template, and for the session token from when Clerk has said that there is none', async () => {
    const asked: (string | undefined)[] = []
    let status = 503
    const getToken = async ({ template }: { template?: string }) => {
      asked.push(template)
      if (template === undefined) return 'session'
      throw failure(status)
    }
    await expect(getApiToken(getToken)).rejects.toMatchObject({ status: 503 })
    expect(await getApiToken(async ({ template }) => template ?? null)).toBe('api')
    status = 404
    expect(await getApiToken(getToken)).toBe('session')
    expect(await getApiToken(getToken, { skipCache: true })).toBe('session')
    expect(asked).toEqual(['api', 'api', undefined, undefined])
  })
})
