import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { openSignedUpBrowser } from '../testing/test-browser.ts'
import { forgetSigningKey, signToken, standInJwtKey } from './tokens.ts'

describe('standInJwtKey', () => {
  it('is made once, however many ask first', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => standInJwtKey(env.DB)))
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^-----BEGIN PUBLIC KEY-----\n[^]+\n-----END PUBLIC KEY-----\n$/)
  })

  it('stays the same while accounts are made', async () => {
    const before = await standInJwtKey(env.DB)
    await openSignedUpBrowser()
    expect(await standInJwtKey(env.DB)).toBe(before)
    // As in the next process.
    forgetSigningKey()
    expect(await standInJwtKey(env.DB)).toBe(before)
  })

  it('is looked up once, and not for every request', async () => {
    await standInJwtKey(env.DB)
    const prepare = vi.spyOn(env.DB, 'prepare')
    await Promise.all([standInJwtKey(env.DB), signToken(env.DB, { sub: 'user_a' })])
    expect(prepare).not.toHaveBeenCalled()
    prepare.mockRestore()
  })
})
