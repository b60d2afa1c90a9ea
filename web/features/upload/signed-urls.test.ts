import { describe, expect, it } from 'vitest'
import { SignedUrls } from './signed-urls.ts'
import { quickStorage } from './testing/fake-uploads.ts'

const MINUTE_MS = 60_000
const PART_COUNT = 30

function open({ arrived = [] as number[], statuses = [] as number[] } = {}) {
  const requested: number[][] = []
  const failures: Error[] = []
  let nowMs = 0
  const storage = quickStorage(() => ({ status: statuses.shift() ?? 200 }))
  const urls = new SignedUrls({
    putFile: storage.putFile,
    load: async (numbers) => {
      requested.push(numbers)
      const failure = failures.shift()
      if (failure) throw failure
      return { success: true, urls: numbers.map((number) => ({ number, url: `${number}@${requested.length}` })) }
    },
    listNext: (number) =>
      Array.from({ length: PART_COUNT - number }, (_, index) => number + 1 + index).filter(
        (other) => !arrived.includes(other),
      ),
    nowMs: () => nowMs,
  })
  const { signal } = new AbortController()
  const put = (number: number) => urls.put(number, { file: new Blob(['x']), onProgress() {}, signal })
  return { put, used: storage.urls, requested, failures, pass: (durationMs: number) => (nowMs += durationMs) }
}

describe('SignedUrls', () => {
  it('asks once for many, and leaves out what has arrived', async () => {
    const { put, used, requested } = open({ arrived: [2, 3] })
    await Promise.all([put(1), put(4), put(5)])
    expect(used).toEqual(['1@1', '4@1', '5@1'])
    expect(requested).toEqual([[1, ...Array.from({ length: 19 }, (_, index) => index + 4)]])
  })

  it('never asks for parts that the file does not have', async () => {
    const { put, requested } = open()
    await put(29)
    expect(requested).toEqual([[29, 30]])
  })

  it('keeps an address while it is valid, and gets another before it ends', { tags: 'fault-4' }, async () => {
    const { put, used, requested, pass } = open()
    await put(1)
    pass(14 * MINUTE_MS - 1)
    await put(2)
    pass(1)
    await put(2)
    expect(used).toEqual(['1@1', '2@1', '2@2'])
    expect(requested).toHaveLength(2)
  })

  it('replaces only the address that was refused', { tags: 'fault-4' }, async () => {
    const { put, used } = open({ statuses: [200, 403] })
    await put(1)
    expect(await put(2)).toMatchObject({ status: 200 })
    await put(3)
    expect(used).toEqual(['1@1', '2@1', '2@2', '3@1'])
  })

  it('gives up on an address that is refused although it is fresh', async () => {
    const { put, used } = open({ statuses: [403, 403] })
    expect(await put(1)).toMatchObject({ status: 403 })
    expect(used).toEqual(['1@1', '1@2'])
  })

  it.each([0, 400, 503])('answers with the status of the storage: %s', async (status) => {
    expect(await open({ statuses: [status] }).put(1)).toMatchObject({ status })
  })

  it('asks again for addresses that could not be loaded', async () => {
    const { put, used, failures } = open()
    failures.push(new Error('no answer'))
    await expect(put(1)).rejects.toThrow('no answer')
    await Promise.all([put(1), put(2)])
    expect(used).toEqual(['1@2', '2@2'])
  })

  it('fails where the server leaves out the address', async () => {
    const { signal } = new AbortController()
    const load = async () => ({ success: true as const, urls: [] })
    const urls = new SignedUrls({ putFile: quickStorage().putFile, load })
    await expect(urls.put(7, { file: new Blob(['x']), onProgress() {}, signal })).rejects.toThrow('number 7')
  })
})
