import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LearningReport } from '#contract/learning.ts'
import { LEARNING_PATH, sendPublicly, startPublicly } from './send-report.ts'

const REPORT: LearningReport = {
  moduleId: 'm1',
  session: 'session-of-this-page',
  seq: 3,
  segments: [[0, 4]],
  position: 4,
}
const PROGRESS = { seen: [[0, 4]], percent: 40, isCompleted: false, position: 4 }

const calls: { path: string; init: RequestInit }[] = []
const beacons: { path: string; body: Blob }[] = []
let answer: () => Response

beforeEach(() => {
  calls.length = 0
  beacons.length = 0
  answer = () => Response.json({ success: true, progress: PROGRESS })
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    calls.push({ path, init })
    return answer()
  })
  navigator.sendBeacon = (path, body) => beacons.push({ path: String(path), body: body as Blob }) > 0
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function hide(): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
}

describe('sendPublicly', () => {
  test('sends with keepalive, and returns the progress of the answer', async () => {
    hide()
    vi.stubGlobal(
      'Request',
      Object.assign(() => {}, { prototype: { keepalive: true } }),
    )
    expect(await sendPublicly(REPORT)).toEqual({ kind: 'taken', progress: PROGRESS })
    expect(calls).toMatchObject([{ path: LEARNING_PATH, init: { method: 'POST', keepalive: true } }])
    expect(JSON.parse(calls[0]?.init.body as string)).toEqual(REPORT)
    expect(beacons).toEqual([])
  })

  test('hands it to a beacon where a browser ends its requests with the page, and sends it again later', async () => {
    hide()
    vi.stubGlobal('Request', class {})
    expect(await sendPublicly(REPORT)).toEqual({ kind: 'later', afterMs: 0 })
    expect(calls).toEqual([])
    expect(beacons).toMatchObject([{ path: LEARNING_PATH, body: { type: 'application/json' } }])
    expect(JSON.parse((await beacons[0]?.body.text()) ?? '')).toEqual(REPORT)
  })

  test('needs no beacon while the page is seen', async () => {
    vi.stubGlobal('Request', class {})
    expect((await sendPublicly(REPORT)).kind).toBe('taken')
    expect(beacons).toEqual([])
  })

  test.each([
    [429, '45', 45_000],
    [503, '10', 10_000],
    [503, null, 0],
    [500, 'Wed, 21 Oct 2026 07:28:00 GMT', 0],
    [408, '1', 1_000],
    [401, null, 0],
  ])('comes again after a %i with Retry-After %s, in %i ms at the earliest', async (status, after, afterMs) => {
    answer = () => new Response('{}', { status, headers: after === null ? {} : { 'retry-after': after } })
    expect(await sendPublicly(REPORT)).toEqual({ kind: 'later', afterMs })
  })

  test.each([400, 413, 422])('drops a report that is answered with %i', async (status) => {
    answer = () => new Response('{}', { status })
    expect(await sendPublicly(REPORT)).toEqual({ kind: 'refused' })
  })

  test('starts its session again when that is not valid any more', async () => {
    answer = () => new Response('{}', { status: 403 })
    expect(await sendPublicly(REPORT)).toEqual({ kind: 'expired' })
  })

  test('returns missing for a 404, because the module can be restored', async () => {
    answer = () => new Response('{}', { status: 404 })
    expect(await sendPublicly(REPORT)).toEqual({ kind: 'missing' })
  })

  test('retries later without a connection, and after an answer of another server', async () => {
    answer = () => {
      throw new TypeError('Failed to fetch')
    }
    expect(await sendPublicly(REPORT)).toEqual({ kind: 'later', afterMs: 0 })
    answer = () => new Response('<html>Sign in to the hotel</html>')
    expect(await sendPublicly(REPORT)).toEqual({ kind: 'later', afterMs: 0 })
  })
})

describe('an answer that is not one of ours', () => {
  const SESSION = { success: true, session: 's', learner: 'l', hasAccount: false, progress: PROGRESS }
  const BROKEN = [null, undefined, [], {}, { ...PROGRESS, seen: undefined }, { ...PROGRESS, seen: [1] }]

  test('starts a session only with all that a session needs', async () => {
    answer = () => Response.json(SESSION)
    expect(await startPublicly('m1', {})).toEqual({ kind: 'started', answer: SESSION })
  })

  test.each(
    BROKEN.map(
      (progress) =>
        [
          { success: true, progress },
          { ...SESSION, progress },
        ] as const,
    ),
  )('is asked for again later: %j', async (report, session) => {
    answer = () => Response.json(report)
    expect(await sendPublicly(REPORT)).toEqual({ kind: 'later', afterMs: 0 })
    answer = () => Response.json(session)
    expect(await startPublicly('m1', {})).toEqual({ kind: 'later', afterMs: 0 })
  })

  test.each([null, 'text', { ...SESSION, session: 1 }, { ...SESSION, learner: undefined }])(
    'starts no session: %j',
    async (session) => {
      answer = () => Response.json(session)
      expect(await startPublicly('m1', {})).toEqual({ kind: 'later', afterMs: 0 })
    },
  )
})
