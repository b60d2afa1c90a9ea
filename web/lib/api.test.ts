import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { Done } from '#contract/module.ts'
import { callApi } from './api.ts'
import type { ApiError } from './api-error.ts'

const PROBLEM = {
  type: 'about:blank',
  title: 'Not found',
  status: 404,
  code: 'not_found',
  detail: 'There is no such module.',
  requestId: 'r-1',
  success: false,
  error: 'There is no such module.',
}

function answer(body: string, init?: ResponseInit) {
  const fetch = vi.fn(async (_path: string, _init: RequestInit) => new Response(body, init))
  vi.stubGlobal('fetch', fetch)
  return fetch
}

async function failure(call: Promise<unknown>): Promise<ApiError> {
  return call.then(
    () => expect.fail('the call succeeded'),
    (error: ApiError) => error,
  )
}

afterEach(() => vi.unstubAllGlobals())

describe('callApi', () => {
  it('returns the answer as the schema parses it', async () => {
    answer('{"success":true,"more":1}')
    expect(await callApi({ path: '/api/x', schema: Done })).toEqual({ success: true })
  })

  it('sends the token and a JSON body', { tags: 'spec-6.5' }, async () => {
    const fetch = answer('{"success":true}')
    await callApi({ path: '/api/x', schema: Done, method: 'POST', body: { a: 1 }, token: 't' })
    const init = fetch.mock.calls[0]?.[1]
    const headers = new Headers(init?.headers)
    expect(init).toMatchObject({ method: 'POST', body: '{"a":1}' })
    expect([headers.get('authorization'), headers.get('content-type')]).toEqual(['Bearer t', 'application/json'])
  })

  it('sends a file as it is, under its own type, and no token when there is none', async () => {
    const fetch = answer('{"success":true}')
    const file = { content: 'WEBVTT', contentType: 'text/vtt' }
    await callApi({ path: '/api/x', schema: Done, method: 'PUT', file, token: null })
    const headers = new Headers(fetch.mock.calls[0]?.[1].headers)
    expect([headers.get('content-type'), headers.has('authorization')]).toEqual(['text/vtt', false])
  })

  it('hands a stream over as it begins, and lets it take its time', async () => {
    vi.useFakeTimers()
    const beginning = new TextEncoder().encode('data: "a"')
    const running = new ReadableStream({ start: (line) => line.enqueue(beginning) })
    let signal: AbortSignal | null | undefined
    vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
      signal = init.signal
      return new Response(running)
    })
    const body = await callApi({ path: '/api/x', schema: z.instanceof(ReadableStream), answer: 'stream' })
    vi.advanceTimersByTime(60_000)
    expect(signal?.aborted).toBe(false)
    expect((await body.getReader().read()).value).toEqual(beginning)
    vi.useRealTimers()
  })

  it('turns a problem document into an error with its sentence, status, code and request id', {
    tags: 'spec-8.1',
  }, async () => {
    answer(JSON.stringify(PROBLEM), { status: 404 })
    const error = await failure(callApi({ path: '/api/x', schema: Done }))
    expect(error).toMatchObject({ status: 404, code: 'not_found', sentence: PROBLEM.detail, requestId: 'r-1' })
    expect(error.message).toBe('There is no such module. (HTTP 404)')
  })

  it('includes the request id in the message of an internal error', async () => {
    answer(JSON.stringify({ ...PROBLEM, status: 500, code: 'internal', detail: 'Something went wrong.' }), {
      status: 500,
    })
    const error = await failure(callApi({ path: '/api/x', schema: Done }))
    expect(error.message).toBe('Something went wrong. (HTTP 500. Reference: r-1)')
  })

  it('shows the status and the first 120 characters of any other failure, after a sentence', {
    tags: 'spec-8.1',
  }, async () => {
    answer('x'.repeat(121), { status: 502 })
    const error = await failure(callApi({ path: '/api/x', schema: Done }))
    expect(error.message).toBe(`The server could not answer. (HTTP 502: ${'x'.repeat(120)})`)
    answer('', { status: 403 })
    const refused = await failure(callApi({ path: '/api/x', schema: Done }))
    expect(refused.message).toBe('The server refused this. (HTTP 403)')
  })

  it('refuses an answer that is not JSON', { tags: 'spec-8.2' }, async () => {
    answer('<!doctype html>')
    const error = await failure(callApi({ path: '/api/x', schema: Done }))
    expect(error.message).toBe('Unexpected response (not JSON)')
  })

  it('refuses JSON that is not the contract', async () => {
    answer('{"success":false}')
    expect((await failure(callApi({ path: '/api/x', schema: Done }))).code).toBe('bad_answer')
  })

  it('gives up when no answer comes in time', { tags: ['fault-46', 'spec-7.1', 'spec-9.1'] }, async () => {
    vi.stubGlobal('fetch', waitForAbort)
    const error = await failure(callApi({ path: '/api/x', schema: Done, timeoutMs: 5 }))
    expect(error).toMatchObject({ status: 0, code: 'timeout', message: 'Request timeout' })
  })

  it('says that the server cannot be reached', { tags: 'fault-46' }, async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch')
    })
    const error = await failure(callApi({ path: '/api/x', schema: Done }))
    expect(error).toMatchObject({ status: 0, code: 'network' })
  })

  it("rethrows the caller's own abort", async () => {
    vi.stubGlobal('fetch', waitForAbort)
    const abort = new AbortController()
    const call = failure(callApi({ path: '/api/x', schema: Done, signal: abort.signal }))
    abort.abort()
    expect((await call).name).toBe('AbortError')
  })
})

function waitForAbort(_path: string, { signal }: RequestInit): Promise<Response> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
}
