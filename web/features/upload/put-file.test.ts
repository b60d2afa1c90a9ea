import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { putFile } from './put-file.ts'

/** What the browser's request would do, at the test's word. */
class FakeRequest {
  static last: FakeRequest
  readonly upload: { onprogress?: (event: { loaded: number }) => void; onload?: () => void } = {}
  readonly headers: Record<string, string> = {}
  status = 0
  onload?: () => void
  onerror?: () => void
  onabort?: () => void
  ontimeout?: () => void

  constructor() {
    FakeRequest.last = this
  }

  open() {}
  send() {}

  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }

  getResponseHeader(name: string) {
    return name === 'etag' ? '"e"' : null
  }

  abort() {
    this.onabort?.()
  }

  answer(status: number) {
    this.status = status
    this.onload?.()
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function put(change: Partial<Parameters<typeof putFile>[0]> = {}) {
  const abort = new AbortController()
  const result = putFile({ url: 'u', file: new Blob(['xyz']), onProgress: () => {}, signal: abort.signal, ...change })
  return { result, abort, request: FakeRequest.last }
}

describe('putFile', () => {
  it('answers with status and ETag', async () => {
    const { result, request } = put({ contentType: 'video/mp4', ifNoneMatch: '*' })
    request.answer(200)
    expect(await result).toEqual({ status: 200, etag: '"e"' })
    expect(request.headers).toEqual({ 'content-type': 'video/mp4', 'if-none-match': '*' })
  })

  it.each(['onerror', 'ontimeout', 'onabort'] as const)('answers 0 when the line breaks (%s)', async (event) => {
    const { result, request } = put()
    request[event]?.()
    expect(await result).toEqual({ status: 0, etag: null })
  })

  it.each(['NotReadableError', 'NotFoundError'])(
    'blames a file that was changed or removed, not the line (%s)',
    async (name) => {
      const file = new Blob(['xyz'])
      const slice = new Blob()
      vi.spyOn(file, 'slice').mockReturnValue(slice)
      vi.spyOn(slice, 'arrayBuffer').mockRejectedValue(new DOMException('', name))
      const { result, request } = put({ file })
      request.onerror?.()
      await expect(result).rejects.toThrow('This file was changed, moved or removed')
    },
  )

  it('gives up on a line that is silent for half a minute, and not on one that is only slow', {
    tags: 'fault-1',
  }, async () => {
    const { result, request } = put()
    for (let loaded = 1; loaded <= 4; loaded += 1) {
      await vi.advanceTimersByTimeAsync(29_000)
      request.upload.onprogress?.({ loaded })
    }
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await result).toEqual({ status: 0, etag: null })
  })

  it('waits two minutes for the answer once the last byte has left the page', async () => {
    const { result, request } = put()
    let isOver = false
    void result.then(() => (isOver = true))
    request.upload.onprogress?.({ loaded: 3 })
    request.upload.onload?.()
    await vi.advanceTimersByTimeAsync(119_000)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await result).toEqual({ status: 0, etag: null })
  })

  it('gives up also where the request fires no abort event', async () => {
    const { result, request } = put()
    delete request.onabort
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await result).toEqual({ status: 0, etag: null })
  })

  it('ends with the caller’s own abort', async () => {
    const { result, abort } = put()
    abort.abort()
    await expect(result).rejects.toThrow('aborted')
  })
})
