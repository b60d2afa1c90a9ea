// Behaviour: addresses that lead nowhere, and slashes at their end.
import { env, exports } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it, vi } from 'vitest'
import type { SharePageData } from '#contract/share-page.ts'
import { seedModule } from '#local/testing/modules.ts'

vi.spyOn(console, 'log').mockImplementation(() => undefined)

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

function ask(path: string, { method = 'GET', ...headers }: Record<string, string> = {}): Promise<Response> {
  const init = { method, redirect: 'manual', headers: { accept: HTML, ...headers } } as const
  return exports.default.fetch(`http://localhost:8787${path}`, init)
}

async function seedShared(): Promise<string> {
  const { id } = await seedModule({ status: 'READY', durationMs: 60_000 })
  return id
}

function dataOf(html: string): SharePageData {
  const [, json = ''] = /id="share-data">(.*?)<\/script>/s.exec(html) ?? []
  return JSON.parse(json) as SharePageData
}

const MISSING = [
  ['/share', 'page'],
  ['/share/', 'page'],
  ['/share/ID/x', 'page'],
  ['/share/ID/x/y', 'page'],
  ['/share/ID/steps.txt', 'page'],
  ['/share/c', 'page'],
  ['/share/c/ID/x', 'page'],
  ['/share/UNKNOWN', 'page'],
  ['/share/UNKNOWN/steps.md', 'page'],
  ['/share/UNKNOWN/captions.srt', 'page'],
  ['/share/UNKNOWN/images/poster', 'page'],
  ['/share/UNKNOWN/video', 'page'],
  ['/share/UNKNOWN/print', 'page'],
  ['/embed', 'embed'],
  ['/embed/', 'embed'],
  ['/embed/ID/x', 'embed'],
  ['/embed/UNKNOWN', 'embed'],
] as const

async function pathOf(template: string): Promise<string> {
  return template.replace('ID', await seedShared()).replace('UNKNOWN', nanoid(22))
}

describe('an address below /share and /embed where nothing is', () => {
  it.each(MISSING)(
    'says so to people, on a page in their language: %s',
    { tags: 'spec-2.29' },
    async (template, look) => {
      const path = await pathOf(template)
      for (const tag of ['en', 'de', 'ar']) {
        const answer = await ask(path, { 'accept-language': tag })
        const { headers } = answer
        expect([answer.status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
        expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
          'no-store',
          expect.stringContaining('accept-language'),
        ])
        const mayFrame = look === 'embed' ? 'frame-ancestors *' : "frame-ancestors 'none'"
        expect(headers.get('content-security-policy')).toContain(mayFrame)
        const html = await answer.text()
        expect(/<html lang="(\w+)"/.exec(html)?.[1]).toBe(tag)
        expect(dataOf(html)).toEqual({ module: null, status: 404, look })
      }
      expect((await ask(path, { accept: '*/*' })).headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect((await ask(path, { method: 'HEAD' })).status).toBe(404)
    },
  )

  it.each(MISSING)('says so to programs in JSON: %s', async (template) => {
    const path = await pathOf(template)
    const answer = await ask(path, { accept: 'application/json' })
    if (answer.headers.get('content-type') === 'text/html; charset=utf-8')
      // These are pages for programs, too.
      expect(template).toMatch(/print$|^\/embed\/UNKNOWN$/)
    else expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.status).toBe(404)
    const written = await ask(path, { method: 'POST' })
    expect([written.status, written.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
  })

  it('reads nothing of the database for addresses that no module can have', async () => {
    const prepare = vi.spyOn(env.DB, 'prepare')
    await (await ask('/share/')).body?.cancel()
    await (await ask('/embed/x/y')).body?.cancel()
    expect(prepare).not.toHaveBeenCalled()
    prepare.mockRestore()
  })
})

describe('a slash at the end of an address', () => {
  it.each([
    ['/share/ID/', '/share/ID'],
    ['/share/ID/?t=5&lang=de', '/share/ID?t=5&lang=de'],
    ['/share/ID//', '/share/ID'],
    ['/embed/ID/?t=5', '/embed/ID?t=5'],
    ['/share/ID/print/', '/share/ID/print'],
    ['/share/c/ID/', '/share/c/ID'],
    ['/share/UNKNOWN/', '/share/UNKNOWN'],
  ])('%s leads to the address without the slash at its end', async (template, to) => {
    const id = template.includes('UNKNOWN') ? nanoid(22) : await seedShared()
    const fill = (text: string) => text.replace(/ID|UNKNOWN/, id)
    for (const accept of [HTML, '*/*', 'application/json']) {
      const answer = await ask(fill(template), { accept })
      expect([answer.status, answer.headers.get('location')]).toEqual([301, `http://localhost:8787${fill(to)}`])
    }
  })

  it('leads to the training itself', { tags: 'spec-2.28' }, async () => {
    const id = await seedShared()
    const { headers } = await ask(`/share/${id}/?lang=en`)
    const answer = await exports.default.fetch(headers.get('location') ?? '', { headers: { accept: HTML } })
    expect(dataOf(await answer.text()).module?.id).toBe(id)
  })
})
