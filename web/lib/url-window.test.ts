import { afterEach, expect, it, vi } from 'vitest'
import { UrlWindow } from './url-window.ts'

const CONTENT = new TextEncoder().encode('a stored video')

function serve(status = 206) {
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: { range: string } }) => {
    const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(headers.range) ?? []
    const body = CONTENT.slice(Number(from), Number(to) + 1)
    return new Response(body, { status, headers: { 'content-range': `bytes ${from}-${to}/${CONTENT.length}` } })
  })
}

afterEach(() => vi.unstubAllGlobals())

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
