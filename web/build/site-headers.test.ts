import { describe, expect, test } from 'vitest'
import { sitePolicy, writeSiteHeaders } from './site-headers.ts'

const KEY = `pk_test_${btoa('clerk.adapt.test$')}`

function sourcesOf(policy: string, directive: string): string[] {
  const found = policy.split('; ').find((each) => each.startsWith(`${directive} `))
  return found?.split(' ').slice(1) ?? []
}

describe('what the app may load', () => {
  test('Clerk comes from the host that the key names', () => {
    const policy = sitePolicy({ publishableKey: KEY, proxyUrl: undefined })
    expect(sourcesOf(policy, 'script-src')).toContain('https://clerk.adapt.test')
    expect(sourcesOf(policy, 'connect-src')).toContain('https://clerk.adapt.test')
  })

  test('a proxy on this origin needs no host, another one its own', () => {
    const here = sitePolicy({ publishableKey: KEY, proxyUrl: '/__clerk' })
    expect(here).not.toContain('clerk.adapt.test')
    const there = sitePolicy({ publishableKey: KEY, proxyUrl: 'https://auth.adapt.test/clerk' })
    expect(sourcesOf(there, 'connect-src')).toContain('https://auth.adapt.test')
  })

  test.each([undefined, '', 'pk_live_nonsense'])('a key like %j opens nothing', (publishableKey) => {
    expect(sourcesOf(sitePolicy({ publishableKey, proxyUrl: undefined }), 'script-src')).toEqual([
      "'self'",
      'https://challenges.cloudflare.com',
      'https://*.protect.clerk.com',
    ])
  })

  test("Clerk's challenges for suspicious sign-ups may come as scripts and frames, and call home on any port", () => {
    const policy = sitePolicy({ publishableKey: KEY, proxyUrl: undefined })
    for (const directive of ['script-src', 'frame-src']) {
      expect(sourcesOf(policy, directive)).toContain('https://*.protect.clerk.com')
    }
    expect(sourcesOf(policy, 'connect-src')).toContain('https://*.protect.clerk.com:*')
  })

  test('no script may stand in a page, and nobody may frame it', () => {
    const policy = sitePolicy({ publishableKey: KEY, proxyUrl: undefined })
    expect(sourcesOf(policy, 'script-src').filter((source) => source.startsWith("'unsafe"))).toEqual([])
    expect(sourcesOf(policy, 'frame-ancestors')).toEqual(["'none'"])
  })
})

test('the file of headers is one rule for every path, and no line is longer than the asset server reads', () => {
  const [rule, ...headers] = writeSiteHeaders({ publishableKey: KEY, proxyUrl: undefined }).trimEnd().split('\n')
  expect(rule).toBe('/*')
  for (const line of headers) {
    expect(line).toMatch(/^ {2}[a-z-]+: \S/)
    expect(line.length).toBeLessThan(2_000)
  }
})
