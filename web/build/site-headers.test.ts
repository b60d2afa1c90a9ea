import { describe, expect, test } from 'vitest'
import EARLY from '../public/early.js?raw'
import { earlyClerkTag, sitePolicy, writeSiteHeaders } from './site-headers.ts'

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

  test('uploads go to the storage of one account, and on this machine to the page’s own origin', {
    tags: 'attack-56',
  }, () => {
    const deployed = sourcesOf(sitePolicy({ ...BUILT, publishableKey: KEY }), 'connect-src')
    expect(deployed).toEqual(["'self'", 'https://clerk.adapt.test', PROTECT, STORAGE])
    for (const storageUrl of [undefined, '']) {
      const local = sourcesOf(sitePolicy({ publishableKey: undefined, proxyUrl: undefined, storageUrl }), 'connect-src')
      expect(local).toEqual(["'self'", PROTECT])
    }
  })

  test("Clerk's challenges for suspicious sign-ups may come as scripts and frames, and call home on any port", {
    tags: 'attack-44',
  }, () => {
    const policy = sitePolicy({ ...BUILT, publishableKey: KEY })
    for (const directive of ['script-src', 'frame-src']) {
      expect(sourcesOf(policy, directive)).toContain('https://*.protect.clerk.com')
    }
    expect(sourcesOf(policy, 'connect-src')).toContain('https://*.protect.clerk.com:*')
  })

  test('the policy allows no inline script and no framing', { tags: 'threat-14' }, () => {
    const policy = sitePolicy({ ...BUILT, publishableKey: KEY })
    expect(sourcesOf(policy, 'script-src').filter((source) => source.startsWith("'unsafe"))).toEqual([])
    expect(sourcesOf(policy, 'frame-ancestors')).toEqual(["'none'"])
  })
})

const FILES = [
  { name: 'workspace', fileName: 'assets/workspace-1.js' },
  { name: 'workspace', fileName: 'assets/workspace-1.css' },
  { name: 'account', fileName: 'assets/account-2.js' },
  { name: 'pages', fileName: 'assets/pages-4.js' },
  { name: 'landing-page', fileName: 'assets/landing-page-3.js' },
]

/** The header lines of each rule of the file, by its path. */
function readRules(settings: Parameters<typeof sitePolicy>[0], files = FILES): Map<string, string[]> {
  const rules = new Map<string, string[]>()
  let path = ''
  for (const line of writeSiteHeaders(settings, files).trimEnd().split('\n')) {
    if (line.startsWith('/')) rules.set((path = line), [])
    else rules.get(path)?.push(line)
  }
  return rules
}

const linksOf = (rules: Map<string, string[]>, path: string) =>
  rules.get(path)?.flatMap((line) => line.replace('  link: ', '').split(', ')) ?? []

describe('the file of headers', () => {
  test('has one rule for every path, and no line is longer than the asset server reads', { tags: 'threat-16' }, () => {
    const rules = readRules({ ...BUILT, publishableKey: KEY })
    expect([...rules.keys()][0]).toBe('/*')
    expect(rules.get('/*')?.join('\n')).toContain('content-security-policy: ')
    for (const line of [...rules.values()].flat()) {
      expect(line).toMatch(/^ {2}([a-z-]+: \S|! [a-z-]+$)/)
      expect(line.length).toBeLessThan(2_000)
    }
  })

  test('lets WebAssembly run in the workers that read picked files and screens, and on no page', {
    tags: 'threat-14',
  }, () => {
    const rules = readRules({ ...BUILT, publishableKey: KEY })
    const allowing = [...rules].filter(([, lines]) => lines.join().includes('wasm-unsafe-eval'))
    // Cloudflare puts the value of a second rule behind that of the first, unless it is taken away before.
    expect(allowing).toEqual([
      [
        '/assets/file.worker-*',
        [
          '  ! content-security-policy',
          "  content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:",
        ],
      ],
      [
        '/assets/tesseract-7.0.0/worker.min.js',
        [
          '  ! content-security-policy',
          "  content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
        ],
      ],
    ])
  })

  test("asks for Clerk's script, at its own host, and for the chunks that every page of a signed-in person loads", () => {
    const rules = readRules({ ...BUILT, publishableKey: KEY })
    for (const path of ['/dashboard', '/upload', '/training/*', '/edit-steps/*', '/account', '/debug']) {
      expect(linksOf(rules, path)).toEqual([
        expect.stringMatching(
          /^<https:\/\/clerk\.adapt\.test\/npm\/@clerk\/clerk-js@\d+\/dist\/clerk\.browser\.js>; rel=preload; as=script; crossorigin=anonymous$/,
        ),
        '</assets/workspace-1.js>; rel=modulepreload; crossorigin=anonymous',
        '</assets/account-2.js>; rel=modulepreload; crossorigin=anonymous',
        '</assets/pages-4.js>; rel=modulepreload; crossorigin=anonymous',
      ])
    }
  })

  test('asks for the script behind a proxy', () => {
    const rules = readRules({ ...BUILT, publishableKey: KEY, proxyUrl: '/__clerk' })
    expect(linksOf(rules, '/dashboard')[0]).toMatch(/^<\/__clerk\/npm\/@clerk\/clerk-js@\d+\//)
  })

  test('asks for nothing on the landing page, which is drawn first', () => {
    const rules = readRules({ ...BUILT, publishableKey: KEY })
    expect(rules.has('/')).toBe(false)
    expect(rules.get('/*')?.join()).not.toContain('link: ')
  })

  test('refuses a build in which a chunk is missing', () => {
    expect(() => readRules({ ...BUILT, publishableKey: KEY }, FILES.slice(0, 3))).toThrow('account, workspace, pages')
  })

  test.each([undefined, '', 'pk_live_nonsense'])('names nothing for the key %j, with which no sign-in works', (key) => {
    expect([...readRules({ ...BUILT, publishableKey: key }).keys()]).toEqual([
      '/*',
      '/assets/file.worker-*',
      '/assets/tesseract-7.0.0/worker.min.js',
    ])
  })
})

describe("the tag that begins Clerk's script", () => {
  /** Runs the script of the tag on a page of this address; gives the script that it adds, or null. */
  function runTag(pathname: string, settings = { ...BUILT, publishableKey: KEY }) {
    const tag = document.createElement('script')
    for (const [name, value] of Object.entries(earlyClerkTag(settings) ?? {})) tag.setAttribute(name, String(value))
    const added: HTMLScriptElement[] = []
    const page = {
      currentScript: tag,
      createElement: () => document.createElement('script'),
      head: { append: (script: HTMLScriptElement) => added.push(script) },
    }
    // oxlint-disable-next-line typescript/no-implied-eval -- a file of our own, run as the browser runs it
    new Function('document', 'location', EARLY)(page, { pathname })
    return added[0] ?? null
  }

  test.each(['/dashboard', '/upload', '/training/m1/questions', '/edit-steps/m1'])('adds it on %s', (path) => {
    const script = runTag(path)
    expect(script?.src).toMatch(/^https:\/\/clerk\.adapt\.test\/npm\/@clerk\/clerk-js@\d+\/dist\/clerk\.browser\.js$/)
    expect(script?.crossOrigin).toBe('anonymous')
    // So that Clerk's React package finds it instead of adding another.
    expect(script?.matches('script[data-clerk-js-script]')).toBe(true)
  })

  test.each(['/', '/sign-in', '/sign-up/verify', '/trainings'])('adds nothing on %s', (path) => {
    expect(runTag(path)).toBeNull()
  })

  test("carries what Clerk's script reads", () => {
    const proxied = earlyClerkTag({ ...BUILT, publishableKey: KEY, proxyUrl: '/__clerk' })
    expect(proxied).toMatchObject({ 'data-clerk-publishable-key': KEY, 'data-clerk-proxy-url': '/__clerk' })
    expect(earlyClerkTag({ ...BUILT, publishableKey: KEY })).not.toHaveProperty('data-clerk-proxy-url')
  })

  test.each([undefined, '', 'pk_live_nonsense'])('is not there for the key %j', (publishableKey) => {
    expect(earlyClerkTag({ ...BUILT, publishableKey })).toBeNull()
  })
})
