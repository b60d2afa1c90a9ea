import { env, exports } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Done } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import type { SharePageData } from '#contract/share-page.ts'
import { StepsAnswer } from '#contract/step.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { type Line, linesOf } from '#worker/log/testing/lines.ts'

const BYTES = Uint8Array.from({ length: 100 }, (_, index) => index)
const POSTER = Uint8Array.from([0xff, 0xd8, 0xff, 1, 2, 3])
const EDGE = exports as unknown as { SharePage: Fetcher & { purge(tags: string[]): Promise<void> } }

async function seedShared(fields: Parameters<typeof seedModule>[0] = {}): Promise<string> {
  const { id, sourceKey } = await seedModule({
    status: 'READY',
    durationMs: 60_000,
    sourceSizeBytes: BYTES.length,
    ...fields,
  })
  const object = await env.MEDIA.put(sourceKey, BYTES)
  await env.DB.prepare('UPDATE modules SET source_etag = ? WHERE id = ?').bind(object?.etag, id).run()
  return id
}

function saveStep(id: string, title: string): Promise<StepsAnswer> {
  const json = { steps: [{ title, start: 1, end: 9 }] }
  return answerOf(StepsAnswer, `/api/steps/${id}`, { as: 'user_owner', json })
}

function stopSharing(id: string): Promise<Done> {
  return answerOf(Done, `/api/modules/${id}`, { as: 'user_owner', method: 'PATCH', json: { shared: false } })
}

/** What the edge itself gets. */
function askOrigin(path: string): Promise<Response> {
  return EDGE.SharePage.fetch(`https://share.edge${path}`)
}

async function dataOf(answer: Response): Promise<SharePageData> {
  const [, json = ''] = /id="share-data">(.*?)<\/script>/s.exec(await answer.text()) ?? []
  return JSON.parse(json) as SharePageData
}

async function stepTitlesOf(id: string): Promise<string[] | undefined> {
  return (await dataOf(await call(`/share/${id}`))).module?.steps.map(({ title }) => title)
}

describe('GET /share/{id} for browsers', () => {
  it('brings the module along and nothing that is not public', { tags: 'threat-3' }, async () => {
    const id = await seedShared()
    const json = { steps: [{ title: 'Open it', start: 1, end: 9, notes: 'secret', originalText: 'secret' }] }
    await answerOf(StepsAnswer, `/api/steps/${id}`, { as: 'user_owner', json })
    const answer = await call(`/share/${id}`)
    const html = await answer.clone().text()
    expect(html).not.toMatch(/secret|user_owner|src\//)
    const { module } = await answerOf(ShareAnswer, `/api/share/${id}`)
    expect(await dataOf(answer)).toEqual({ module, status: 200, look: 'page' })
  })

  it('lets the edge cache the page for a time, and makes browsers revalidate each time', async () => {
    const id = await seedShared()
    const answer = await call(`/share/${id}`)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=0')
    expect(answer.headers.get('cloudflare-cdn-cache-control')).toBeNull()
    expect(answer.headers.get('cache-tag')).toBeNull()
    expect(answer.headers.get('vary')).toBe('accept-language, cookie, accept')
    const { headers } = await askOrigin(`/share/${id}`)
    expect(headers.get('cloudflare-cdn-cache-control')).toBe('max-age=30, stale-while-revalidate=30, stale-if-error=0')
    expect(headers.get('cache-tag')).toBe(`share-${id}`)
  })

  it('keeps a module that is being made for some seconds only', async () => {
    const id = await seedShared({ status: 'PROCESSING' })
    const { headers } = await askOrigin(`/share/${id}`)
    expect(headers.get('cloudflare-cdn-cache-control')).toBe('max-age=2, stale-while-revalidate=8, stale-if-error=0')
  })

  it('may not be framed, run foreign code or be found by search engines', { tags: 'threat-14' }, async () => {
    const { headers } = await call(`/share/${await seedShared()}`)
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-robots-tag')).toBe('noindex')
  })

  it('answers the second visitor out of the cache, whatever they bring along', async () => {
    const id = await seedShared()
    await call(`/share/${id}`)
    const answer = await call(`/share/${id}?t=30`, { as: 'user_owner', headers: { cookie: '__session=x' } })
    expect(answer.headers.get('cf-cache-status')).toBe('HIT')
    // Cloudflare writes over that header on the way out, not over ours.
    expect(answer.headers.get('x-adapt-edge')).toBe('HIT')
  })

  it('never asks itself in a loop: a request of the worker to itself that reaches the entry ends there', async () => {
    const id = await seedShared()
    const lines = await linesOf(async () => {
      const answer = await call(`/share/${id}`, { headers: { 'x-adapt-inner': '1' } })
      expect([answer.status, await answer.text()]).toEqual([508, 'Loop Detected'])
    })
    expect(lines).toMatchObject([{ event: 'request', level: 'warn', status: 508, code: 'inner_request' }])
  })

  it.each([
    ['collections', () => `collection=${nanoid(22)}`],
    ['collections of no form', () => `collection=${nanoid(5)}/../x`],
    ['languages', () => `lang=${nanoid(8)}`],
    ['moments and steps', () => `t=${nanoid(6)}&seek=${nanoid(6)}`],
    ['names', () => `${nanoid(6)}=${nanoid(6)}`],
  ])('asks the origin no more for %s that do not exist', { tags: 'attack-62' }, async (_what, makeQuery) => {
    const id = await seedShared()
    const paths = [`/share/${id}`, `/embed/${id}`, `/share/${id}/print`, `/share/${id}/steps.md`]
    const askAll = async () => {
      for (const path of paths) expect((await call(`${path}?${makeQuery()}`)).status).toBe(200)
    }
    await askAll()
    const lines = await linesOf(async () => {
      for (let round = 0; round < 5; round += 1) await askAll()
    })
    expect(lines.filter(({ event }) => event === 'request')).toHaveLength(20)
    expect(lines.filter(({ event }) => event === 'origin')).toEqual([])
  })

  it('refuses images of impossible names before the origin is asked', { tags: 'attack-62' }, async () => {
    const id = await seedShared()
    const lines = await linesOf(async () => {
      for (const name of ['step--1', 'poster.png', nanoid(8)])
        expect((await call(`/share/${id}/images/${name}`)).status).toBe(404)
    })
    expect(lines.filter(({ event }) => event === 'origin')).toEqual([])
  })

  it('says in its line whether the edge had the answer, that of a range of the video too', async () => {
    const id = await seedShared()
    const ask = () => linesOf(() => call(`/share/${id}/video`, { headers: { range: 'bytes=0-9' } }))
    const cacheOf = (lines: Line[]) => lines.find(({ event }) => event === 'request')?.['cache']
    // Of ranges one in ten has a line.
    const chosen = vi.spyOn(crypto, 'randomUUID').mockReturnValue('00000000-0000-4000-8000-000000000000')
    onTestFinished(() => chosen.mockRestore())
    expect([cacheOf(await ask()), cacheOf(await ask())]).toEqual(['MISS', 'HIT'])
  })

  it('shows an edit after the purge, with another tag', { tags: 'fault-42' }, async () => {
    const id = await seedShared()
    await saveStep(id, 'Before the edit')
    const first = await call(`/share/${id}`)
    const etag = first.headers.get('etag') ?? ''
    const same = await call(`/share/${id}`, { headers: { 'if-none-match': `W/${etag}` } })
    expect(same.status).toBe(304)
    expect(same.body).toBeNull()
    await saveStep(id, 'After the edit')
    expect(await stepTitlesOf(id)).toEqual(['Before the edit'])
    await EDGE.SharePage.purge([`share-${id}`])
    const second = await call(`/share/${id}`, { headers: { 'if-none-match': etag } })
    expect(second.status).toBe(200)
    expect(second.headers.get('etag')).not.toBe(etag)
    expect(await stepTitlesOf(id)).toEqual(['After the edit'])
  })

  it('is gone for everyone as soon as it is un-shared or deleted', { tags: 'guarantee-G7' }, async () => {
    for (const end of [
      stopSharing,
      (id: string) => answerOf(Done, `/api/modules/${id}`, { as: 'user_owner', method: 'DELETE' }),
    ]) {
      const id = await seedShared()
      const paths = [`/share/${id}`, `/embed/${id}`, `/share/${id}/video`]
      for (const path of paths) expect((await call(path)).status, path).toBe(200)
      await end(id)
      for (const path of paths) expect((await call(path)).status, path).toBe(404)
    }
  })

  it('answers an unknown, an un-shared and a malformed id alike, and keeps none of it', {
    tags: ['fault-44', 'threat-18'],
  }, async () => {
    const off = await seedShared({ shared: false })
    const pages = []
    for (const id of [off, 'nonsense', 'aaaaaaaaaaaaaaaaaaaaaa', '%22%3E%3Cscript%3E']) {
      const answer = await call(`/share/${id}`)
      expect(answer.status).toBe(404)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      pages.push(await answer.text())
    }
    expect(new Set(pages).size).toBe(1)
  })

  it('runs once for many that come at the same moment', { tags: 'fault-43' }, async () => {
    const id = await seedShared()
    const answers = await Promise.all(Array.from({ length: 200 }, () => call(`/share/${id}`)))
    const statuses = answers.map(({ headers }) => headers.get('cf-cache-status'))
    await Promise.all(answers.map((answer) => answer.text()))
    expect(statuses.filter((status) => status !== 'HIT')).toEqual(['MISS'])
  })

  it('lets no title out of its place', async () => {
    const id = await seedShared({ title: '</script><script>alert(1)</script>' })
    const answer = await call(`/share/${id}`)
    expect(await answer.clone().text()).not.toContain('<script>alert')
    expect((await dataOf(answer)).module?.title).toBe('</script><script>alert(1)</script>')
  })
})

describe('GET /embed/{id}', () => {
  it('is the only place that may be framed', async () => {
    const id = await seedShared()
    for (const path of [
      `/share/${id}`,
      `/share/${id}/video`,
      `/share/nothing`,
      `/share/${id}/nothing`,
      '/embed/nothing',
    ]) {
      const policy = (await call(path)).headers.get('content-security-policy')
      expect(policy, path).toContain(path.startsWith('/embed') ? 'frame-ancestors *' : "frame-ancestors 'none'")
    }
    const json = await call(`/share/${id}`, { headers: { accept: 'application/json' } })
    expect(json.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  it('may be framed by any site, and is the same page otherwise', async () => {
    const answer = await call(`/embed/${await seedShared()}`)
    expect(answer.headers.get('content-security-policy')).toContain('frame-ancestors *')
    expect((await dataOf(answer)).look).toBe('embed')
  })
})

describe('GET /share/{id}/video', () => {
  const videoOf = (id: string, headers: Record<string, string> = {}, method = 'GET') =>
    call(`/share/${id}/video`, { headers, method })

  it.each([
    ['bytes=0-1', 0, 2],
    ['bytes=90-', 90, 10],
    ['bytes=-5', 95, 5],
    ['bytes=10-500', 10, 90],
    ['bytes=0-', 0, 100],
  ])(
    'serves %s byte by byte, from the bucket and from the cache',
    { tags: 'fault-45' },
    async (range, from, length) => {
      const id = await seedShared()
      for (let round = 0; round < 2; round++) {
        const answer = await videoOf(id, { range })
        expect(answer.status).toBe(206)
        expect(answer.headers.get('content-range')).toBe(`bytes ${from}-${from + length - 1}/100`)
        expect(answer.headers.get('content-length')).toBe(String(length))
        expect(new Uint8Array(await answer.arrayBuffer())).toEqual(BYTES.slice(from, from + length))
      }
    },
  )

  it('satisfies Safari, which asks for two bytes, for all, for the end and then for the middle', {
    tags: 'fault-45',
  }, async () => {
    const id = await seedShared()
    const probe = await videoOf(id, { range: 'bytes=0-1' })
    const etag = probe.headers.get('etag') ?? ''
    expect([probe.status, probe.headers.get('content-range')]).toEqual([206, 'bytes 0-1/100'])
    expect(probe.headers.get('accept-ranges')).toBe('bytes')
    expect(probe.headers.get('content-type')).toBe('video/mp4')
    expect((await probe.arrayBuffer()).byteLength).toBe(2)
    const sequence = ['bytes=0-99', 'bytes=96-99', 'bytes=48-99', 'bytes=2-47']
    for (const range of sequence) {
      const [from = 0, to = 0] = range.slice('bytes='.length).split('-').map(Number)
      const answer = await videoOf(id, { range, 'if-range': etag, 'accept-encoding': 'identity' })
      expect(answer.status, range).toBe(206)
      expect(answer.headers.get('etag')).toBe(etag)
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(BYTES.slice(from, to + 1))
    }
  })

  it('refuses a range outside of the video', async () => {
    const id = await seedShared()
    const headers = { range: 'bytes=100-' }
    expect((await problemOf(`/share/${id}/video`, { headers })).code).toBe('range_not_satisfiable')
    expect((await videoOf(id, headers)).headers.get('content-range')).toBe('bytes */100')
  })

  it('sends the whole video when If-Range names another one, and 304 when If-None-Match names this one', async () => {
    const id = await seedShared()
    const other = await videoOf(id, { range: 'bytes=0-1', 'if-range': '"other"' })
    expect(other.status).toBe(200)
    expect(new Uint8Array(await other.arrayBuffer())).toEqual(BYTES)
    const etag = other.headers.get('etag') ?? ''
    expect((await videoOf(id, { 'if-none-match': etag })).status).toBe(304)
  })

  it('returns its size without a body', async () => {
    const answer = await videoOf(await seedShared(), {}, 'HEAD')
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '100'])
    expect(await answer.text()).toBe('')
  })

  it('reads neither database nor bucket for the next range', async () => {
    const id = await seedShared()
    await (await videoOf(id, { range: 'bytes=0-1' })).arrayBuffer()
    await env.MEDIA.delete(`src/${id}/source`)
    await env.DB.prepare('DELETE FROM modules WHERE id = ?').bind(id).run()
    const answer = await videoOf(id, { range: 'bytes=50-59' })
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(BYTES.slice(50, 60))
  })

  it('says whether the edge had the bytes of a range', async () => {
    const id = await seedShared()
    const ask = async () => (await videoOf(id, { range: 'bytes=0-9' })).headers.get('x-adapt-edge')
    expect([await ask(), await ask()]).toEqual(['MISS', 'HIT'])
  })

  it('keeps the bytes longer than the right to see them', { tags: 'threat-18' }, async () => {
    const id = await seedShared()
    const grant = await askOrigin(`/grant/${id}`)
    expect(grant.headers.get('cloudflare-cdn-cache-control')).toContain('max-age=30, stale-while-revalidate=30')
    const { etag } = await grant.json<{ etag: string }>()
    const video = await askOrigin(`/video/${id}/${etag}`)
    expect(video.headers.get('cloudflare-cdn-cache-control')).toBe('max-age=3600, stale-if-error=0')
    await video.arrayBuffer()
  })

  it('leads to nothing but the video of that module', { tags: 'threat-18' }, async () => {
    const id = await seedShared()
    for (const path of [`/grant/${id}`, `/video/${id}/etag`, `/share/${id}/grant`, `/share/${id}/video/..%2Fgrant`]) {
      expect((await call(path)).status, path).toBe(404)
    }
    expect((await askOrigin(`/video/${id}/other`)).status).toBe(404)
  })

  it('is not there while no video has arrived', async () => {
    const id = await seedShared()
    await env.DB.prepare('UPDATE modules SET source_etag = NULL WHERE id = ?').bind(id).run()
    expect((await problemOf(`/share/${id}/video`)).code).toBe('not_found')
  })
})

describe('GET /share/{id}/images/{name}', () => {
  it('serves the poster, and 304 to a client that has it', async () => {
    const id = await seedShared({ hasPoster: true })
    await env.MEDIA.put(`images/${id}/poster`, POSTER, { httpMetadata: { contentType: 'image/jpeg' } })
    const { module } = await answerOf(ShareAnswer, `/api/share/${id}`)
    const answer = await call(module.posterUrl ?? '')
    expect(answer.headers.get('content-type')).toBe('image/jpeg')
    expect(answer.headers.get('cache-control')).toBe('private, max-age=60')
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(POSTER)
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
    expect((await call(module.posterUrl ?? '', { headers })).status).toBe(304)
    await stopSharing(id)
    expect((await call(module.posterUrl ?? '')).status).toBe(404)
  })

  it('has no other names', async () => {
    const id = await seedShared()
    for (const name of ['nothing', '..%2Fsource', 'step-1']) {
      expect((await call(`/share/${id}/images/${name}`)).status, name).toBe(404)
    }
  })
})
