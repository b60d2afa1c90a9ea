import { afterEach, beforeEach, expect, it } from 'vitest'
import { type LocalServer, serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { runCronTicks } from './worker-process.ts'

const urls: string[] = []
const pending: ((answer: Response) => void)[] = []
const failures: string[] = []
let server: LocalServer
let stopping: AbortController
let ticks: Promise<void>

beforeEach(async () => {
  for (const list of [urls, pending, failures]) list.length = 0
  server = await serveOnFreePort(({ url }) => {
    urls.push(url.slice(server.origin.length))
    return new Promise((resolve) => pending.push(resolve))
  })
  stopping = new AbortController()
  const onFailure = (reason: string) => failures.push(reason)
  ticks = runCronTicks({ address: server.origin, everyMs: 5, signal: stopping.signal, onFailure })
})
afterEach(async () => {
  stopping.abort()
  await ticks
  await server.close()
})

it('ticks at once, and not again before the last tick has ended', async () => {
  await expect.poll(() => urls).toEqual(['/cdn-cgi/local/scheduled?cron=*+*+*+*+*'])
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(urls).toHaveLength(1)
  pending[0]?.(new Response('ok'))
  await expect.poll(() => urls.length).toBe(2)
  expect(failures).toEqual([])
})

it('logs a failed tick and continues', async () => {
  await expect.poll(() => pending.length).toBe(1)
  pending[0]?.(new Response('exception', { status: 500 }))
  await expect.poll(() => failures).toEqual(['500 exception'])
  await expect.poll(() => urls.length).toBe(2)
})

it('stops in the middle of a tick without calling that a failure', async () => {
  await expect.poll(() => pending.length).toBe(1)
  stopping.abort()
  await ticks
  expect(failures).toEqual([])
})
