// Behaviour: a shared module: its data, its video and who may see them.
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { LiveTicketAnswer } from '#contract/live.ts'
import { Done, VideoUrlAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { StepsAnswer } from '#contract/step.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'

const BYTES = Uint8Array.from({ length: 100 }, (_, index) => index)

async function shared(): Promise<string> {
  const { id, sourceKey } = await seedModule({ status: 'READY', durationMs: 60_000, sourceSizeBytes: BYTES.length })
  const object = await env.MEDIA.put(sourceKey, BYTES)
  await env.DB.prepare('UPDATE modules SET source_etag = ? WHERE id = ?').bind(object?.etag, id).run()
  return id
}

async function videoOf(id: string): Promise<string> {
  return (await answerOf(VideoUrlAnswer, `/api/video-url/${id}`)).url
}

describe('GET /api/share/{id}', () => {
  it('shows anyone with the link the steps and nothing else', {
    tags: ['threat-3', 'spec-3.5', 'spec-6.2'],
  }, async () => {
    const id = await shared()
    const proposedCallouts = [{ kind: 'tip', text: 'secret', quote: 'secret' }]
    const secrets = { notes: 'secret', originalText: 'secret', aliases: ['secret'], proposedCallouts }
    const callouts = [{ kind: 'warning', text: 'It is hot.' }]
    const commands = [{ kind: 'command', text: 'lid --open', startMs: 2_000 }]
    const json = {
      steps: [{ title: 'Open it', start: 1, end: 9, chapter: 'The lid', callouts, commands, ...secrets }],
    }
    await answerOf(StepsAnswer, `/api/steps/${id}`, { as: 'user_owner', json })
    const { module } = await answerOf(ShareAnswer, `/api/share/${id}`)
    expect(module.steps).toMatchObject([
      { title: 'Open it', timestamp: 1, duration: 8, chapter: 'The lid', callouts, commands },
    ])
    expect(module.hasVideo).toBe(true)
    const text = await (await call(`/api/share/${id}`)).text()
    expect(text).not.toMatch(/secret|user_owner|src\//)
  })

  it('answers at /share/{id} too when JSON is asked for', { tags: 'spec-7.14' }, async () => {
    const id = await shared()
    const answer = await answerOf(ShareAnswer, `/share/${id}`, { headers: { accept: 'application/json' } })
    expect(answer.module.id).toBe(id)
  })

  it('is gone when sharing is off, before the bytes arrive, and for malformed ids', { tags: 'fault-44' }, async () => {
    const off = await seedModule({ shared: false })
    const early = await seedModule({ receivedAt: null })
    for (const id of [off.id, early.id, 'nonsense']) {
      expect(await problemOf(`/api/share/${id}`)).toMatchObject({
        code: 'not_found',
        error: 'This training module could not be found or is no longer available.',
      })
      expect((await problemOf(`/api/video-url/${id}`)).code).toBe('not_found')
      expect((await problemOf(`/api/share/${id}/live-ticket`, { method: 'POST' })).code).toBe('not_found')
    }
  })
})

describe('GET /api/video-url', () => {
  it('has three addresses, two of them for signed-in people', { tags: ['threat-8', 'spec-7.9'] }, async () => {
    const id = await shared()
    for (const path of [`module/${id}`, `url/${id}`]) {
      expect((await problemOf(`/api/video-url/${path}`)).code).toBe('unauthenticated')
      const { url } = await answerOf(VideoUrlAnswer, `/api/video-url/${path}`, { as: 'user_viewer' })
      expect((await call(url)).status).toBe(200)
    }
  })
})

describe('GET /media/{id}/video', () => {
  it.each([
    ['bytes=0-1', 'bytes 0-1/100', 2],
    ['bytes=90-', 'bytes 90-99/100', 10],
    ['bytes=-5', 'bytes 95-99/100', 5],
  ])('serves %s byte by byte', { tags: 'fault-45' }, async (range, contentRange, length) => {
    const response = await call(await videoOf(await shared()), { headers: { range } })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(contentRange)
    const from = Number(/\d+/.exec(contentRange)?.[0])
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(BYTES.slice(from, from + length))
  })

  it('serves all of it without a range, and says that ranges work', { tags: 'threat-13' }, async () => {
    const response = await call(await videoOf(await shared()))
    expect(response.status).toBe(200)
    expect(response.headers.get('accept-ranges')).toBe('bytes')
    expect(response.headers.get('content-type')).toBe('video/mp4')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-disposition')).toBe('inline')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(BYTES)
  })

  it('refuses a range outside the video', { tags: 'fault-45' }, async () => {
    const url = await videoOf(await shared())
    const headers = { range: 'bytes=100-' }
    expect((await problemOf(url, { headers })).code).toBe('range_not_satisfiable')
    expect((await call(url, { headers })).headers.get('content-range')).toBe('bytes */100')
  })

  it('does not serve bytes that were replaced after complete, and logs it for the operator', {
    tags: ['guarantee-G1', 'fault-5'],
  }, async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const id = await shared()
    const url = await videoOf(id)
    await env.MEDIA.put(`src/${id}/source`, 'other bytes')
    expect((await problemOf(url)).code).toBe('source_changed')
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ event: 'source_replaced', key: `src/${id}/source` }),
    )
    warn.mockRestore()
  })

  it('ends for everyone but owners when sharing is switched off', { tags: 'guarantee-G7' }, async () => {
    const id = await shared()
    const anyone = await videoOf(id)
    const [viewer, owner] = await Promise.all(
      ['user_viewer', 'user_owner'].map((as) => answerOf(VideoUrlAnswer, `/api/video-url/module/${id}`, { as })),
    )
    await answerOf(Done, `/api/modules/${id}`, { as: 'user_owner', method: 'PATCH', json: { shared: false } })
    expect((await problemOf(anyone)).code).toBe('not_found')
    expect((await problemOf(viewer?.url ?? '')).code).toBe('not_found')
    expect((await call(owner?.url ?? '')).status).toBe(200)
  })

  it('refuses without a ticket and with the ticket of another module', { tags: 'threat-10' }, async () => {
    const id = await shared()
    const other = await videoOf(await shared())
    expect((await problemOf(`/media/${id}/video`)).code).toBe('not_found')
    expect((await problemOf(`/media/${id}/video${new URL(other, 'http://x').search}`)).code).toBe('not_found')
  })
})

describe('POST /api/share/{id}/live-ticket', () => {
  it('gives anyone with the link a ticket', async () => {
    const { id } = await seedModule()
    const answer = await answerOf(LiveTicketAnswer, `/api/share/${id}/live-ticket`, { method: 'POST' })
    expect(answer.ticket).not.toBe('')
  })
})
