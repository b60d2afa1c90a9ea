import { exports } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { APP_PAGES } from '#contract/app-pages.ts'
import { call } from '#local/testing/api.ts'
import wrangler from '../../wrangler.toml?raw'

vi.spyOn(console, 'log').mockImplementation(() => undefined)

const langOf = async (answer: Response) => /<html lang="(\w+)"/.exec(await answer.text())?.[1]

describe("the app's pages", () => {
  it.each([
    ['', 'en'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['nl, pl;q=0.5', 'pl'],
    ['nl', 'en'],
  ])('are in the language of a browser that reads %j: %s', async (accepted, tag) => {
    for (const path of ['/', '/kept', '/dashboard', '/training/abc']) {
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

  it('reach the worker before the asset server', () => {
    for (const page of APP_PAGES) expect(wrangler).toContain(`"${page}"`)
  })
})
