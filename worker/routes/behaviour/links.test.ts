// Behaviour: a link with a password, with an end, and one that took the place of another.
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { CollectionAnswer } from '#contract/collection.ts'
import { LINKS_MAX } from '#contract/limits.ts'
import { Done, ModuleAnswer, NewLinkAnswer, OpenedListAnswer, VideoUrlAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { StepsAnswer } from '#contract/step.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { LINK_MISSES_MAX } from '#worker/domain/module/link-store.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { createShareOrigin } from '../share-origin.ts'

const OWNER = { as: 'user_owner' }
const PASSWORD = 'Werkbank 7'
const BYTES = Uint8Array.from({ length: 100 }, (_, index) => index)
const EDGE = exports as unknown as { SharePage: Fetcher }

async function seedShared(fields: Parameters<typeof seedModule>[0] = {}): Promise<string> {
  const ready = { status: 'READY', title: 'Secret filter', durationMs: 60_000, language: 'en' } as const
  const { id, sourceKey } = await seedModule({ ...ready, sourceSizeBytes: BYTES.length, hasPoster: true, ...fields })
  const object = await env.MEDIA.put(sourceKey, BYTES)
  await env.DB.prepare('UPDATE modules SET source_etag = ? WHERE id = ?').bind(object?.etag, id).run()
  const json = { steps: [{ title: 'Secret step', start: 1, end: 9 }] }
  await answerOf(StepsAnswer, `/api/steps/${id}`, { ...OWNER, json })
  return id
}

function change(id: string, json: Record<string, unknown>): Promise<Done> {
  return answerOf(Done, `/api/modules/${id}`, { ...OWNER, method: 'PATCH', json })
}

function unlock(id: string, password: string): Promise<Response> {
  return call(`/api/share/${id}/unlock`, { json: { password } })
}

/** The cookie of a device that has entered the password. */
async function cookieOf(id: string, password = PASSWORD): Promise<{ cookie: string }> {
  const answer = await unlock(id, password)
  expect(answer.status).toBe(200)
  return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

/** All that a link opens, but for calls with a body. */
const READ = ['', '/print', '/steps.md', '/chapters.vtt', '/video', '/images/poster'].map((end) => `/share/@${end}`)
const OPENED = [
  ...READ,
  '/embed/@',
  '/api/share/@',
  '/api/video-url/@',
  '/api/oembed?url=http://localhost:8787/share/@',
]

async function readAll(id: string, headers: Record<string, string> = {}) {
  const answers = OPENED.map(async (path) => {
    const answer = await call(path.replaceAll('@', id), { headers })
    return { path, status: answer.status, text: await answer.text(), cache: answer.headers.get('cache-control') }
  })
  return Promise.all(answers)
}

describe('a link with a password', () => {
  it('opens nothing of the training without it', async () => {
    const id = await seedShared({ linkAnswersPerDay: 5 })
    await change(id, { linkPassword: PASSWORD })
    for (const { path, status, text } of await readAll(id)) {
      expect(status, path).toBeGreaterThanOrEqual(400)
      expect(status, path).toBeLessThan(500)
      expect(text, path).not.toMatch(/secret/i)
    }
    expect((await call(`/share/${id}`)).status).toBe(403)
    expect((await problemOf(`/api/share/${id}/questions`, { json: { question: 'What is it?' } })).code).toBe(
      'link_locked',
    )
    expect((await problemOf(`/api/learning-metrics/${id}/sessions`, { json: {} })).code).toBe('link_locked')
    expect((await problemOf(`/api/modules/${id}`, { as: 'user_stranger' })).code).toBe('not_found')
  })

  it('opens all of it on a device that has entered it, past every cache', async () => {
    const id = await seedShared()
    await change(id, { linkPassword: PASSWORD })
    const headers = await cookieOf(id)
    for (const { path, status, cache } of await readAll(id, headers)) {
      // There is no image in this bucket.
      if (path.includes('images')) continue
      expect(status, path).toBe(200)
      expect(cache, path).toMatch(/private|no-store/)
    }
    const { module } = await answerOf(ShareAnswer, `/api/share/${id}`, { headers })
    expect(module).toMatchObject({ id, title: 'Secret filter', isByLinkOnly: true })
    const { url } = await answerOf(VideoUrlAnswer, `/api/video-url/${id}`, { headers })
    expect((await call(url, { headers: { ...headers, range: 'bytes=0-9' } })).status).toBe(206)
    await answerOf(Done, `/api/learning-metrics/${id}/sessions`, { json: {}, headers })
    // The routes behind the cache get no cookie, so that nothing is kept there that was read with one.
    const kept = await EDGE.SharePage.fetch(`https://share.edge/share/${id}`, { headers })
    expect([kept.status, kept.headers.get('cloudflare-cdn-cache-control')]).toEqual([403, null])
  })

  it('is asked for again after another one was set, and no more after it was removed', async () => {
    const id = await seedShared()
    await change(id, { linkPassword: PASSWORD })
    const headers = await cookieOf(id)
    await change(id, { linkPassword: 'Werkbank 8' })
    expect((await call(`/share/${id}`, { headers })).status).toBe(403)
    await cookieOf(id, ' Werkbank 8 ')
    await change(id, { linkPassword: null })
    expect((await call(`/share/${id}`)).status).toBe(200)
    expect((await unlock(id, 'whatever')).headers.get('set-cookie')).toBeNull()
  })

  it('takes no cookie of another link, and no ticket from before', async () => {
    const [one, other] = [await seedShared(), await seedShared()]
    const { url } = await answerOf(VideoUrlAnswer, `/api/video-url/${one}`)
    await change(one, { linkPassword: PASSWORD })
    await change(other, { linkPassword: PASSWORD })
    const { cookie } = await cookieOf(other)
    const forged = cookie.replace(other, one)
    expect((await call(`/share/${one}`, { headers: { cookie: forged } })).status).toBe(403)
    expect((await call(url)).status).toBe(404)
  })

  it('is tried a limited number of times a day, until there is another one', async () => {
    const id = await seedShared()
    await change(id, { linkPassword: PASSWORD })
    expect((await problemOf(`/api/share/${id}/unlock`, { json: { password: 'wrong' } })).code).toBe('link_locked')
    const misses = () => env.DB.prepare('SELECT link_misses FROM modules WHERE id = ?').bind(id).first('link_misses')
    await cookieOf(id)
    expect(await misses()).toBe(1)
    await env.DB.prepare('UPDATE modules SET link_misses = ? WHERE id = ?').bind(LINK_MISSES_MAX, id).run()
    expect((await problemOf(`/api/share/${id}/unlock`, { json: { password: PASSWORD } })).code).toBe('rate_limited')
    const yesterdayMs = Date.now() - 25 * 60 * 60_000
    await env.DB.prepare('UPDATE modules SET link_missed_at = ? WHERE id = ?').bind(yesterdayMs, id).run()
    await cookieOf(id)
    await env.DB.prepare('UPDATE modules SET link_misses = ? WHERE id = ?').bind(LINK_MISSES_MAX, id).run()
    await change(id, { linkPassword: 'Werkbank 8' })
    await cookieOf(id, 'Werkbank 8')
  })

  it('hides the training in a collection, which still leads to it', async () => {
    const id = await seedShared()
    await change(id, { linkPassword: PASSWORD })
    const { collection } = await answerOf(CollectionAnswer, '/api/collections', { ...OWNER, json: { title: 'Line 4' } })
    const json = { moduleIds: [id] }
    await answerOf(CollectionAnswer, `/api/collections/${collection.id}`, { ...OWNER, method: 'PATCH', json })
    const html = await (await call(`/share/c/${collection.id}`)).text()
    expect(html).toContain('Training with a password')
    expect(html).toContain(`/share/${id}?collection=`)
    expect(html).not.toMatch(/secret|images\/poster|1:00/i)
  })

  it('is told to nobody', async () => {
    const id = await seedShared()
    await change(id, { linkPassword: PASSWORD })
    const answer = await (await call(`/api/modules/${id}`, OWNER)).text()
    expect(ModuleAnswer.parse(JSON.parse(answer)).module.hasLinkPassword).toBe(true)
    expect(answer).not.toMatch(/Werkbank|100000\./)
  })
})

describe('a link with an end', () => {
  it('is open until then, and closed from then on', async () => {
    const id = await seedShared()
    await change(id, { linkEndsAt: new Date(Date.now() + 60_000).toISOString() })
    expect((await call(`/share/${id}`)).status).toBe(200)
    await change(id, { linkEndsAt: new Date(Date.now() - 1).toISOString() })
    for (const { path, status, text } of await readAll(id)) {
      expect([404, 410], path).toContain(status)
      expect(text, path).not.toMatch(/secret/i)
    }
    const page = await call(`/share/${id}`)
    expect([page.status, page.headers.get('cache-control')]).toEqual([410, 'no-store'])
    expect(await page.text()).toContain('"closed":"link_ended"')
    expect((await problemOf(`/api/modules/${id}`, { as: 'user_stranger' })).code).toBe('not_found')
    await change(id, { linkEndsAt: null })
    expect((await call(`/share/${id}`)).status).toBe(200)
  })

  it('is kept at the edge for no longer', async () => {
    const endMs = Date.now() + 20_000
    const id = await seedShared({ linkEndsAt: endMs })
    const later = await seedShared({ linkEndsAt: endMs + 30_000 })
    const { collection } = await answerOf(CollectionAnswer, '/api/collections', { ...OWNER, json: { title: 'Line 4' } })
    const json = { moduleIds: [later, id] }
    await answerOf(CollectionAnswer, `/api/collections/${collection.id}`, { ...OWNER, method: 'PATCH', json })
    const origin = createShareOrigin({ nowMs: () => endMs - 12_000 })
    const ofModule = ['share', 'grant', 'embed', 'print'].map((path) => `${path}/${id}`)
    for (const path of [...ofModule, `collection/${collection.id}`, `found/${collection.id}/en/~step`]) {
      const answer = await origin.fetch(new Request(`https://share.edge/${path}`), env)
      const [fresh = 0, stale = 0] =
        (answer.headers.get('cloudflare-cdn-cache-control') ?? '').match(/\d+/g)?.map(Number) ?? []
      expect(fresh, path).toBeGreaterThan(0)
      expect(fresh + stale, path).toBeLessThanOrEqual(12)
    }
  })
})

describe('a new link', () => {
  const replace = (id: string, forwards: boolean) =>
    answerOf(NewLinkAnswer, `/api/modules/${id}/link`, { ...OWNER, json: { forwards } })
  const codeOf = ({ shareUrl }: { shareUrl: string }) => shareUrl.slice('/share/'.length)

  it('opens the training in place of the old one, which says that it was replaced', async () => {
    const id = await seedShared()
    const { url } = await answerOf(VideoUrlAnswer, `/api/video-url/${id}`)
    await answerOf(Done, `/api/opened-modules/${id}`, { as: 'user_stranger', method: 'PUT' })
    const code = codeOf(await replace(id, false))
    const html = await (await call(`/share/${code}`)).text()
    expect(html).toContain('Secret step')
    // Whoever had the old link knows the id of the training.
    expect(html).not.toContain(id)
    for (const { path, status, text } of await readAll(id)) {
      expect([404, 410], path).toContain(status)
      expect(text, path).not.toMatch(/secret/i)
    }
    expect((await call(`/share/${id}`)).status).toBe(410)
    expect((await call(url)).status).toBe(404)
    expect((await problemOf(`/api/modules/${id}`, { as: 'user_stranger' })).code).toBe('not_found')
    const opened = await answerOf(OpenedListAnswer, '/api/opened-modules', { as: 'user_stranger' })
    expect(opened.modules.map((module) => module.id)).not.toContain(id)
    expect((await answerOf(ModuleAnswer, `/api/modules/${id}`, OWNER)).module.shareUrl).toBe(`/share/${code}`)
    for (const { path, status } of await readAll(code)) if (!path.includes('images')) expect(status, path).toBe(200)
  })

  it('is where the old one leads, as its owner chooses, until a later one does not forward', async () => {
    const id = await seedShared()
    const first = codeOf(await replace(id, true))
    const answer = await call(`/share/${id}?t=12`, { headers: { 'accept-language': 'en' } })
    expect([answer.status, new URL(answer.url).pathname]).toEqual([200, `/share/${first}`])
    expect(new URL(answer.url).search).toBe('?t=12')
    expect(new URL((await call(`/embed/${id}`)).url).pathname).toBe(`/embed/${first}`)
    const second = codeOf(await replace(id, false))
    for (const old of [id, first]) expect((await call(`/share/${old}`)).status).toBe(410)
    expect((await call(`/share/${second}`)).status).toBe(200)
  })

  it('goes with its training', async () => {
    const id = await seedShared()
    const code = codeOf(await replace(id, true))
    await answerOf(Done, `/api/modules/${id}`, { ...OWNER, method: 'DELETE' })
    for (const link of [id, code]) expect((await call(`/share/${link}`)).status).toBe(404)
    const row = await env.DB.prepare('SELECT * FROM deleted_modules WHERE id = ?')
      .bind(id)
      .first<{ source_key: string }>()
    await eraseModule(openContext(env), { id, sourceKey: row?.source_key ?? '', uploadId: null })
    expect(await env.DB.prepare('SELECT 1 FROM replaced_links WHERE module_id = ?').bind(id).first()).toBeNull()
  })

  it('is made a limited number of times', async () => {
    const id = await seedShared()
    for (let made = 0; made < LINKS_MAX; made++) await replace(id, true)
    const problem = await problemOf(`/api/modules/${id}/link`, { ...OWNER, json: { forwards: true } })
    expect(problem.code).toBe('invalid_request')
  })
})
