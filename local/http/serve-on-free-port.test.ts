import { Hono } from 'hono'
import { expect, it, onTestFinished } from 'vitest'
import { ANSWERED_BY_NODE, serveOnFreePort } from './serve-on-free-port.ts'

it('serves an app on this machine until it is closed, open connections included', async () => {
  const app = new Hono().post('/echo', async (c) => c.json({ path: c.req.path, body: await c.req.text() }, 201))
  const { origin, close } = await serveOnFreePort(app.fetch)
  const answer = await fetch(`${origin}/echo`, { method: 'POST', body: 'hello' })
  expect([answer.status, await answer.json()]).toEqual([201, { path: '/echo', body: 'hello' }])
  await close()
  await expect(fetch(`${origin}/echo`)).rejects.toThrow()
})

it('lets a handler break the connection, and sees when a client leaves', async () => {
  const left: string[] = []
  const { origin, close } = await serveOnFreePort((request, { outgoing }) => {
    const { pathname } = new URL(request.url)
    request.signal.addEventListener('abort', () => left.push(pathname))
    if (pathname === '/cut') outgoing.writeHead(200, { 'content-length': 10 }).write('half', () => outgoing.destroy())
    return ANSWERED_BY_NODE
  })
  onTestFinished(close)
  await expect(fetch(`${origin}/cut`).then((answer) => answer.text())).rejects.toThrow()
  const client = new AbortController()
  const waiting = fetch(`${origin}/wait`, { signal: client.signal })
  client.abort()
  await expect(waiting).rejects.toThrow('abort')
  await expect.poll(() => left.length).toBeGreaterThan(0)
})

it('fails where the port is taken', async () => {
  const { origin, close } = await serveOnFreePort(() => new Response())
  onTestFinished(close)
  await expect(serveOnFreePort(() => new Response(), Number(new URL(origin).port))).rejects.toThrow('EADDRINUSE')
})
