import { describe, expect, it } from 'vitest'
import { ShareAnswer } from '#contract/share.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { plantCaptions, plantModule } from '#local/testing/modules.ts'
import { readVtt } from '#media/testing/read-vtt.ts'

const SAID = 'Cut <here> & --> there.'

async function plantCaptioned(fields: Parameters<typeof plantModule>[0] = {}): Promise<string> {
  const { id } = await plantModule({ status: 'READY', durationMs: 60_000, ...fields })
  await plantCaptions(id, [{ startMs: 1500, endMs: 4000, text: SAID, confidence: null }])
  return id
}

describe('GET /share/{id}/captions.vtt', () => {
  it('serves the transcript as captions to anyone with the link, cached, and names its address', async () => {
    const id = await plantCaptioned()
    const { module } = await answerOf(ShareAnswer, `/api/share/${id}`)
    expect(module.captionsUrl).toBe(`/share/${id}/captions.vtt`)
    const first = await call(`/share/${id}/captions.vtt`)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
    expect(first.headers.get('cloudflare-cdn-cache-control')).toBeNull()
    const etag = first.headers.get('etag') ?? ''
    expect(readVtt(await first.text())).toEqual([{ startMs: 1500, endMs: 4000, text: SAID }])
    const second = await call(`/share/${id}/captions.vtt`)
    expect(second.headers.get('cf-cache-status')).toBe('HIT')
    const same = await call(`/share/${id}/captions.vtt`, { headers: { 'if-none-match': etag } })
    expect(same.status).toBe(304)
  })

  it('has nothing for un-shared, unknown, unheard and unfinished modules', async () => {
    const off = await plantCaptioned({ shared: false })
    const unfinished = await plantCaptioned({ status: 'PROCESSING' })
    const unheard = await plantModule({ status: 'READY' })
    for (const id of [off, unfinished, unheard.id, 'nonsense', 'aaaaaaaaaaaaaaaaaaaaaa']) {
      expect((await problemOf(`/share/${id}/captions.vtt`)).code, id).toBe('not_found')
    }
    expect((await answerOf(ShareAnswer, `/api/share/${unfinished}`)).module.captionsUrl).toBeNull()
    expect((await answerOf(ShareAnswer, `/api/share/${unheard.id}`)).module.captionsUrl).toBeNull()
  })
})
