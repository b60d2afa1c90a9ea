// Behaviour: a training on this device: planning, making, refreshing and serving its copy.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SHARE_DATA_ID } from '#contract/share-page.ts'
import { makeSharedModule } from '#contract/testing/examples.ts'
import { FakeCaches, FakeLocks } from '#web/testing/fake-caches.ts'
import { findCopy, formatAge, type KeptCopy, listCopies, removeCopy } from '../kept-copy.ts'
import { makeCopy, refreshCopy } from '../make-copy.ts'
import { listSharedPaths, loadPage, planCopy, readShareData } from '../plan-copy.ts'
import { answerVideo, dressPage, openCopy, PART_BYTES, readRange } from '../serve-copy.ts'

const ID = 'abcdefghijklmnopqrstuv'
const PAGE = `/share/${ID}`
const POSTER = `${PAGE}/images/poster`
const MODULE = makeSharedModule({ id: ID, title: 'Change the roll', hasVideo: true, posterUrl: POSTER })
/** Two parts and a bit, so that ranges cross their borders. */
const VIDEO = Uint8Array.from({ length: 2 * PART_BYTES + 1_000 }, (_, at) => (at * 7) % 251)

function pageOf(module: object | null, status = 200): string {
  const data = JSON.stringify({ module, status, look: 'page' })
  return `<html lang="en" data-files="/assets/kept-files-1.json"><body><!--kept-text--><script type="application/json" id="${SHARE_DATA_ID}">${data}</script></body></html>`
}

/** A matcher would walk through a million bytes one by one. */
function isSame(answered: ArrayBuffer, expected: Uint8Array): boolean {
  const bytes = new Uint8Array(answered)
  return bytes.length === expected.length && bytes.every((byte, at) => byte === expected[at])
}

let caches: FakeCaches
let asked: string[]
/** What the server answers; a path that is not there is 404. */
let server: Record<string, (request: Request) => Response>

function answerRange(request: Request): Response {
  const headers = { etag: '"video"', 'content-type': 'video/mp4', 'content-length': String(VIDEO.length) }
  if (request.method === 'HEAD') return new Response(null, { headers })
  const from = Number(/\d+/.exec(request.headers.get('range') ?? '')?.[0])
  return new Response(VIDEO.slice(from), { status: 206, headers })
}

beforeEach(() => {
  caches = new FakeCaches()
  asked = []
  server = {
    [PAGE]: () => new Response(pageOf(MODULE), { headers: { etag: '"one"' } }),
    '/assets/kept-files-1.json': () => Response.json([['/assets/keep-training-abc.js', 100]]),
    '/assets/keep-training-abc.js': () => new Response('x'.repeat(100)),
    [POSTER]: () => new Response('image', { headers: { 'content-length': '5' } }),
    [`${PAGE}/video`]: answerRange,
  }
  vi.stubGlobal('caches', caches)
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { locks: new FakeLocks() }))
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    init.signal?.throwIfAborted()
    const { signal: _, ...rest } = init
    const request = new Request(`https://adapt.test${path}`, rest)
    asked.push(`${request.method} ${path}`)
    return server[path]?.(request) ?? new Response('', { status: 404 })
  })
})

afterEach(() => vi.unstubAllGlobals())

async function keep(options: Partial<Parameters<typeof makeCopy>[1]> = {}): Promise<void> {
  await makeCopy(await planCopy(PAGE, await loadPage(PAGE)), { video: 'original', ...options })
}

async function getCopy(): Promise<KeptCopy> {
  const copy = await findCopy(PAGE)
  if (copy === null) throw new Error('nothing is kept')
  return copy
}

const cachesOfCopies = async () => (await caches.keys()).filter((name) => name !== 'adapt_kept')

describe('planCopy', () => {
  it('says before how much is kept, of all that the page and its build name', async () => {
    const plan = await planCopy(PAGE, await loadPage(PAGE))
    expect(plan).toMatchObject({ moduleId: ID, title: 'Change the roll', build: ['/assets/keep-training-abc.js'] })
    expect(plan.sizeBytes).toBe(pageOf(MODULE).length + 100 + 5)
    const original = { sizeBytes: VIDEO.length, etag: '"video"', type: 'video/mp4' }
    expect(plan.videos).toEqual({ original, small: null })
  })

  it('finds images in whatever field they stand, and captions only where there are some', () => {
    const srcset = `${POSTER}?width=320 320w, ${POSTER}?width=960 960w`
    const step = { ...MODULE.steps[0], image: { srcset }, other: '/share/another/images/poster' }
    const data = { module: { ...MODULE, captionsUrl: null, steps: [step] }, status: 200, look: 'page' } as never
    const paths = listSharedPaths(data)
    expect(paths).toEqual(
      expect.arrayContaining([POSTER, `${POSTER}?width=320`, `${POSTER}?width=960`, `${PAGE}/print`]),
    )
    expect(paths.filter((path) => /captions|another/.test(path))).toEqual([])
  })

  it('takes the files of a translation in its language', () => {
    const translation = { language: 'es', isApproved: true, engine: null, isRough: false, missing: 0 }
    const captionsUrl = `${PAGE}/captions.vtt?lang=es`
    const data = { module: { ...MODULE, captionsUrl, translation }, status: 200, look: 'page' } as never
    const files = listSharedPaths(data).filter((path) => !path.includes('/images/'))
    expect(files.length).toBeGreaterThan(4)
    expect(files.filter((path) => !path.endsWith('?lang=es'))).toEqual([])
  })

  it.each(['/assets/kept-files-1.json', `${PAGE}/video`])(
    'says of a page whose %s was replaced by a deployment that it failed, not that its link is off',
    async (path) => {
      await keep()
      delete server[path]
      await expect(loadPage(PAGE).then((page) => planCopy(PAGE, page))).rejects.toMatchObject({ reason: 'failed' })
      server[PAGE] = () => new Response(pageOf(MODULE), { headers: { etag: '"two"' } })
      expect(await refreshCopy(await getCopy())).toBe('unreachable')
      expect(await findCopy(PAGE)).not.toBeNull()
    },
  )

  it('takes the page of a network that wants a sign-in for none of ours', async () => {
    server[PAGE] = () => new Response('<html lang="en"><body>Welcome to the guest network</body></html>')
    expect(readShareData('<html></html>')).toBeNull()
    await expect(loadPage(PAGE).then((page) => planCopy(PAGE, page))).rejects.toMatchObject({ reason: 'failed' })
  })
})

describe('makeCopy', () => {
  it('keeps the page with all of it, and counts what has come', async () => {
    const seen: number[] = []
    await keep({ onProgress: (bytes) => seen.push(bytes) })
    const copy = await getCopy()
    expect(copy).toMatchObject({ title: 'Change the roll', etag: '"one"', video: { sizeBytes: VIDEO.length } })
    expect(seen.at(-1)).toBe(copy.sizeBytes)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(await listCopies()).toHaveLength(1)
  })

  it('reads on where the connection of the video broke', async () => {
    let breaks = 2
    server[`${PAGE}/video`] = (request) => {
      const answer = answerRange(request)
      if (request.method === 'HEAD' || breaks-- <= 0) return answer
      const from = Number(/\d+/.exec(request.headers.get('range') ?? '')?.[0])
      let isSent = false
      const body = new ReadableStream({
        pull(controller) {
          if (isSent) return controller.error(new TypeError('network error'))
          isSent = true
          controller.enqueue(VIDEO.slice(from, from + PART_BYTES + 10))
        },
      })
      return new Response(body, { status: 206, headers: answer.headers })
    }
    await keep()
    const { video } = await getCopy()
    const whole = await answerVideo(video ?? expect.fail(), new Request('https://adapt.test/video'))
    expect(isSame(await whole.arrayBuffer(), VIDEO)).toBe(true)
    expect(asked.filter((each) => each === `GET ${PAGE}/video`)).toHaveLength(3)
  })

  it.each([
    ['the storage is full', () => void (caches.roomBytes = PART_BYTES), 'full'],
    ['a file of the build is gone', () => void delete server['/assets/keep-training-abc.js'], 'failed'],
    ['the video was replaced meanwhile', () => void (server[`${PAGE}/video`] = replaced), 'failed'],
  ])('leaves nothing where %s', async (_what, prevent, reason) => {
    prevent()
    await expect(keep()).rejects.toMatchObject({ reason })
    expect(await findCopy(PAGE)).toBeNull()
    expect(await cachesOfCopies()).toEqual([])
  })

  it('leaves nothing when it is called off, or the copy from before', async () => {
    const over = new AbortController()
    const callOff = { signal: over.signal, onProgress: () => over.abort(new Error('called off')) }
    await expect(keep(callOff)).rejects.toThrow('called off')
    expect(await cachesOfCopies()).toEqual([])
    await keep()
    const before = await getCopy()
    await expect(keep(callOff)).rejects.toThrow('called off')
    expect(await findCopy(PAGE)).toEqual(before)
    expect(await cachesOfCopies()).toHaveLength(2)
  })
})

describe('a training with a small copy', () => {
  const SMALL = `${PAGE}/video/small`
  const BYTES = VIDEO.slice(0, PART_BYTES + 7)
  const smallCopy = { sizeBytes: BYTES.length, codec: 'avc1.64001f' }

  beforeEach(() => {
    server[PAGE] = () => new Response(pageOf({ ...MODULE, smallCopy }), { headers: { etag: '"one"' } })
    server[SMALL] = (request) => {
      const headers = { etag: '"small"', 'content-type': 'video/mp4', 'content-length': String(BYTES.length) }
      return request.method === 'HEAD'
        ? new Response(null, { headers })
        : new Response(BYTES.slice(), { status: 206, headers })
    }
  })

  it('is kept with that alone, where a person wants it, and stays so', async () => {
    const { videos } = await planCopy(PAGE, await loadPage(PAGE))
    expect([videos.original?.sizeBytes, videos.small?.sizeBytes]).toEqual([VIDEO.length, BYTES.length])
    await keep({ video: 'small' })
    const { video } = await getCopy()
    expect(video).toMatchObject({ quality: 'small', etag: '"small"', sizeBytes: BYTES.length })
    const whole = await answerVideo(video ?? expect.fail(), new Request('https://adapt.test/video'))
    expect(isSame(await whole.arrayBuffer(), BYTES)).toBe(true)
    server[PAGE] = () => new Response(pageOf({ ...MODULE, smallCopy, title: 'New' }), { headers: { etag: '"two"' } })
    expect(await refreshCopy(await getCopy())).toBe('changed')
    expect((await getCopy()).video).toEqual(video)
    expect(asked).not.toContain(`GET ${PAGE}/video`)
  })

  it('keeps its small copy where the server has none any more: nobody has asked for the original', async () => {
    await keep({ video: 'small' })
    const { video } = await getCopy()
    delete server[SMALL]
    for (const [etag, module] of [
      ['"two"', { ...MODULE, smallCopy }],
      ['"three"', MODULE],
    ] as const) {
      server[PAGE] = () => new Response(pageOf(module), { headers: { etag } })
      await refreshCopy(await getCopy())
      expect(await getCopy()).toMatchObject({ etag, video })
    }
    expect(asked).not.toContain(`GET ${PAGE}/video`)
    await keep({ video: 'original' })
    expect((await getCopy()).video).toMatchObject({ quality: 'original', sizeBytes: VIDEO.length })
  })

  it('stays with its page where a cut was undone, which its small copy may lack, until there is a copy of all', async () => {
    const pageWith = (module: object, etag: string) =>
      void (server[PAGE] = () => new Response(pageOf({ ...MODULE, ...module }), { headers: { etag } }))
    pageWith({ smallCopy, cuts: [[5, 9]] }, '"one"')
    await keep({ video: 'small' })
    const before = await getCopy()
    pageWith({ cuts: [[7, 9]] }, '"two"')
    expect(await refreshCopy(before)).toBe('unreachable')
    expect(await getCopy()).toEqual(before)
    pageWith({ cuts: [[5, 9]], title: 'New' }, '"three"')
    expect(await refreshCopy(await getCopy())).toBe('changed')
    pageWith({ smallCopy, cuts: [] }, '"four"')
    await refreshCopy(await getCopy())
    expect(await getCopy()).toMatchObject({ etag: '"four"' })
  })

  it.each([429, 503])('stays as it is where the server answers %d for its small copy', async (status) => {
    await keep({ video: 'small' })
    const before = await getCopy()
    server[PAGE] = () => new Response(pageOf({ ...MODULE, smallCopy }), { headers: { etag: '"two"' } })
    server[SMALL] = () => new Response('', { status })
    expect(await refreshCopy(before)).toBe('unreachable')
    expect(await getCopy()).toEqual(before)
    await expect(loadPage(PAGE).then((page) => planCopy(PAGE, page))).rejects.toMatchObject({ reason: 'failed' })
  })
})

const replaced = (request: Request) =>
  request.method === 'HEAD' ? answerRange(request) : new Response('', { headers: { etag: '"another"' } })

describe('refreshCopy', () => {
  const change = () =>
    void (server[PAGE] = () => new Response(pageOf({ ...MODULE, title: 'New' }), { headers: { etag: '"two"' } }))

  it('makes the copy again where the page has changed, without the video and the files that it has', async () => {
    await keep()
    change()
    asked.length = 0
    expect(await refreshCopy(await getCopy())).toBe('changed')
    expect(await getCopy()).toMatchObject({ title: 'New', etag: '"two"' })
    expect(asked).not.toContain(`GET ${PAGE}/video`)
    expect(asked).not.toContain('GET /assets/keep-training-abc.js')
    expect(await cachesOfCopies()).toHaveLength(2)
  })

  it('takes the files of a new deployment, which changes nothing to see', async () => {
    await keep()
    const html = pageOf(MODULE).replace('kept-files-1', 'kept-files-2')
    server[PAGE] = () => new Response(html, { headers: { etag: '"deployed"' } })
    server['/assets/kept-files-2.json'] = () => Response.json([['/assets/keep-training-xyz.js', 1]])
    server['/assets/keep-training-xyz.js'] = () => new Response('y')
    expect(await refreshCopy(await getCopy())).toBe('same')
    expect(await getCopy()).toMatchObject({ etag: '"deployed"' })
    expect(await (await openCopy(await getCopy(), () => ''))?.text()).toContain('/assets/keep-training-xyz.js')
  })

  it('does not watch over the list of copies, which looks after itself', async () => {
    await keep()
    const list = await openCopy({ ...(await getCopy()), moduleId: '' }, () => '')
    expect(await list?.text()).not.toContain('keep-training')
  })

  it('takes a version that looks like the one before, as while images are made', async () => {
    await keep()
    const html = pageOf({ ...MODULE, stepsVersion: MODULE.stepsVersion + 1, message: 'Done' })
    server[PAGE] = () => new Response(html, { headers: { etag: '"later"' } })
    expect(await refreshCopy(await getCopy())).toBe('same')
    expect(await getCopy()).toMatchObject({ etag: '"later"' })
  })

  it('notes when nothing has changed, also where compression made the tag weak', async () => {
    await keep()
    server[PAGE] = () => new Response(pageOf(MODULE), { headers: { etag: 'W/"one"' } })
    expect(await refreshCopy({ ...(await getCopy()), checkedAtMs: 0 })).toBe('same')
    expect((await getCopy()).checkedAtMs).toBeGreaterThan(0)
  })

  it('says when the link is switched off, and when the server is away, and keeps the copy meanwhile', async () => {
    await keep()
    server[PAGE] = () => new Response(pageOf(null, 404), { status: 404 })
    expect(await refreshCopy(await getCopy())).toBe('gone')
    // It has another password now, or has ended.
    for (const status of [403, 410]) {
      server[PAGE] = () => new Response(pageOf(null, status), { status })
      expect(await refreshCopy(await getCopy())).toBe('gone')
    }
    server[PAGE] = () => new Response(pageOf(null, 503), { status: 503 })
    expect(await refreshCopy(await getCopy())).toBe('unreachable')
    // Of a network that blocks all requests: the page would otherwise be loaded again without an end.
    delete server[PAGE]
    expect(await refreshCopy(await getCopy())).toBe('unreachable')
    expect(await findCopy(PAGE)).not.toBeNull()
  })

  it.each([
    ['the same', () => {}],
    ['another', change],
  ])('does not bring a copy back that was removed meanwhile, when the page is %s', async (_what, prepare) => {
    await keep()
    const copy = await getCopy()
    await removeCopy(PAGE)
    prepare()
    await refreshCopy(copy)
    expect(await findCopy(PAGE)).toBeNull()
    expect(await cachesOfCopies()).toEqual([])
  })
})

describe('answerVideo', () => {
  const last = VIDEO.length - 1
  it.each([
    ['bytes=0-', 0, last],
    ['bytes=0-1', 0, 1],
    [`bytes=${PART_BYTES - 1}-${PART_BYTES}`, PART_BYTES - 1, PART_BYTES],
    [`bytes=${2 * PART_BYTES}-`, 2 * PART_BYTES, last],
    ['bytes=-500', VIDEO.length - 500, last],
    [`bytes=5-${last + 100}`, 5, last],
  ])('answers %s byte by byte', async (range, from, to) => {
    await keep()
    const { video } = await getCopy()
    const answer = await answerVideo(
      video ?? expect.fail(),
      new Request('https://adapt.test/v', { headers: { range } }),
    )
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe(`bytes ${from}-${to}/${VIDEO.length}`)
    expect(answer.headers.get('content-length')).toBe(String(to - from + 1))
    expect(isSame(await answer.arrayBuffer(), VIDEO.slice(from, to + 1))).toBe(true)
  })

  it('refuses what is beyond the end', async () => {
    await keep()
    const { video } = await getCopy()
    const headers = { range: `bytes=${VIDEO.length}-` }
    const answer = await answerVideo(video ?? expect.fail(), new Request('https://adapt.test/v', { headers }))
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${VIDEO.length}`])
  })

  it.each([null, 'bytes=0-1,5-6', 'items=0-1', 'bytes=-', 'bytes=a-b'])('reads no range in %s', (header) => {
    expect(readRange(header, 100)).toBeNull()
  })
})

describe('openCopy', () => {
  it('opens the page with its notice, and with the script that looks for news', async () => {
    await keep()
    const html = await (await openCopy(await getCopy(), () => 'As it was $& just now'))?.text()
    expect(html).toContain('data-kept="copy"')
    expect(html).toContain('<body>As it was $& just now')
    expect(html).toContain('<script type="module" src="/assets/keep-training-abc.js"></script></body>')
  })

  it('leaves a page alone that has no place for a notice', () => {
    expect(dressPage('<p>older</p>', { kind: 'copy', text: 'x' })).toBe('<p>older</p>')
  })
})

it.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 minute ago'],
  [3_599_999, '59 minutes ago'],
  [7_200_000, '2 hours ago'],
  [86_400_000, '1 day ago'],
])('%d ms ago is %s', (ageMs, text) => {
  expect(formatAge(1_000_000, 1_000_000 + ageMs, { tag: 'en', now: 'just now' })).toBe(text)
})
