import { afterEach, describe, expect, it, vi } from 'vitest'
import { putChunk } from './put-chunk.ts'

const BODY = new Blob(['audio'], { type: 'audio/ogg' })

function answering(...statuses: number[]) {
  const fetched = vi.fn(
    async (_url: string, _init: RequestInit) => new Response(null, { status: statuses.shift() ?? 500 }),
  )
  vi.stubGlobal('fetch', fetched)
  let round = 0
  const urls = { get: async (chunk: number) => `https://storage/${chunk}?${round}`, forget: () => void round++ }
  return { fetched, put: () => putChunk({ chunk: 7, urls, body: BODY, signal: new AbortController().signal }) }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('putChunk', () => {
  it('puts a chunk with the type that its address is signed for', async () => {
    const { fetched, put } = answering(200)
    await put()
    expect(fetched.mock.calls[0]?.[0]).toBe('https://storage/7?0')
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({
      method: 'PUT',
      body: BODY,
      headers: { 'content-type': 'audio/ogg' },
    })
  })

  it('asks for a fresh address when the old one has expired [fault 4]', async () => {
    const { fetched, put } = answering(403, 200)
    await put()
    expect(fetched.mock.calls.map(([url]) => url)).toEqual(['https://storage/7?0', 'https://storage/7?1'])
  })

  it('gives up on an address that is refused although it is fresh', async () => {
    await expect(answering(403, 403).put()).rejects.toMatchObject({ status: 403 })
  })

  it.each([400, 503])('fails with the status of the storage: %s', async (status) => {
    await expect(answering(status).put()).rejects.toMatchObject({ status })
  })

  it('fails with 0 when no answer comes', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    const urls = { get: async () => 'https://storage/1', forget: () => {} }
    const put = putChunk({ chunk: 1, urls, body: BODY, signal: new AbortController().signal })
    await expect(put).rejects.toMatchObject({ status: 0 })
  })
})
