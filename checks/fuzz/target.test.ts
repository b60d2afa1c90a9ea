import { Agent, createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { sendRaw } from './target.ts'

let server: Server
const agent = new Agent({ keepAlive: true })

afterEach(() => new Promise<unknown>((resolve) => server.close(resolve).closeAllConnections()))

async function listen(answer: Parameters<typeof createServer>[1]): Promise<string> {
  server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const SENT = { method: 'GET', target: '/api/x', headers: [], body: null }

describe('sendRaw', () => {
  it('answers with status 0 for a connection that is dropped, before and within the answer', async () => {
    const before = await listen((asked) => asked.socket.resetAndDestroy())
    expect(await sendRaw(before, agent, SENT)).toMatchObject({ status: 0, text: expect.stringMatching(/^ECONNRESET/) })
    await new Promise<unknown>((resolve) => server.close(resolve))
    const within = await listen((_, answer) => answer.write('{"half', () => answer.destroy()))
    expect(await sendRaw(within, agent, SENT)).toMatchObject({ status: 0 })
  })

  it('sends once more on a new connection', async () => {
    let calls = 0
    const url = await listen((asked, answer) => {
      calls += 1
      if (calls === 2) asked.socket.resetAndDestroy()
      else answer.end('{}')
    })
    expect(await sendRaw(url, agent, SENT)).toMatchObject({ status: 200 })
    expect(await sendRaw(url, agent, SENT)).toMatchObject({ status: 200, text: '{}' })
    expect(calls).toBe(3)
  })

  it('sends once more what the server lost on its way to the worker, and nothing that the worker answered', async () => {
    let calls = 0
    const url = await listen((asked, answer) => {
      calls += 1
      if (asked.url === '/api/ours') answer.setHeader('x-request-id', '1')
      if (calls === 2) answer.end('{}')
      else answer.writeHead(500).end('Error: Network connection lost.')
    })
    expect(await sendRaw(url, agent, SENT)).toMatchObject({ status: 200 })
    expect(await sendRaw(url, agent, { ...SENT, target: '/api/ours' })).toMatchObject({ status: 500 })
    expect(await sendRaw(url, agent, SENT)).toMatchObject({ status: 500 })
    expect(calls).toBe(5)
  })
})
