import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { IMAGE_MAX_BYTES, IMAGES_MAX } from '#contract/image.ts'
import { imageNameOf, imageUrl } from '#contract/image-url.ts'
import { Done, ModuleAnswer, ModuleListAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { plantModule } from '#local/testing/modules.ts'
import { sweep } from '#worker/jobs/sweep.ts'
import { openDriver } from '#worker/pipeline/testing/drive.ts'
import { holdTasks } from '#worker/pipeline/testing/plant-tasks.ts'

holdTasks()

const AS = 'user_owner'
const WEBP = new TextEncoder().encode('RIFF....WEBPVP8 and so on')
const JPEG = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])

function pathOf(id: string, name: string): string {
  return `/api/modules/${id}/images/${name}`
}

async function posterOf(id: string): Promise<string | null> {
  return (await answerOf(ModuleAnswer, `/api/modules/${id}`, { as: AS })).module.posterUrl
}

async function save(id: string, name: string, body: BodyInit): Promise<void> {
  await answerOf(Done, pathOf(id, name), { as: AS, method: 'PUT', body })
}

describe('PUT /api/modules/{id}/images/{name}', () => {
  it('stores a poster, whose address every answer then has, and step images [threat 13]', async () => {
    const { id } = await plantModule()
    expect(await posterOf(id)).toBeNull()
    await save(id, 'poster', WEBP)
    await save(id, imageNameOf(12_400.4), JPEG)
    const url = (await posterOf(id)) ?? ''
    const { modules } = await answerOf(ModuleListAnswer, '/api/modules', { as: AS })
    expect(modules.find((module) => module.id === id)?.posterUrl).toBe(url)
    const poster = await call(url)
    expect(poster.headers.get('content-type')).toBe('image/webp')
    expect(poster.headers.get('x-content-type-options')).toBe('nosniff')
    expect(new Uint8Array(await poster.arrayBuffer())).toEqual(WEBP)
    const step = await call(imageUrl(url, 'step-12400'))
    expect(step.headers.get('content-type')).toBe('image/jpeg')
    expect(new Uint8Array(await step.arrayBuffer())).toEqual(JPEG)
    const again = await call(url, { headers: { 'if-none-match': poster.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
    await save(id, 'poster', JPEG)
    expect((await call(url)).headers.get('content-type')).toBe('image/jpeg')
    expect((await problemOf(imageUrl(url, 'step-1'))).code).toBe('not_found')
  })

  it.each([
    ['a page', '<!doctype html>', 'poster', 'unsupported_media_type'],
    ['a drawing with a script', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'poster', 'unsupported_media_type'],
    ['nothing', '', 'poster', 'unsupported_media_type'],
    ['too much', new Uint8Array(IMAGE_MAX_BYTES + 1), 'poster', 'payload_too_large'],
    ['another name', WEBP, 'step-01', 'invalid_request'],
    ['a place elsewhere', WEBP, '..%2Fposter', 'invalid_request'],
  ])('refuses %s [threat 11]', async (_what, body, name, code) => {
    const { id } = await plantModule()
    expect((await problemOf(pathOf(id, name), { as: AS, method: 'PUT', body })).code).toBe(code)
    expect(await posterOf(id)).toBeNull()
  })

  it('takes no more than a module has steps, but replaces those that it has', async () => {
    const { id } = await plantModule()
    const fill = Array.from({ length: IMAGES_MAX }, (_, at) => env.MEDIA.put(`images/${id}/step-${at}`, WEBP))
    await Promise.all(fill)
    const refused = await problemOf(pathOf(id, 'poster'), { as: AS, method: 'PUT', body: WEBP })
    expect(refused.code).toBe('payload_too_large')
    await save(id, 'step-5', JPEG)
  })

  it('is for the owner', async () => {
    const { id } = await plantModule()
    const put = { method: 'PUT', body: WEBP }
    expect((await problemOf(pathOf(id, 'poster'), { ...put, as: 'user_other' })).code).toBe('not_found')
    expect((await problemOf(pathOf(id, 'poster'), put)).code).toBe('unauthenticated')
  })
})

describe('GET /media/{id}/images/{name}', () => {
  it('shows a picture to anyone with the link, until sharing is off; to the owner also then', async () => {
    const { id } = await plantModule()
    await save(id, 'poster', WEBP)
    const own = (await posterOf(id)) ?? ''
    const shared = (await answerOf(ShareAnswer, `/api/share/${id}`)).module.posterUrl ?? ''
    expect((await call(shared)).status).toBe(200)
    await answerOf(Done, `/api/modules/${id}`, { as: AS, method: 'PATCH', json: { shared: false } })
    expect((await problemOf(shared)).code).toBe('not_found')
    expect((await call(own)).status).toBe(200)
    const other = await plantModule()
    expect((await problemOf(own.replace(id, other.id))).code).toBe('not_found')
    expect((await problemOf(own.replace(/images\/poster/, 'video'))).code).toBe('not_found')
    expect((await problemOf(`/media/${id}/images/poster`)).code).toBe('not_found')
  })

  it('is gone with its module', async () => {
    const { id } = await plantModule()
    await save(id, 'poster', WEBP)
    const url = (await posterOf(id)) ?? ''
    await answerOf(Done, `/api/modules/${id}`, { as: AS, method: 'DELETE' })
    expect((await problemOf(url)).code).toBe('not_found')
    const { deps } = openDriver()
    await sweep({ ...deps, nowMs: () => Date.now() + 8 * 24 * 60 * 60_000 })
    expect((await env.MEDIA.list({ prefix: `images/${id}/` })).objects).toEqual([])
  })
})
