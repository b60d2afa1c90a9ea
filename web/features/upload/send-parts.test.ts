import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '#web/lib/api-error.ts'
import { fakeApi } from '#web/testing/render-app.tsx'
import { makePauseSwitch } from './pause-switch.ts'
import type { PutAnswer } from './put-file.ts'
import { sendParts } from './send-parts.ts'
import {
  hasty,
  heldStorage,
  MIB,
  makeUpload,
  makeVideo,
  PART_ANSWERS,
  PLAN,
  quickStorage,
} from './testing/fake-uploads.ts'

const URLS = 'POST /api/upload/m1/part-urls'

function transferOf(change: Partial<Parameters<typeof sendParts>[0]> = {}) {
  const abort = new AbortController()
  const sent: number[] = []
  const transfer = {
    file: makeVideo('talk.mp4', 20 * MIB),
    moduleId: 'm1',
    key: 'k',
    plan: PLAN,
    arrived: [],
    pause: makePauseSwitch(),
    onSent: (sentBytes: number) => sent.push(sentBytes),
    signal: abort.signal,
    ...change,
  }
  return { transfer, abort, sent }
}

function send(
  change: Parameters<typeof transferOf>[0] = {},
  {
    answers = PART_ANSWERS,
    answer,
  }: { answers?: typeof PART_ANSWERS; answer?: (url: string) => Partial<PutAnswer> } = {},
) {
  const { callApi, calls } = fakeApi(answers)
  const { putFile, urls } = quickStorage(answer)
  const { transfer, sent } = transferOf(change)
  return { result: sendParts(transfer, { callApi, putFile, timing: hasty }), calls, urls, sent }
}

describe('sendParts', () => {
  it('sends every part once, with the addresses of one call, and records each', async () => {
    const { result, calls, urls, sent } = send()
    await result
    expect(urls.toSorted()).toEqual(['p1', 'p2', 'p3'])
    expect(calls.filter((call) => call === URLS)).toHaveLength(1)
    expect(calls.filter((call) => call.startsWith('PUT')).toSorted()).toEqual([
      'PUT /api/upload/m1/parts/1',
      'PUT /api/upload/m1/parts/2',
      'PUT /api/upload/m1/parts/3',
    ])
    expect(sent.at(-1)).toBe(20 * MIB)
  })

  it('sends only what is missing, and counts what was there', async () => {
    const { result, urls, sent } = send({ arrived: makeUpload().parts })
    await result
    expect(urls.toSorted()).toEqual(['p2', 'p3'])
    expect(sent[0]).toBe(8 * MIB)
    expect(sent.at(-1)).toBe(20 * MIB)
  })

  it('sends nothing when everything is there', async () => {
    const arrived = [1, 2, 3].map((part) => ({ part, etag: 'e', sizeBytes: part === 3 ? 4 * MIB : 8 * MIB }))
    const { result, urls } = send({ arrived })
    await result
    expect(urls).toEqual([])
  })

  it('gets a fresh address for a part whose old one is refused', { tags: 'fault-4' }, async () => {
    let refusals = 1
    const answer = (url: string) => (url === 'p2' && refusals-- > 0 ? { status: 403 } : {})
    const { result, calls, urls } = send({}, { answer })
    await result
    expect(urls.filter((url) => url === 'p2')).toHaveLength(2)
    expect(calls.filter((call) => call === URLS)).toHaveLength(2)
  })

  it('does not go on asking when fresh addresses are refused as well', { tags: 'fault-40' }, async () => {
    const { result } = send({}, { answer: () => ({ status: 403 }) })
    await expect(result).rejects.toMatchObject({
      message: 'storage PUT failed: 403',
      detail: expect.stringContaining('clock'),
    })
  })

  it('sends a part again when the storage fails for a moment', { tags: 'fault-1' }, async () => {
    let failures = 1
    const { result, urls } = send({}, { answer: (url) => (url === 'p1' && failures-- > 0 ? { status: 503 } : {}) })
    await result
    expect(urls.filter((url) => url === 'p1')).toHaveLength(2)
  })

  it('says so when the storage does not show its ETag, instead of waiting for ever', { tags: 'fault-7' }, async () => {
    const { result } = send({}, { answer: () => ({ etag: null }) })
    await expect(result).rejects.toMatchObject({ message: 'storage PUT failed: no ETag' })
  })

  it('ends at once when the upload is gone', async () => {
    const gone = () => {
      throw new ApiError({ status: 404, code: 'not_found', message: 'Not found' })
    }
    const { result, urls } = send({}, { answers: { ...PART_ANSWERS, [URLS]: gone } })
    await expect(result).rejects.toMatchObject({ message: 'part-urls failed: 404' })
    expect(urls).toEqual([])
  })

  it('keeps four parts in flight', async () => {
    const storage = heldStorage()
    const answers = {
      ...PART_ANSWERS,
      [URLS]: () => ({
        success: true,
        urls: Array.from({ length: 10 }, (_, i) => ({ number: i + 1, url: `p${i + 1}` })),
      }),
    }
    const { transfer, abort } = transferOf({
      file: makeVideo('long.mp4', 80 * MIB),
      plan: { partBytes: 8 * MIB, partCount: 10 },
    })
    const sending = sendParts(transfer, {
      callApi: fakeApi(answers).callApi,
      putFile: storage.putFile,
      timing: hasty,
    })
    await vi.waitFor(() => expect(storage.puts).toHaveLength(4))
    abort.abort()
    await expect(sending).rejects.toThrow()
  })
})

describe('a held upload', () => {
  function hold() {
    const storage = heldStorage()
    const { callApi, calls } = fakeApi(PART_ANSWERS)
    const { transfer, abort, sent } = transferOf()
    const result = sendParts(transfer, { callApi, putFile: storage.putFile, timing: hasty })
    return { storage, calls, abort, sent, result, pause: transfer.pause }
  }

  it('stops its requests when paused, and later sends only what had not arrived', async () => {
    const { storage, pause, result, calls, sent } = hold()
    await vi.waitFor(() => expect(storage.puts).toHaveLength(3))
    storage.end(200, 0)
    await vi.waitFor(() => expect(calls).toContain('PUT /api/upload/m1/parts/1'))
    storage.puts[1]?.onProgress(MIB)
    pause.setState(true)
    expect(storage.puts[1]?.signal.aborted).toBe(true)
    await vi.waitFor(() => expect(sent.at(-1)).toBe(8 * MIB))
    pause.setState(false)
    await vi.waitFor(() => expect(storage.puts).toHaveLength(5))
    expect(storage.puts.slice(3).map(({ url }) => url)).toEqual(['p2', 'p3'])
    storage.end(200, 3)
    storage.end(200, 4)
    await result
  })

  it('aborts every request on cancel, and sends nothing afterwards', { tags: 'fault-3' }, async () => {
    const { storage, abort, result, calls } = hold()
    await vi.waitFor(() => expect(storage.puts).toHaveLength(3))
    abort.abort()
    await expect(result).rejects.toThrow()
    expect(storage.puts.every(({ signal }) => signal.aborted)).toBe(true)
    expect(storage.puts).toHaveLength(3)
    expect(calls).toEqual([URLS])
  })
})
