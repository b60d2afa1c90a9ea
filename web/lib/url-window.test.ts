import { afterEach, expect, it, vi } from 'vitest'
import { UrlWindow } from './url-window.ts'

const CONTENT = new TextEncoder().encode('a stored video')

/** Answers with these statuses in turn, then with the last of them; 0: none comes. */
function serve(...statuses: number[]) {
  const left = [...statuses]
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: { range: string } }) => {
    const status = (left.length > 1 ? left.shift() : left[0]) ?? 206
    // As Firefox says it of an answer that breaks off.
    if (status === 0) throw new TypeError('Error in body stream')
    const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(headers.range) ?? []
    const body = CONTENT.slice(Number(from), Number(to) + 1)
    return new Response(body, { status, headers: { 'content-range': `bytes ${from}-${to}/${CONTENT.length}` } })
  })
}

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('reads ranges of a stored video by its address', async () => {
  serve()
  const window = await UrlWindow.open('https://adapt.test/video')
  expect(window.sizeBytes).toBe(CONTENT.length)
  expect(new TextDecoder().decode(await window.read(2, 8))).toBe('stored')
})

it('fails where the address leads to no video', async () => {
  serve(404)
  await expect(UrlWindow.open('https://adapt.test/video')).rejects.toThrow('404')
})

it('reads on after a line that broke, and after a right that had expired', async () => {
  serve(206, 0, 404, 503, 206)
  vi.useFakeTimers()
  const window = await UrlWindow.open('https://adapt.test/video')
  const read = window.read(2, 8) as Promise<Uint8Array>
  await vi.advanceTimersByTimeAsync(10_000)
  expect(new TextDecoder().decode(await read)).toBe('stored')
})

it('fails within the minute in which a video has to come on', async () => {
  serve(206, 404)
  vi.useFakeTimers()
  const window = await UrlWindow.open('https://adapt.test/video')
  const failed = expect(window.read(2, 8)).rejects.toThrow('404')
  await vi.advanceTimersByTimeAsync(50_000)
  await failed
})
