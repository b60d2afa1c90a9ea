import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { UPLOAD_PART_BYTES } from '#contract/limits.ts'
import { FIXTURES } from './media.ts'
import { apiOf } from './people.ts'

export const PARTS = /\/cdn-cgi\/local\/r2\/s3\/.*[?&]partNumber=/
/** Enough to leave a hole among them; the last one is small. */
const PART_COUNT = 4
export const SIZE_BYTES = Math.floor((PART_COUNT - 0.9) * UPLOAD_PART_BYTES)
const RETRYING = { timeout: 40_000 }
const folder = mkdtempSync(join(tmpdir(), 'adapt-upload-'))
// Each process that loads a spec makes files of its own, and tests of the same process share them.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** One narrated second: these tests watch the upload, and do not wait for the transcript. */
export function makeClip(): Buffer {
  const path = join(folder, 'clip.mp4')
  const args = ['-v', 'error', '-y', '-i', join(FIXTURES, 'tiny.mp4'), '-t', '1', '-c', 'copy', path]
  const { stderr, status } = spawnSync('ffmpeg', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ffmpeg cannot cut a clip: ${stderr}`)
  return readFileSync(path)
}

/** A short video in a file of 26 MB: players and readers skip a `free` box. */
export function makeLargeVideo(name: string, fill: number, from?: string): string {
  const video = from === undefined ? makeClip() : readFileSync(from)
  const free = Buffer.alloc(SIZE_BYTES - video.byteLength, fill)
  free.writeUInt32BE(free.byteLength, 0)
  free.write('free', 4, 'latin1')
  const path = join(folder, name)
  writeFileSync(path, Buffer.concat([video, free]))
  return path
}

export const partOf = (url: string) => Number(new URL(url).searchParams.get('partNumber'))

export const sorted = (parts: readonly number[]) => parts.toSorted((a, b) => a - b)

/** Numbers of the parts that the page begins to send, in order. */
export function watchParts(page: Page): number[] {
  const parts: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' && PARTS.test(request.url())) parts.push(partOf(request.url()))
  })
  return parts
}

const MAY_GO = 'untilPartMayGo'

/** Runs in the page: what Playwright holds passes through its own hands first, which is two seconds of work a part. */
function holdSending(mayGo: string): void {
  window.XMLHttpRequest = class extends XMLHttpRequest {
    #part: number | null = null
    #isHeld = false

    override open(method: string, url: string | URL) {
      const part = /[?&]partNumber=(\d+)/.exec(String(url))?.[1]
      this.#part = part === undefined ? null : Number(part)
      super.open(method, url)
    }

    override send(body?: XMLHttpRequestBodyInit) {
      if (this.#part === null) return super.send(body)
      this.#isHeld = true
      const may = Reflect.get(window, mayGo) as (part: number) => Promise<void>
      void may(this.#part).then(() => this.#isHeld && this.#go(body))
    }

    #go(body?: XMLHttpRequestBodyInit) {
      this.#isHeld = false
      super.send(body)
    }

    override abort() {
      if (!this.#isHeld) return super.abort()
      this.#isHeld = false
      this.dispatchEvent(new ProgressEvent('abort'))
    }
  }
}

/** Lets the given parts pass and holds the others until they are let go. */
export async function holdPartsBut(page: Page, allowed: readonly number[]) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.exposeFunction(MAY_GO, (part: number) => (allowed.includes(part) ? undefined : released))
  await page.addInitScript(holdSending, MAY_GO)
  await page.evaluate(holdSending, MAY_GO)
  return { release }
}

/** Waits until the server has recorded the given number of parts. */
export async function untilRecorded(page: Page, count: number): Promise<string> {
  let moduleId = ''
  await expect
    .poll(async () => {
      const { uploads } = (await apiOf(page, '/api/upload')) as { uploads: { moduleId: string; parts: unknown[] }[] }
      moduleId = uploads[0]?.moduleId ?? ''
      return uploads[0]?.parts.length
    }, RETRYING)
    .toBe(count)
  return moduleId
}
