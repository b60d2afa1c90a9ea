import { describe, expect, it } from 'vitest'
import { authPathTo, dropForeignAddresses, findWantedPath, readOwnPath } from './wanted-path.ts'

const HERE = window.location.origin

/** Ways to write another origin, or no page at all, so that a careless check takes it for a path. */
const FOREIGN = [
  'https://evil.test/training/x',
  '//evil.test',
  '///evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  '/\t/evil.test',
  '/\n/evil.test',
  ' //evil.test',
  '/.//evil.test',
  '/..//evil.test',
  '/./\\evil.test',
  `${HERE}//evil.test`,
  `${HERE}@evil.test/`,
  `${HERE}.evil.test/`,
  'https:evil.test',
  'https:/evil.test',
  'https:\\\\evil.test',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '\u0001javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://evil.test/1',
  'http://[',
  'https://',
]

describe('readOwnPath', () => {
  it.each(FOREIGN)('refuses %j', { tags: 'attack-41' }, (address) => {
    expect(readOwnPath(address)).toBeNull()
  })

  it.each([
    ['/training/abc?seek=12.5#step-2', '/training/abc?seek=12.5#step-2'],
    [`${HERE}/upload`, '/upload'],
    // Encoded, these are letters of a path of ours.
    ['/%2F%2Fevil.test', '/%2F%2Fevil.test'],
    ['/%5Cevil.test', '/%5Cevil.test'],
    ['/debug?back=https://evil.test', '/debug?back=https://evil.test'],
  ])('takes %j', (address, path) => {
    expect(readOwnPath(address)).toBe(path)
  })
})

describe('findWantedPath', () => {
  it('finds the path with its query and hash', () => {
    const page = authPathTo('/sign-up', '/training/abc?seek=7&processing=true#step-1')
    expect(page).toMatch(/^\/sign-up\?redirect_url=/)
    expect(findWantedPath(page.slice('/sign-up'.length))).toBe('/training/abc?seek=7&processing=true#step-1')
  })

  it.each(['', '?redirect_url=', '?redirect_url=%2F', '?redirect_url=%2Fsign-in', '?redirect_url=%2Fsso-callback%3Fa'])(
    'finds none in %j',
    (search) => {
      expect(findWantedPath(search)).toBeNull()
    },
  )
})

describe('dropForeignAddresses', () => {
  const NAMES = [
    'redirect_url',
    'sign_in_force_redirect_url',
    'sign_up_fallback_redirect_url',
    'after_sign_in_url',
    'after_sign_up_url',
  ]
  it.each(NAMES.flatMap((name) => FOREIGN.map((address) => [name, address] as const)))(
    'drops %s=%j',
    { tags: 'attack-41' },
    (name, address) => {
      const search = `?${new URLSearchParams({ [name]: address, __clerk_ticket: 't' })}`
      expect(dropForeignAddresses(search)).toBe('?__clerk_ticket=t')
    },
  )

  it('keeps a query without them as it is', () => {
    const search = '?redirect_url=/training/abc%3Fseek%3D7&sign_in_fallback_redirect_url=%2Fdashboard&other=//x'
    expect(dropForeignAddresses(search)).toBe(search)
  })
})

describe('authPathTo', () => {
  it('says nothing of the page where everybody goes', () => {
    expect(authPathTo('/sign-in', '/dashboard')).toBe('/sign-in')
    expect(authPathTo('/sign-in', null)).toBe('/sign-in')
    expect(authPathTo('/sign-in', '/dashboard?a=1')).toBe('/sign-in?redirect_url=%2Fdashboard%3Fa%3D1')
  })
})
