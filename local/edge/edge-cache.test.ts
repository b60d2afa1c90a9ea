import { describe, expect, it, vi } from 'vitest'
import { EdgeCacheStandIn } from './edge-cache.ts'

const CACHEABLE = {
  'cloudflare-cdn-cache-control': 'max-age=30, stale-while-revalidate=30, stale-if-error=0',
  'cache-control': 'public, max-age=0',
  'cache-tag': 'share-a, other',
}

interface Setup {
  answer?: () => Response | Promise<Response>
}

function open({ answer = () => new Response('hello', { headers: CACHEABLE }) }: Setup = {}) {
  let nowMs = 0
  let runs = 0
  const ranges: (string | null)[] = []
  const works: Promise<unknown>[] = []
  const edge = new EdgeCacheStandIn(() => nowMs)
  const ask = (headers: Record<string, string> = {}, path = '/share/a') =>
    edge.answer({
      request: new Request(`https://edge.test${path}`, { headers }),
      origin: async (request) => {
        runs += 1
        ranges.push(request.headers.get('range'))
        return answer()
      },
      waitUntil: (work) => works.push(work),
    })
  const statusOf = async () => (await ask()).headers.get('cf-cache-status')
  return {
    ask,
    statusOf,
    purge: (tags: string[]) => edge.purge(tags),
    pass: (ms: number) => {
      nowMs += ms
    },
    settle: () => Promise.all(works),
    runs: () => runs,
    ranges,
  }
}

describe('EdgeCacheStandIn', () => {
  it('runs the origin once for as long as the answer is fresh', async () => {
    const edge = open()
    expect(await edge.statusOf()).toBe('MISS')
    edge.pass(29_999)
    expect(await edge.statusOf()).toBe('HIT')
    expect(await (await edge.ask()).text()).toBe('hello')
    expect(edge.runs()).toBe(1)
  })

  it('gives out what is stale while it asks again, and then no more', { tags: 'fault-36' }, async () => {
    let text = 'old'
    const edge = open({ answer: () => new Response(text, { headers: CACHEABLE }) })
    await edge.ask()
    text = 'new'
    edge.pass(30_000)
    expect(await (await edge.ask()).text()).toBe('old')
    await edge.settle()
    expect(await (await edge.ask()).text()).toBe('new')
    edge.pass(60_000)
    expect(await edge.statusOf()).toBe('MISS')
  })

  it('never gives out what a minute has passed since, also when the origin fails', { tags: 'fault-41' }, async () => {
    let isGone = false
    const edge = open({
      answer: () => (isGone ? new Response('', { status: 503 }) : new Response('hello', { headers: CACHEABLE })),
    })
    await edge.ask()
    isGone = true
    edge.pass(60_000)
    expect((await edge.ask()).status).toBe(503)
  })

  it('forgets at once when the refresh of a stale answer finds nothing', async () => {
    let isGone = false
    const edge = open({
      answer: () => (isGone ? new Response('', { status: 404 }) : new Response('hello', { headers: CACHEABLE })),
    })
    await edge.ask()
    isGone = true
    edge.pass(31_000)
    expect((await edge.ask()).status).toBe(200)
    await edge.settle()
    expect((await edge.ask()).status).toBe(404)
  })

  it('forgets by tag', async () => {
    const edge = open()
    await edge.ask()
    await edge.purge(['share-b'])
    expect(await edge.statusOf()).toBe('HIT')
    await edge.purge(['share-a'])
    expect(await edge.statusOf()).toBe('MISS')
  })

  it('does not keep what was read before a purge', async () => {
    const gate = Promise.withResolvers<void>()
    const edge = open({
      answer: async () => {
        await gate.promise
        return new Response('old', { headers: CACHEABLE })
      },
    })
    const asked = edge.ask()
    await edge.purge(['share-a'])
    gate.resolve()
    expect(await (await asked).text()).toBe('old')
    expect(await edge.statusOf()).toBe('MISS')
  })

  it.each([
    ['no-store', { 'cache-control': 'no-store' }],
    ['private', { 'cache-control': 'private, max-age=60' }],
    ['without any word', {}],
  ])('keeps nothing that is %s', async (_, headers: Record<string, string>) => {
    const edge = open({ answer: () => new Response('hello', { headers }) })
    await edge.ask()
    await edge.ask()
    expect(edge.runs()).toBe(2)
  })

  it('lets one run of the origin serve a thousand that come at once', { tags: 'fault-43' }, async () => {
    const origin = Promise.withResolvers<void>()
    const edge = open({
      answer: async () => {
        await origin.promise
        return new Response('hello', { headers: CACHEABLE })
      },
    })
    const asked = Array.from({ length: 1000 }, () => edge.ask())
    await vi.waitFor(() => expect(edge.runs()).toBe(1))
    origin.resolve()
    const answers = await Promise.all(asked)
    expect(edge.runs()).toBe(1)
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(Array(1000).fill('hello'))
  })

  it('lets everyone run when the first finds nothing to keep', async () => {
    const edge = open({ answer: () => new Response('', { status: 404 }) })
    const answers = await Promise.all([edge.ask(), edge.ask(), edge.ask()])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(edge.runs()).toBe(3)
  })

  it('cuts ranges out of the whole, which alone the origin is asked for', async () => {
    const edge = open()
    for (const round of ['MISS', 'HIT']) {
      const answer = await edge.ask({ range: 'bytes=1-3' })
      expect(answer.status).toBe(206)
      expect(answer.headers.get('cf-cache-status')).toBe(round)
      expect(answer.headers.get('content-range')).toBe('bytes 1-3/5')
      expect(await answer.text()).toBe('ell')
    }
    expect(edge.ranges).toEqual([null])
  })

  it('passes on what is too large to keep', async () => {
    const large = { ...CACHEABLE, 'content-length': String(17 * 1024 * 1024) }
    const edge = open({ answer: () => new Response('hello', { headers: large }) })
    expect((await edge.ask({ range: 'bytes=1-3' })).status).toBe(200)
    expect(await edge.statusOf()).toBe('BYPASS')
  })
})
