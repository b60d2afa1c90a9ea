import { mkdtempSync, openAsBlob, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { type PreviewServer, preview } from 'vite'
import { cutAudioSlice } from '#media/cut-audio.ts'
import { readMediaFacts } from '#media/read-facts.ts'
import { BlobWindow } from '#media/source/byte-window.ts'
import { makeMedia, steadyPackets } from '#media/testing/make-media.ts'
import { buildPage } from '../bench/upload/build-page.ts'
import type { UploadBench } from '../bench/upload/page/main.ts'
import { FIXTURES } from './media.ts'
import { makeOdd } from './odd-media.ts'
import { createAccount } from './people.ts'

type CutReport = Awaited<ReturnType<UploadBench['cut']>>

const HOUR_OF_PACKETS = 56_250

let folder: string
let served: PreviewServer

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'adapt-e2e-audio-'))
  const page = join(folder, 'page')
  await buildPage(page)
  const onFreePort = { host: '127.0.0.1', port: 0 }
  served = await preview({ configFile: false, logLevel: 'error', build: { outDir: page }, preview: onFreePort })
})

test.afterAll(async () => {
  await served.close()
  rmSync(folder, { recursive: true })
})

const VIDEOS = readdirSync(FIXTURES).filter((name) => /\.(mp4|webm)$/.test(name))

async function pick(page: Page, file: string): Promise<void> {
  await page.goto(served.resolvedUrls?.local[0] ?? '')
  await page.getByLabel('Video').setInputFiles(file)
}

async function cutInPage(page: Page, file: string): Promise<CutReport> {
  await pick(page, file)
  return page.evaluate(() => (window as unknown as { bench: UploadBench }).bench.cut({ digests: true }))
}

/** The same file, cut in Node in the slices of the server. */
async function cutHere(file: string): Promise<CutReport['chunks']> {
  const blob = await openAsBlob(file)
  const facts = await readMediaFacts(new BlobWindow(blob))
  const chunks: CutReport['chunks'] = []
  for (let fromMs: number | null = 0, firstChunk = 0; fromMs !== null; ) {
    const source = new BlobWindow(blob)
    const end = await cutAudioSlice({
      source,
      facts,
      fromMs,
      firstChunk,
      saveChunk: async ({ chunk, startMs, endMs, bytes }) => {
        const digest = Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))).join()
        chunks.push({ chunk, startMs, endMs, sizeBytes: bytes.byteLength, digest })
      },
    })
    fromMs = end.nextMs
    firstChunk = end.nextChunk
  }
  return chunks
}

test.describe('the audio of a picked file', () => {
  for (const name of VIDEOS) {
    test(`is cut as the server cuts it: ${name}`, async ({ page }) => {
      const file = join(FIXTURES, name)
      expect((await cutInPage(page, file)).chunks).toEqual(await cutHere(file))
    })
  }

  test('is cut out of an hour as the server cuts it', async ({ page }) => {
    const file = join(folder, 'hour.mp4')
    writeFileSync(
      file,
      await makeMedia(
        'mp4',
        steadyPackets(HOUR_OF_PACKETS, (i) => 20 + ((i * 7919) % 97)),
      ),
    )
    const { chunks } = await cutInPage(page, file)
    expect(chunks).toEqual(await cutHere(file))
    expect(chunks.length).toBeGreaterThan(100)
  })
})

test.describe('a converted file', () => {
  for (const name of ['new.mkv', 'screen.mkv'] as const) {
    test(`has the audio of the picked one, to the byte and the millisecond: ${name}`, async ({ page }) => {
      const file = makeOdd(name)
      const picked = await cutHere(file)
      await pick(page, file)
      const { percents, sizeBytes } = await page.evaluate(() =>
        (window as unknown as { bench: UploadBench }).bench.convert(),
      )
      expect(sizeBytes).toBeGreaterThan(0)
      expect(percents).toEqual(percents.toSorted((a, b) => a - b))
      const cut = () => (window as unknown as { bench: UploadBench }).bench.cut({ digests: true })
      expect((await page.evaluate(cut)).chunks).toEqual(picked)
      expect(await page.evaluate(() => (window as unknown as { bench: UploadBench }).bench.inspect())).toMatchObject({
        videoCodec: expect.stringMatching(/^avc1\./),
        picture: null,
        problem: null,
      })
    })
  }
})

test.describe('the audio of an upload', () => {
  test('is transcribed before the video is there, and is the video’s own', async ({ page }) => {
    await createAccount(page.request)
    const calls: string[] = []
    page.on('response', (response) => {
      const path = new URL(response.url()).pathname.replace(/\/upload\/[\w-]+\/audio/, '/upload/{id}/audio')
      if (/audio|complete/.test(path)) calls.push(`${response.request().method()} ${path} ${response.status()}`)
    })
    await page.goto('/upload')
    await page.getByLabel('Select video').setInputFiles(join(FIXTURES, 'tiny.mp4'))
    await page.waitForURL(/\/training\//, { timeout: 30_000 })
    expect(calls).toContain('POST /api/upload/{id}/audio-urls 200')
    const [reported, completed] = ['POST /api/upload/{id}/audio 200', 'POST /api/upload/complete 200']
    expect(calls).toContain(reported)
    expect(calls.lastIndexOf(reported)).toBeLessThan(calls.indexOf(completed))
    await expect(page.getByRole('region', { name: 'Steps' }).getByRole('listitem').first()).toBeVisible({
      timeout: 60_000,
    })
  })
})

test.describe('images of a picked file', () => {
  for (const name of ['tiny.mp4', 'tiny.webm']) {
    test(`images of a picked file are drawn at the times asked for: ${name}`, async ({ page }) => {
      await pick(page, join(FIXTURES, name))
      const order = { timesMs: [9000, 0, 4500, 60_000], maxWidthPx: 120 }
      const { images } = await page.evaluate(
        (asked) => (window as unknown as { bench: UploadBench }).bench.draw(asked),
        order,
      )
      expect(images.map(({ timeMs }) => timeMs)).toEqual([0, 4500, 9000, 60_000])
      for (const { type, sizeBytes, width, height } of images) {
        expect([type, width, height]).toEqual(['image/webp', 120, 68])
        expect(sizeBytes).toBeLessThan(100 * 1024)
      }
    })
  }

  test('images of a picked file are empty for a file that is no video', async ({ page }) => {
    const file = join(folder, 'notes.mp4')
    writeFileSync(file, 'no video at all')
    await pick(page, file)
    const draw = () => (window as unknown as { bench: UploadBench }).bench.draw({ timesMs: [0], maxWidthPx: 320 })
    expect((await page.evaluate(draw)).images).toEqual([])
  })
})

test.describe('a picked file', () => {
  async function inspect(page: Page, file: string) {
    await pick(page, file)
    return page.evaluate(() => (window as unknown as { bench: UploadBench }).bench.inspect())
  }

  test('is inspected for its length and audio', async ({ page }) => {
    expect(await inspect(page, join(FIXTURES, 'tiny.webm'))).toMatchObject({
      durationMs: expect.any(Number),
      audioCodec: 'opus',
      problem: null,
    })
  })

  test('a picked file without audio is reported as a problem, and can be sent all the same', async ({ page }) => {
    const { problem } = await inspect(page, join(FIXTURES, 'silent-track.mp4'))
    expect(problem).toMatchObject({ title: 'This video has no audio', canBeSent: true })
  })

  for (const [what, content, title] of [
    ['of 0 bytes', Buffer.alloc(0), 'This file is empty'],
    ['that is a renamed text', Buffer.from('<!doctype html><title>Sign in</title>'), 'This file is not a video'],
    ['whose index is noise', Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'), 'This video is incomplete'],
  ] as const) {
    test(`a picked file ${what} is reported before any upload request`, async ({ page }) => {
      const file = join(folder, 'odd.mp4')
      writeFileSync(file, content)
      expect((await inspect(page, file)).problem).toMatchObject({ title, canBeSent: false })
    })
  }

  test('a picked file of a container that the server cannot read is named before any upload request', async ({
    page,
  }) => {
    const file = join(folder, 'old.avi')
    writeFileSync(file, Buffer.from('RIFF\0\0\0\0AVI LIST\0\0\0\0', 'latin1'))
    const title = 'Adapt cannot read AVI files'
    expect((await inspect(page, file)).problem).toMatchObject({ title, canBeSent: false })
  })
})
