// Behaviour: images of steps: uploading, serving and removing them.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { IMAGE_MAX_BYTES, IMAGES_MAX, IMAGES_MAX_BYTES, STEP_IMAGE } from '#contract/image.ts'
import { imageNameOf, imageUrl } from '#contract/image-url.ts'
import { Done, ModuleAnswer, ModuleListAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { ProposalsAnswer, type StepImage, StepsAnswer } from '#contract/step.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { sweepHere } from '#worker/jobs/testing/sweep-here.ts'
import { openDriver } from '#worker/pipeline/testing/drive.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'

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
  it('stores a poster, whose address every answer then has, and step images', { tags: 'threat-13' }, async () => {
    const { id } = await seedModule()
    expect(await posterOf(id)).toBeNull()
    await save(id, 'poster', WEBP)
    await save(id, imageNameOf(12_400.4), JPEG)
    const url = (await posterOf(id)) ?? ''
    const { modules } = await answerOf(ModuleListAnswer, '/api/modules', { as: AS })
    const listed = modules.find((module) => module.id === id)?.posterUrl ?? ''
    expect((await call(listed)).headers.get('content-type')).toBe('image/webp')
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
    ['another size', WEBP, 'step-0-640', 'invalid_request'],
    ['a place elsewhere', WEBP, '..%2Fposter', 'invalid_request'],
  ])('refuses %s', { tags: 'threat-11' }, async (_what, body, name, code) => {
    const { id } = await seedModule()
    expect((await problemOf(pathOf(id, name), { as: AS, method: 'PUT', body })).code).toBe(code)
    expect(await posterOf(id)).toBeNull()
  })

  it.each([
    ['step-0', STEP_IMAGE.smallMaxBytes],
    ['at-1500-960', STEP_IMAGE.largeMaxBytes],
  ])('refuses more bytes of %s than it may weigh', async (name, mostBytes) => {
    const { id } = await seedModule()
    const file = (sizeBytes: number) => new Blob([WEBP, new Uint8Array(sizeBytes - WEBP.byteLength)])
    await save(id, name, file(mostBytes))
    const refused = await problemOf(pathOf(id, name), { as: AS, method: 'PUT', body: file(mostBytes + 1) })
    expect(refused.code).toBe('payload_too_large')
  })

  it.each([
    ['images', IMAGES_MAX, 9],
    ['bytes', 1_000, Math.floor(IMAGES_MAX_BYTES / 1_000)],
  ])('takes no more %s than a module may have, but replaces those that it has', async (_what, count, sizeBytes) => {
    const { id } = await seedModule()
    await env.DB.prepare(
      `WITH RECURSIVE n(at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM n WHERE at < ?2 - 1)
       INSERT INTO step_images (module_id, name, content_type, size_bytes) SELECT ?1, 'step-' || at, 'image/webp', ?3 FROM n`,
    )
      .bind(id, count, sizeBytes)
      .run()
    const body = new Blob([WEBP, new Uint8Array(1_000)])
    const refused = await problemOf(pathOf(id, 'at-7'), { as: AS, method: 'PUT', body })
    expect(refused.code).toBe('images_full')
    await save(id, 'step-5', JPEG)
    await save(id, 'poster', WEBP)
  })

  it('is for the owner', async () => {
    const { id } = await seedModule()
    const put = { method: 'PUT', body: WEBP }
    expect((await problemOf(pathOf(id, 'poster'), { ...put, as: 'user_other' })).code).toBe('not_found')
    expect((await problemOf(pathOf(id, 'poster'), put)).code).toBe('unauthenticated')
  })
})

/** Saves the steps of a module, ten seconds each. */
async function saveSteps(id: string, steps: { id: string; start: number; imageAt?: StepImage }[]): Promise<void> {
  const json = { steps: steps.map((step) => ({ title: `Step ${step.id}`, end: step.start + 10, ...step })) }
  await answerOf(StepsAnswer, `/api/steps/${id}`, { as: AS, method: 'POST', json })
}

async function shownOf(id: string) {
  const owned = (await answerOf(StepsAnswer, `/api/steps/${id}`, { as: AS })).steps.map(({ image }) => image)
  const shared = (await answerOf(ShareAnswer, `/api/share/${id}`)).module.steps.map(({ image }) => image)
  expect(shared).toEqual(owned)
  return owned
}

describe('the image of a step', () => {
  it('is the poster until its own is there, and follows the beginning of its step', async () => {
    const { id } = await seedModule()
    await saveSteps(id, [
      { id: 'a', start: 0 },
      { id: 'b', start: 12.5 },
    ])
    expect(await shownOf(id)).toEqual([null, null])
    await save(id, 'poster', WEBP)
    await save(id, 'step-12500', WEBP)
    expect(await shownOf(id)).toEqual(['poster', 'step-12500'])
    await saveSteps(id, [
      { id: 'a', start: 0 },
      { id: 'b', start: 14 },
    ])
    expect(await shownOf(id)).toEqual(['poster', 'poster'])
  })

  it('is the moment that a person has chosen, or none, and stays so while other fields are saved', async () => {
    const { id } = await seedModule()
    await save(id, 'poster', WEBP)
    await saveSteps(id, [
      { id: 'a', start: 0, imageAt: 3.25 },
      { id: 'b', start: 20, imageAt: 'none' },
    ])
    await save(id, 'at-3250', WEBP)
    await save(id, 'step-20000', WEBP)
    expect(await shownOf(id)).toEqual(['at-3250', null])
    await saveSteps(id, [
      { id: 'a', start: 1 },
      { id: 'b', start: 20 },
    ])
    expect(await shownOf(id)).toEqual(['at-3250', null])
    const { steps } = await answerOf(StepsAnswer, `/api/steps/${id}`, { as: AS })
    expect(steps.map(({ imageAt }) => imageAt)).toEqual([3.25, 'none'])
    await saveSteps(id, [
      { id: 'a', start: 1, imageAt: null },
      { id: 'b', start: 20, imageAt: null },
    ])
    expect(await shownOf(id)).toEqual(['poster', 'step-20000'])
  })

  it('has two sizes behind a link, and the smaller one where the larger is missing', async () => {
    const { id } = await seedModule()
    await saveSteps(id, [
      { id: 'a', start: 0 },
      { id: 'b', start: 10 },
    ])
    for (const name of ['step-0-960', 'step-0', 'step-10000']) await save(id, name, name.endsWith('960') ? JPEG : WEBP)
    const typeOf = async (name: string) => (await call(`/share/${id}/images/${name}`)).headers.get('content-type')
    expect(await typeOf('step-0')).toBe('image/webp')
    expect(await typeOf('step-0-960')).toBe('image/jpeg')
    expect(await typeOf('step-10000-960')).toBe('image/webp')
    expect(await typeOf('step-0-1600w')).toBe('image/jpeg')
    await save(id, 'step-10000-1600w', JPEG)
    expect(await typeOf('step-10000-1600w')).toBe('image/jpeg')
    expect((await problemOf(`/share/${id}/images/step-5000`)).code).toBe('not_found')
    expect((await problemOf(`/share/${id}/images/step-5000-1600w`)).code).toBe('not_found')
  })

  it('leaves half of the room of a module to the images that its pages show', async () => {
    const { id } = await seedModule()
    const sql = `INSERT INTO step_images (module_id, name, content_type, size_bytes) VALUES (?1, 'at-1', 'image/webp', ?2)`
    await env.DB.prepare(sql)
      .bind(id, IMAGES_MAX_BYTES / 2)
      .run()
    const put = { as: AS, method: 'PUT', body: WEBP }
    expect((await problemOf(pathOf(id, 'step-0-1600w'), put)).code).toBe('images_full')
    await save(id, 'step-0-960', WEBP)
  })

  it('is that of its step also where that begins at the moment that a size is called after', async () => {
    const { id } = await seedModule()
    await saveSteps(id, [{ id: 'a', start: 0.96 }])
    for (const name of ['step-960', 'step-960-960', 'step-960-1600w']) await save(id, name, WEBP)
    expect((await call(`/share/${id}/images/step-960`)).status).toBe(200)
    const { deps } = openDriver()
    await sweepHere({ ...deps, nowMs: () => Date.now() + 61 * 60_000 })
    expect((await env.MEDIA.list({ prefix: `images/${id}/` })).objects).toHaveLength(3)
  })

  it('is gone behind the link with its step, and an hour later for good, unless the step comes back', async () => {
    const { id } = await seedModule()
    const steps = [
      { id: 'a', start: 0 },
      { id: 'b', start: 10 },
      { id: 'c', start: 30 },
    ]
    await saveSteps(id, steps)
    for (const name of ['step-0', 'step-10000', 'step-30000', 'step-30000-960', 'at-7']) await save(id, name, WEBP)
    await saveSteps(id, steps.slice(0, 1))
    const shared = (name: string) => call(`/share/${id}/images/${name}`)
    expect((await shared('step-10000')).status).toBe(404)
    expect((await shared('step-0')).status).toBe(200)
    await saveSteps(id, steps.slice(0, 2))
    expect(await shownOf(id)).toEqual(['step-0', 'step-10000'])
    const { deps } = openDriver()
    const kept = async () =>
      (await env.MEDIA.list({ prefix: `images/${id}/` })).objects.map(({ key }) => key.split('/')[2])
    await sweepHere({ ...deps, nowMs: () => Date.now() + 59 * 60_000 })
    expect(await kept()).toHaveLength(5)
    await sweepHere({ ...deps, nowMs: () => Date.now() + 61 * 60_000 })
    expect(await kept()).toEqual(['step-0', 'step-10000'])
  })

  it('keeps those of scenes that are offered, for as long as they are', async () => {
    const { id } = await seedModule({
      durationMs: 60_000,
      status: 'FAILED',
      runStatus: 'FAILED',
      failureCode: 'no_narration',
    })
    await save(id, 'step-20000', WEBP)
    const put = { as: AS, method: 'PUT', json: { starts: [0, 20] } }
    await answerOf(ProposalsAnswer, `/api/steps/${id}/proposals`, put)
    const { deps } = openDriver()
    await sweepHere({ ...deps, nowMs: () => Date.now() + 61 * 60_000 })
    expect((await env.MEDIA.list({ prefix: `images/${id}/` })).objects).toHaveLength(1)
  })
})

describe('GET /media/{id}/images/{name}', () => {
  it('shows a picture to anyone with the link, until sharing is off; to the owner also then', async () => {
    const { id } = await seedModule()
    await save(id, 'poster', WEBP)
    const own = (await posterOf(id)) ?? ''
    const shared = (await answerOf(ShareAnswer, `/api/share/${id}`)).module.posterUrl ?? ''
    expect((await call(shared)).status).toBe(200)
    await answerOf(Done, `/api/modules/${id}`, { as: AS, method: 'PATCH', json: { shared: false } })
    expect((await problemOf(shared)).code).toBe('not_found')
    expect((await call(own)).status).toBe(200)
    const other = await seedModule()
    expect((await problemOf(own.replace(id, other.id))).code).toBe('not_found')
    expect((await problemOf(own.replace(/images\/poster/, 'video'))).code).toBe('not_found')
    expect((await problemOf(`/media/${id}/images/poster`)).code).toBe('not_found')
  })

  it('is gone with its module', async () => {
    const { id } = await seedModule()
    await save(id, 'poster', WEBP)
    const url = (await posterOf(id)) ?? ''
    await answerOf(Done, `/api/modules/${id}`, { as: AS, method: 'DELETE' })
    expect((await problemOf(url)).code).toBe('not_found')
    const { deps } = openDriver()
    await sweepHere({ ...deps, nowMs: () => Date.now() + 8 * 24 * 60 * 60_000 })
    expect((await env.MEDIA.list({ prefix: `images/${id}/` })).objects).toEqual([])
  })
})
