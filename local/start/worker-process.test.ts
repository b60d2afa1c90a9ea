import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCronTicks } from './worker-process.ts'

const urls: (string | undefined)[] = []
const pending: ServerResponse[] = []
const failures: string[] = []
const server = createServer((request, response) => {
  urls.push(request.url)
  pending.push(response)
})
let stopping: AbortController
let ticks: Promise<void>

beforeEach(async () => {
  for (const list of [urls, pending, failures]) list.length = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  stopping = new AbortController()
  const onFailure = (reason: string) => failures.push(reason)
  ticks = runCronTicks({ address, everyMs: 5, signal: stopping.signal, onFailure })
})
afterEach(async () => {
  stopping.abort()
  await ticks
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

it('ticks at once, and not again before the last tick has ended', async () => {
  await expect.poll(() => urls).toEqual(['/cdn-cgi/local/scheduled?cron=*+*+*+*+*'])
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(urls).toHaveLength(1)
  pending[0]?.end('ok')
  await expect.poll(() => urls.length).toBe(2)
  expect(failures).toEqual([])
})

it('logs a failed tick and continues', async () => {
  await expect.poll(() => pending.length).toBe(1)
  pending[0]?.writeHead(500).end('exception')
  await expect.poll(() => failures).toEqual(['500 exception'])
  await expect.poll(() => urls.length).toBe(2)
})

it('stops in the middle of a tick without calling that a failure', async () => {
  await expect.poll(() => pending.length).toBe(1)
  stopping.abort()
  await ticks
  expect(failures).toEqual([])
})
