import { describe, expect, it } from 'vitest'
import type { CallApi } from '#web/lib/api.ts'
import { PartUrls } from './send-parts.ts'
import { hasty } from './testing/fake-uploads.ts'

const MINUTE_MS = 60_000

function open(arrived: number[] = []) {
  const asked: number[][] = []
  let nowMs = 0
  const callApi: CallApi = async ({ body, schema }) => {
    const { parts } = body as { parts: number[] }
    asked.push(parts)
    return schema.parse({ success: true, urls: parts.map((number) => ({ number, url: `${number}@${asked.length}` })) })
  }
  const urls = new PartUrls({
    moduleId: 'm1',
    partCount: 30,
    callApi,
    timing: hasty,
    signal: new AbortController().signal,
    hasArrived: (part) => arrived.includes(part),
    nowMs: () => nowMs,
  })
  return { urls, asked, pass: (durationMs: number) => (nowMs += durationMs) }
}

describe('PartUrls', () => {
  it('asks once for many, and leaves out what has arrived', async () => {
    const { urls, asked } = open([2, 3])
    expect(await Promise.all([urls.get(1), urls.get(4), urls.get(5)])).toEqual(['1@1', '4@1', '5@1'])
    expect(asked).toEqual([[1, ...Array.from({ length: 19 }, (_, index) => index + 4)]])
  })

  it('never asks for parts that the file does not have', async () => {
    const { urls, asked } = open()
    await urls.get(29)
    expect(asked).toEqual([[29, 30]])
  })

  it('keeps an address while it is valid, and gets another before it ends', async () => {
    const { urls, asked, pass } = open()
    await urls.get(1)
    pass(14 * MINUTE_MS - 1)
    expect(await urls.get(2)).toBe('2@1')
    pass(1)
    expect(await urls.get(2)).toBe('2@2')
    expect(asked).toHaveLength(2)
  })

  it('replaces only the address that was refused', async () => {
    const { urls } = open()
    await urls.get(1)
    urls.forget(2)
    expect(await urls.get(2)).toBe('2@2')
    expect(await urls.get(3)).toBe('3@1')
  })
})
