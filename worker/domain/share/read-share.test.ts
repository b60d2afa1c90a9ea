import { describe, expect, it, vi } from 'vitest'
import { EDGE_OBJECT_MAX_BYTES, openSharedVideo } from './read-share.ts'

const GRANT = { key: 'src/m1/source', etag: 'abc', sizeBytes: 100, contentType: 'video/mp4', earlyIndex: null }
const RANGE = { offset: 10, length: 5 }

/** An edge that answers so, in front of a bucket that says which range it was asked for. */
function openPlaces(answer: () => Response | Promise<Response>) {
  const asked: (string | null)[] = []
  const kept: Promise<unknown>[] = []
  const bucket = {
    get: async (_key: string, { range }: R2GetOptions) => ({
      body: new Response(`bucket ${JSON.stringify(range ?? 'all')}`).body,
    }),
  }
  const askEdge = async (range: string | null) => {
    asked.push(range)
    return answer()
  }
  const keepAlive = (work: Promise<unknown>) => void kept.push(work)
  return { asked, kept, places: { askEdge, bucket: bucket as unknown as R2Bucket, keepAlive } }
}

async function textOf(stream: ReadableStream): Promise<string> {
  return new Response(stream).text()
}

const part = (status: number, contentRange: string) => () =>
  new Response('edge', { status, headers: { 'content-range': contentRange } })

describe('openSharedVideo', () => {
  it('takes the very range out of the copy at the edge', { tags: 'fault-45' }, async () => {
    const { asked, places } = openPlaces(part(206, 'bytes 10-14/100'))
    expect(await textOf(await openSharedVideo(places, GRANT, RANGE))).toBe('edge')
    expect(asked).toEqual(['bytes=10-14'])
  })

  it('takes all of it where all of it was asked for', async () => {
    const { asked, places } = openPlaces(() => new Response('edge'))
    expect(await textOf(await openSharedVideo(places, GRANT, null))).toBe('edge')
    expect(asked).toEqual([null])
  })

  it.each([
    ['another range', part(206, 'bytes 10-15/100')],
    ['a range of another file', part(206, 'bytes 10-14/101')],
    ['all of it', () => new Response('edge')],
    ['nothing', () => new Response(null, { status: 204 })],
    ['a failure', () => new Response('edge', { status: 503 })],
  ])('goes to the bucket where the edge has %s to give', { tags: 'fault-45' }, async (_what, answer) => {
    const { places } = openPlaces(answer)
    const stream = await openSharedVideo(places, GRANT, RANGE)
    expect(await textOf(stream)).toBe('bucket {"offset":10,"length":5}')
  })

  it('does not wait for an edge that fetches the whole video first, and lets it fill its copy', async () => {
    const late = Promise.withResolvers<Response>()
    const { kept, places } = openPlaces(() => late.promise)
    const stream = await openSharedVideo(places, GRANT, RANGE)
    expect(await textOf(stream)).toContain('bucket')
    expect(kept).toHaveLength(1)
    const cancel = vi.fn()
    late.resolve(new Response(new ReadableStream({ cancel })))
    await Promise.all(kept)
    expect(cancel).toHaveBeenCalledOnce()
  })

  it('does not mind that an edge fails that it no longer waits for', async () => {
    const late = Promise.withResolvers<Response>()
    const { kept, places } = openPlaces(() => late.promise)
    await openSharedVideo(places, GRANT, RANGE)
    late.reject(new Error('the edge is away'))
    await expect(Promise.all(kept)).resolves.toEqual([undefined])
  })

  it('streams what is too large for the edge past it', async () => {
    const { asked, places } = openPlaces(part(206, 'bytes 10-14/100'))
    const large = { ...GRANT, sizeBytes: EDGE_OBJECT_MAX_BYTES + 1 }
    expect(await textOf(await openSharedVideo(places, large, RANGE))).toContain('bucket')
    expect(asked).toEqual([])
    const largest = { ...GRANT, sizeBytes: EDGE_OBJECT_MAX_BYTES }
    await openSharedVideo(places, largest, RANGE)
    expect(asked).toHaveLength(1)
  })
})
