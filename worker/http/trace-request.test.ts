import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Hono } from 'hono'
import { nanoid } from 'nanoid'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { LiveTicketAnswer } from '#contract/live.ts'
import { VideoUrlAnswer } from '#contract/module.ts'
import { answerOf, call } from '#local/testing/api.ts'
import { openLearnerPage } from '#local/testing/learners.ts'
import { seedModule } from '#local/testing/modules.ts'
import { tokenOf } from '#local/testing/sign-in.ts'
import { seedTutored, WRENCH } from '#local/testing/tutored.ts'
import { AppError } from '#worker/core/errors.ts'
import { openDb } from '#worker/db/db.ts'
import { findModule, updateModule } from '#worker/domain/module/module-store.ts'
import { type Line, linesOf } from '#worker/log/testing/lines.ts'
import type { AppEnv } from './app-env.ts'
import { answerProblem } from './problem.ts'
import { traceRequest } from './trace-request.ts'

async function linesOfCall(path: string, options?: Parameters<typeof call>[1]) {
  let response = new Response()
  const lines = await linesOf(async () => {
    response = await call(path, options)
  })
  return { response, lines, line: lines.find(({ event }) => event === 'request') ?? ({} as Line) }
}

it('writes one line of a request, by its pattern and the id in the answer', async () => {
  const { id, userId } = await seedModule()
  const headers = { 'x-request-id': 'made-by-the-visitor', 'cf-ray': '8f1c2d3e4b5a6978-FRA' }
  const { response, lines, line } = await linesOfCall(`/api/modules/${id}`, { as: userId, headers })
  expect(lines).toHaveLength(1)
  expect(line).toEqual({
    level: 'info',
    event: 'request',
    outcome: 'done',
    method: 'GET',
    route: '/api/modules/:moduleId',
    status: 200,
    durationMs: expect.any(Number),
    moduleId: id,
    ray: '8f1c2d3e4b5a6978-FRA',
    requestId: response.headers.get('x-request-id'),
    userId,
  })
  expect(line['requestId']).toMatch(/^[\da-f-]{36}$/)
})

it.each([
  ['GET', '/api/modules/processing', 401, '/api/modules/processing', 'unauthenticated'],
  ['GET', '/api/steps/short', 401, '/api/steps/:moduleId', 'unauthenticated'],
  ['GET', `/missing/${nanoid()}`, 404, 'none', 'not_found'],
  ['POST', '/api/feedback/submit', 401, '/api/feedback/submit', 'unauthenticated'],
])('says why %s %s is refused, and on which route', async (method, path, status, route, code) => {
  const { response, line } = await linesOfCall(path, { method })
  expect(line).toMatchObject({ level: 'info', outcome: 'refused', status, route, code })
  const problem: { requestId: string } = await response.json()
  expect(problem.requestId).toBe(line['requestId'])
  expect(response.headers.get('x-request-id')).toBe(line['requestId'])
})

/** An app of two routes that fail. */
function brokenApp() {
  const app = new Hono<AppEnv>()
  app.onError(answerProblem)
  return app
    .use(traceRequest({ event: 'request', idOf: () => 'r1' }))
    .get('/bug/:moduleId', () => {
      throw new TypeError(`cannot fetch https://r2.dev/x?X-Amz-Signature=f00d for jo@example.org`)
    })
    .get('/away', () => {
      throw new Error('D1_ERROR: Network connection lost.')
    })
    .get('/slow', () => {
      throw new AppError('unavailable', 'Later.', { cause: new AppError('ai_busy', 'The model is out of capacity.') })
    })
}

it.each([
  ['/bug/8f1c2d3e4b5a6978', 'error', 500, 'internal', /^TypeError: cannot fetch [^]+trace-request/],
  ['/away', 'warn', 503, 'unavailable', /Network connection lost/],
  ['/slow', 'warn', 503, 'unavailable', /ai_busy: The model is out of capacity/],
])('logs the cause of %s in its one line, and keeps it out of the answer', async (path, level, status, code, cause) => {
  let text = ''
  const lines = await linesOf(async () => {
    text = await (await brokenApp().fetch(new Request(`http://localhost${path}`), env, createExecutionContext())).text()
  })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ level, outcome: 'failed', status, code, requestId: 'r1' })
  expect(lines[0]?.['cause']).toMatch(cause)
  expect(JSON.stringify(lines)).not.toMatch(/f00d|jo@example/)
  expect(text).not.toMatch(/TypeError|Network connection|ai_busy|f00d| at /)
})

it("follows a question into the room and to the tutor's runner", async () => {
  const { as, moduleId } = await seedTutored()
  const json = { moduleId, userMessage: WRENCH, currentStep: 0, allSteps: [], videoTime: 1 }
  const { lines, line } = await linesOfCall('/api/ai/contextual-response', { as, json })
  const answered = lines.find(({ event }) => event === 'tutor_answer')
  expect(answered).toMatchObject({ requestId: line['requestId'], moduleId, end: 'complete' })
  expect(line).toMatchObject({ moduleId, userId: as, route: '/api/ai/contextual-response' })
})

it('goes along in the queue, to the attempts of whatever the request started', async () => {
  const as = `user_${nanoid(8)}`
  const { id: moduleId } = await seedModule({ userId: as, status: 'FAILED', run: 0 })
  let requestId: string | null = null
  const lines = await linesOf(async () => {
    const response = await call(`/api/reprocess/${moduleId}`, { as, method: 'POST' })
    requestId = response.headers.get('x-request-id')
    await vi.waitFor(async () => {
      const { status } = (await findModule(openDb(env.DB), moduleId)) ?? {}
      expect(status).toBe('FAILED')
    })
  })
  // There is no video in the bucket.
  const attempt = { event: 'task', level: 'warn', stage: 'ingest', outcome: 'failed', attempt: 1 }
  expect(lines).toContainEqual(expect.objectContaining({ ...attempt, requestId, moduleId, run: 1 }))
  expect(lines).toContainEqual(expect.objectContaining({ event: 'announced', requestId, moduleId }))
})

it('never logs what a caller signs in with, opens a socket or a file with, asks or says', async () => {
  const { as, moduleId } = await seedTutored()
  const token = await tokenOf(as)
  const secrets = [token, token.slice(-40), 'zebra', 'jo.doe@example.org', 'X-Amz', 'wrench', 'carpet', 'boot']
  const step = { id: 'a', title: 'Paint the zebra', description: 'Mail jo.doe@example.org a zebra.', start: 6, end: 18 }
  const lines = await linesOf(async () => {
    const { ticket } = await answerOf(LiveTicketAnswer, `/api/modules/${moduleId}/live-ticket`, { as, method: 'POST' })
    secrets.push(ticket, ticket.slice(-20))
    const upgrade = { upgrade: 'websocket' }
    const socket = await call(`/api/modules/${moduleId}/live?ticket=${ticket}&cursor=0`, { headers: upgrade })
    expect(socket.status).toBe(101)
    socket.webSocket?.accept()
    await call(`/api/modules/${moduleId}/live?ticket=x${ticket}`, { headers: upgrade })

    const file = { filename: 'zebra.mp4', contentType: 'video/mp4' }
    const presigned = await call('/api/presigned-upload/presigned-url', { as, json: file })
    const { uploadUrl } = await presigned.json<{ uploadUrl: string }>()
    secrets.push(uploadUrl, new URL(uploadUrl).searchParams.get('X-Amz-Signature') ?? 'X-Amz')
    await call(`/share/${encodeURIComponent(uploadUrl)}`)
    await call(`/api/oembed?url=${encodeURIComponent(uploadUrl)}`)

    const question = { moduleId, userMessage: `${WRENCH} zebra`, currentStep: 0, allSteps: [], videoTime: 1 }
    await (await call('/api/ai/contextual-response/stream', { as, json: question })).text()
    await call('/api/qa/ask', { as, json: { moduleId, question: 'Who rides the zebra?' } })
    await call(`/api/steps/${moduleId}`, { as, json: { steps: [step] } })
    await call(`/api/steps/${moduleId}`, { as, json: { steps: [{ ...step, start: 'zebra', zebra: 1 }] } })
    await call(`/api/steps/${moduleId}`, { as, json: { steps: [{ ...step, description: 'zebra '.repeat(200) }] } })
    await call(`/api/steps/${moduleId}`, { as, body: 'zebra', headers: { 'content-type': 'application/json' } })
    await call(`/api/steps/${moduleId}/rewrite`, { as, json: { text: 'Um, the zebra, you know.', instruction: '' } })
    await call('/api/modules?q=zebra', { as })
    await call(`/api/modules/${'zebra'.repeat(3)}`, { as })
    await call('/api/modules', { headers: { authorization: `Bearer ${token}x` } })
    await call('/zebra/jo.doe@example.org')
  })
  expect(lines.filter(({ event }) => event === 'request').length).toBeGreaterThanOrEqual(16)
  const events = new Set(lines.map(({ event }) => event))
  expect([...events].sort()).toEqual(['announced', 'origin', 'request', 'tutor_answer', 'watched'])
  const written = JSON.stringify(lines)
  for (const secret of secrets) expect(written).not.toContain(secret)
})

describe('calls that are most of all', () => {
  const chosen = '0000000a-0000-4000-8000-000000000000'
  const leftOut = '0000000b-0000-4000-8000-000000000000'
  const ids = vi.spyOn(crypto, 'randomUUID')
  const withId = (id: string) => ids.mockReturnValue(id as ReturnType<Crypto['randomUUID']>)
  afterEach(() => void ids.mockReset())
  afterAll(() => ids.mockRestore())

  /** A shared video, its address for its owner, and what a report of a learner is sent with. */
  async function seedWatched() {
    const { id: moduleId, userId } = await seedModule({ status: 'READY', durationMs: 60_000 })
    const object = await env.MEDIA.put(`src/${moduleId}/source`, new Uint8Array(100))
    await updateModule(openDb(env.DB), moduleId, {
      sourceKey: `src/${moduleId}/source`,
      sourceEtag: object?.etag ?? '',
      sourceSizeBytes: 100,
      sourceType: 'video/mp4',
    })
    const { url } = await answerOf(VideoUrlAnswer, `/api/video-url/module/${moduleId}`, { as: userId })
    const page = await openLearnerPage(moduleId)
    const range = { headers: { range: 'bytes=0-1' } }
    return [
      { name: 'a range of a shared video', path: `/share/${moduleId}/video`, options: range, status: 206 },
      { name: 'a range of a video', path: url, options: range, status: 206 },
      { name: 'a report', path: '/api/learning-metrics', options: { json: page.next([[0, 1]]) }, status: 200 },
    ]
  }

  it('calls that are most of all have a line in one of ten, chosen by its id, which says so', async () => {
    for (const { name, path, options, status } of await seedWatched()) {
      withId(chosen)
      const one = await linesOfCall(path, options)
      expect(one.response.status, name).toBe(status)
      expect(one.line, name).toMatchObject({ status, oneIn: 10, requestId: chosen })
      withId(leftOut)
      const other = await linesOfCall(path, options)
      expect(other.response.status, name).toBe(status)
      expect(other.lines.filter(({ event }) => event === 'request')).toEqual([])
    }
  })

  it('always have one when they are refused, and other calls have one in any case', async () => {
    const { id } = await seedModule({ status: 'READY' })
    withId(leftOut)
    for (const [path, options, status] of [
      ['/share/aaaaaaaaaaaaaaaaaaaaaa/video', {}, 404],
      ['/media/aaaaaaaaaaaaaaaaaaaaaa/video', {}, 404],
      ['/api/learning-metrics', { json: {} }, 400],
      [`/api/share/${id}`, {}, 200],
    ] as const) {
      const { line } = await linesOfCall(path, options)
      expect(line, path).toMatchObject({ status, requestId: leftOut })
      expect(line).not.toHaveProperty('oneIn')
    }
  })

  it('always have one when they take long', async () => {
    const app = new Hono<AppEnv>()
      .use(traceRequest({ event: 'request', idOf: () => leftOut }))
      .get('/share/:moduleId/video', (c) => {
        vi.setSystemTime(Date.now() + 1_000)
        return c.body(null)
      })
    vi.useFakeTimers({ toFake: ['Date'] })
    const lines = await linesOf(async () => {
      await app.fetch(new Request('http://localhost/share/x/video'), env, createExecutionContext())
    })
    vi.useRealTimers()
    expect(lines).toMatchObject([{ durationMs: 1_000, requestId: leftOut }])
  })
})

it('says which data centre of Cloudflare the visitor reached', async () => {
  const app = new Hono<AppEnv>().use(traceRequest({ event: 'request', idOf: () => 'r1' })).get('/', (c) => c.body(null))
  const request = new Request('http://localhost/', { cf: { colo: 'FRA' } })
  const lines = await linesOf(async () => void (await app.fetch(request, env, createExecutionContext())))
  expect(lines).toMatchObject([{ event: 'request', colo: 'FRA' }])
})
