import { describe, expect, it } from 'vitest'
import { receiveBody } from './receive-body.ts'

function post(length: number, declared: string | null = String(length)): Request {
  const headers = new Headers({ 'content-type': 'application/json', 'x-own': 'kept' })
  if (declared !== null) headers.set('content-length', declared)
  return new Request('http://localhost/api/steps/1?of=2', { method: 'POST', headers, body: 'x'.repeat(length) })
}

describe('receiveBody', () => {
  it('reads a body to its end, and hands on the same request', async () => {
    const asked = post(100_000)
    const received = await receiveBody(asked)
    expect(asked.bodyUsed).toBe(true)
    expect(received).toMatchObject({ method: 'POST', url: 'http://localhost/api/steps/1?of=2' })
    expect(received.headers.get('x-own')).toBe('kept')
    expect(await received.text()).toBe('x'.repeat(100_000))
  })

  it('hands on what is too large, or of unknown length, without reading it', async () => {
    for (const declared of [String(5 * 1024 * 1024), null]) {
      const asked = post(10, declared)
      expect(await receiveBody(asked)).toBe(asked)
      expect(asked.bodyUsed).toBe(false)
    }
  })
})
