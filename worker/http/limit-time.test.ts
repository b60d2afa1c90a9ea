import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import type { AppEnv } from './app-env.ts'
import { limitTime, REQUEST_DEADLINE_MS } from './limit-time.ts'
import { answerProblem } from './problem.ts'

function makeApp(deadlineMs: number) {
  const app = new Hono<AppEnv>()
  app.onError(answerProblem)
  app.use(limitTime(deadlineMs))
  app.get('/stuck', () => new Promise<Response>(() => undefined))
  app.post('/slow-body', async (c) => c.text(await c.req.text()))
  app.get('/quick', (c) => c.text('here'))
  return app
}

describe('the deadline of a request', () => {
  it('answers for a handler that never does', async () => {
    const answer = await makeApp(1).request('/stuck')
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ code: 'unavailable' })
  })

  it('answers for a body that never ends', async () => {
    const body = new ReadableStream<Uint8Array>({ pull: () => new Promise<void>(() => undefined) })
    const answer = await makeApp(1).request('/slow-body', { method: 'POST', body })
    expect(answer.status).toBe(503)
  })

  it('leaves an answer in time as it is', async () => {
    const answer = await makeApp(REQUEST_DEADLINE_MS).request('/quick')
    expect([answer.status, await answer.text()]).toEqual([200, 'here'])
  })
})
