import { afterEach, expect, it, vi } from 'vitest'
import { fetchSample } from './fetch-sample.ts'

afterEach(() => vi.unstubAllGlobals())

it('brings the video and its captions as files that can be uploaded', async () => {
  vi.stubGlobal('fetch', async (path: string) => new Response(path, { headers: { 'content-type': 'video/mp4' } }))
  const { video, captions } = await fetchSample()
  expect([video.name, video.type, captions.name]).toEqual([
    'Change the roll in a label printer.mp4',
    'video/mp4',
    'Change the roll in a label printer.vtt',
  ])
})

it('is not fooled by the page that answers for a missing file', async () => {
  vi.stubGlobal('fetch', async () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }))
  await expect(fetchSample()).rejects.toThrow('The sample is not part of this installation.')
})
