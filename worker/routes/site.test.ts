import { exports } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { APP_PAGES } from '#contract/app-pages.ts'
import { call } from '#local/testing/api.ts'
import wrangler from '../../wrangler.toml?raw'

vi.spyOn(console, 'log').mockImplementation(() => undefined)

const PUBLIC_FILES = Object.keys(
  import.meta.glob('../../web/public/**/*', { query: '?inline', import: 'default', eager: true }),
).map((path) => path.replace('../../web/public', ''))
const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  exports.default.fetch(`http://localhost:8787${path}`, {
    method,
    redirect: 'manual',
    headers: { accept: HTML, ...headers },
  })

const langOf = async (answer: Response) => /<html lang="(\w+)"/.exec(await answer.text())?.[1]

describe("the app's pages", () => {
  it.each([
    ['', 'en'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['nl, pl;q=0.5', 'pl'],
    ['nl', 'en'],
  ])("the app's pages are in the language of a browser that reads %j: %s", async (accepted, tag) => {
    for (const path of ['/', '/kept', '/dashboard', '/training/abc', '/sso-callback', '/test-spinner']) {
      const answer = await call(path, { headers: { 'accept-language': accepted } })
      expect(answer.headers.get('vary')).toBe('accept-language, cookie')
      expect(await langOf(answer)).toBe(tag)
    }
  })

  it('keep a language that was chosen, under the same address', async () => {
    const chosen = await exports.default.fetch('http://localhost:8787/training/abc?t=5&lang=zh', { redirect: 'manual' })
    expect(chosen.status).toBe(302)
    expect(chosen.headers.get('location')).toBe('/training/abc?t=5')
    const cookie = chosen.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^adapt_lang=zh; /)
    expect(await langOf(await call('/training/abc', { headers: { cookie: cookie.split(';')[0] ?? '' } }))).toBe('zh')
  })

  it('reach the worker before the asset server, as everything does but the files that are no pages', () => {
    const rules = /^run_worker_first = (\[[^\]]*\])/m.exec(wrangler)?.[1]?.replace(/,\s*\]/, ']') ?? '[]'
    const [first, ...rest] = JSON.parse(rules) as string[]
    expect(first).toBe('/*')
    const patterns = rest.map((rule) => new RegExp(`^${rule.slice(1).replaceAll('.', '\\.').replaceAll('*', '.*')}$`))
    const isFile = (path: string) => patterns.some((pattern) => pattern.test(path))
    for (const file of PUBLIC_FILES) expect([file, isFile(file)]).toEqual([file, true])
    for (const page of [...APP_PAGES, '/share/x', '/embed/x', '/assets/x.js', '/api/x'])
      expect(isFile(page)).toBe(false)
  })
})

describe('an address that nothing has', () => {
  const UNKNOWN = ['/nothing', '/nothing/here.txt', '/de/share', '/share.html', '/trainings', '/media', '/media/x/y/z']

  it.each(UNKNOWN)('shows people the landing page in their language: %s', { tags: 'spec-2.1' }, async (path) => {
    for (const tag of ['en', 'de', 'ar']) {
      const answer = await ask(path, { 'accept-language': tag })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(answer.headers.get('vary')).toBe('accept-language, cookie')
      const html = await answer.text()
      expect(/<html lang="(\w+)"/.exec(html)?.[1]).toBe(tag)
      expect(html).toContain('id="root"')
    }
    expect((await ask(path, { accept: '*/*' })).status).toBe(200)
    expect((await ask(path, {}, 'HEAD')).status).toBe(200)
  })

  it.each(UNKNOWN)('is JSON to programs, and for what is not read: %s', async (path) => {
    const answers = [await ask(path, { accept: 'application/json' }), await ask(path, {}, 'POST')]
    for (const answer of answers)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
  })

  it.each(['/api', '/api/nothing', '/api/modules/x/y/z'])('is JSON to everybody in the API: %s', async (path) => {
    const answer = await ask(path)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
  })
})

describe('a slash at the end of an address', () => {
  it.each([
    ['/dashboard/', '/dashboard'],
    ['/training/abc//?seek=5&x=%2F', '/training/abc?seek=5&x=%2F'],
    ['/nothing/?lang=de', '/nothing?lang=de'],
    ['//evil.test/', '//evil.test'],
    ['/\\evil.test/', '//evil.test'],
  ])('%s leads to the address without the slash at its end, on this site', async (path, to) => {
    const answer = await ask(path)
    expect([answer.status, answer.headers.get('location')]).toEqual([301, `http://localhost:8787${to}`])
  })

  it('stays in the API, where nothing is at such an address, and for what is not read', async () => {
    expect((await ask('/api/health/')).status).toBe(404)
    expect((await ask('/dashboard/', {}, 'POST')).status).toBe(404)
    expect((await ask('/')).status).toBe(200)
  })
})
