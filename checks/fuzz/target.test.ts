import { Agent } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ANSWERED_BY_NODE, type NodeCall, serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { sendRaw } from './target.ts'

const agent = new Agent({ keepAlive: true })

async function listen(answer: (asked: NodeCall['incoming'], answer: NodeCall['outgoing']) => void): Promise<string> {
  const { origin, close } = await serveOnFreePort((_, { incoming, outgoing }) => {
    answer(incoming, outgoing)
    return ANSWERED_BY_NODE
  })
  onTestFinished(close)
  return origin
}

const SENT = { method: 'GET', target: '/api/x', headers: [], body: null }

describe('sendRaw', () => {
  it('answers with status 0 for a connection that is dropped, before and within the answer', async () => {
    const before = await listen((asked) => asked.socket.resetAndDestroy())
    expect(await sendRaw(before, agent, SENT)).toMatchObject({ status: 0, text: expect.stringMatching(/^ECONNRESET/) })
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
