import { describe, expect, test } from 'vitest'
import { sitePolicy, writeSiteHeaders } from './site-headers.ts'

const PROTECT = 'https://*.protect.clerk.com:*'
const STORAGE = 'https://0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com'
const BUILT = { proxyUrl: undefined, storageUrl: `${STORAGE}/adapt-media` }
const KEY = `pk_test_${btoa('clerk.adapt.test$')}`

function sourcesOf(policy: string, directive: string): string[] {
  const found = policy.split('; ').find((each) => each.startsWith(`${directive} `))
  return found?.split(' ').slice(1) ?? []
}

describe('what the app may load', () => {
  test('the policy allows the Clerk host that the key names', () => {
    const policy = sitePolicy({ ...BUILT, publishableKey: KEY })
    expect(sourcesOf(policy, 'script-src')).toContain('https://clerk.adapt.test')
    expect(sourcesOf(policy, 'connect-src')).toContain('https://clerk.adapt.test')
  })

  test('a proxy on this origin needs no host, another one its own', () => {
    const here = sitePolicy({ ...BUILT, publishableKey: KEY, proxyUrl: '/__clerk' })
    expect(here).not.toContain('clerk.adapt.test')
    const there = sitePolicy({ ...BUILT, publishableKey: KEY, proxyUrl: 'https://auth.adapt.test/clerk' })
    expect(sourcesOf(there, 'connect-src')).toContain('https://auth.adapt.test')
  })

  test.each([undefined, '', 'pk_live_nonsense'])('a key like %j adds no host to the policy', (publishableKey) => {
    expect(sourcesOf(sitePolicy({ ...BUILT, publishableKey }), 'script-src')).toEqual([
      "'self'",
      'https://challenges.cloudflare.com',
      'https://*.protect.clerk.com',
    ])
  })

  test('uploads go to the storage of one account, and on this machine to the page’s own origin [attack 56]', () => {
    const deployed = sourcesOf(sitePolicy({ ...BUILT, publishableKey: KEY }), 'connect-src')
    expect(deployed).toEqual(["'self'", 'https://clerk.adapt.test', PROTECT, STORAGE])
    for (const storageUrl of [undefined, '']) {
      const local = sourcesOf(sitePolicy({ publishableKey: undefined, proxyUrl: undefined, storageUrl }), 'connect-src')
      expect(local).toEqual(["'self'", PROTECT])
    }
  })

  test("Clerk's challenges for suspicious sign-ups may come as scripts and frames, and call home on any port [attack 44]", () => {
    const policy = sitePolicy({ ...BUILT, publishableKey: KEY })
    for (const directive of ['script-src', 'frame-src']) {
      expect(sourcesOf(policy, directive)).toContain('https://*.protect.clerk.com')
    }
    expect(sourcesOf(policy, 'connect-src')).toContain('https://*.protect.clerk.com:*')
  })

  test('the policy allows no inline script and no framing [threat 14]', () => {
    const policy = sitePolicy({ ...BUILT, publishableKey: KEY })
    expect(sourcesOf(policy, 'script-src').filter((source) => source.startsWith("'unsafe"))).toEqual([])
    expect(sourcesOf(policy, 'frame-ancestors')).toEqual(["'none'"])
  })
})

test('the file of headers is one rule for every path, and no line is longer than the asset server reads [threat 16]', () => {
  const [rule, ...headers] = writeSiteHeaders({ ...BUILT, publishableKey: KEY })
    .trimEnd()
    .split('\n')
  expect(rule).toBe('/*')
  for (const line of headers) {
    expect(line).toMatch(/^ {2}[a-z-]+: \S/)
    expect(line.length).toBeLessThan(2_000)
  }
})
