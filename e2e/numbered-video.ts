import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { FIXTURES } from './media.ts'
import { encode } from './odd-media.ts'

/** Frames are numbered by the tenth of a second at which they begin. */
const RATE = 10
const SECONDS = 14
/** The number stands in the uppermost part of the picture, a column for each bit. */
const BITS = 8
const CODE_SHARE = 0.2
const SHOWN_WITHIN_MS = 1_000
const [DARK, LIGHT] = [40, 215]

interface NumberedVideo {
  name: string
  width?: number
  height?: number
  /** Numbers of the frames that are in the file, from 0 on; each is shown until the next one. All of them by default. */
  kept?: readonly number[]
  /** Filters of ffmpeg for the picture. */
  filters?: readonly string[]
  /** Other input than the narrated test video, whose audio it has. */
  inputs?: readonly string[]
  /** How ffmpeg writes picture and audio. */
  args: readonly string[]
  /** What it writes beside them, once they are there. */
  notes?: readonly string[]
}

/** The narrated test video with other pictures: each shows which one it is. @returns its path */
export function makeNumbered(video: NumberedVideo): string {
  const { name, width = 320, height = 180, kept = null, filters = [], inputs = [], args, notes = [] } = video
  const frames = Buffer.concat(ALL_FRAMES.map((number) => drawNumber(number, width, height)))
  const select = kept === null ? [] : [`select='${kept.map((number) => `eq(n,${number})`).join('+')}'`]
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-s', `${width}x${height}`, '-r', String(RATE), '-i', 'pipe:0']
  const all = [...raw, '-i', join(FIXTURES, 'tiny.mp4'), ...inputs]
  const made = encode(
    name,
    [...all, '-vf', [...select, ...filters, 'setsar=1'].join(), '-fps_mode', 'vfr', ...args],
    frames,
  )
  return notes.length === 0 ? made : encode(`noted-${name}`, ['-i', made, '-map', '0', '-c', 'copy', ...notes])
}

export const ALL_FRAMES: readonly number[] = Array.from({ length: SECONDS * RATE }, (_, number) => number)

/** The frame that a video of these frames shows at a moment. */
export function shownAt(kept: readonly number[], timeMs: number): number | undefined {
  return kept.findLast((number) => (number * 1000) / RATE <= timeMs)
}

/** Makes an MP4 or WebM larger, by bytes that no player reads: a free box (ISO/IEC 14496-12), a void element (RFC 8794). */
export function addWeight(path: string, byBytes: number): void {
  const added = Buffer.alloc(byBytes)
  if (path.endsWith('.mp4')) {
    added.writeUInt32BE(byBytes)
    added.write('free', 4)
  } else {
    const head = 9
    added.writeUInt8(0xec)
    added.writeBigUInt64BE((0x01n << 56n) | BigInt(byBytes - head), 1)
  }
  appendFileSync(path, added)
}

/** Below its number, a picture with edges everywhere, so that it is fit for the image of a step. */
function drawNumber(number: number, width: number, height: number): Uint8Array {
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bit = (number >> Math.floor((x * BITS) / width)) & 1
      const square = (Math.floor(x / 20) + Math.floor(y / 20)) % 2
      pixels[y * width + x] = (y < height * CODE_SHARE ? bit : square) === 1 ? LIGHT : DARK
    }
  }
  return pixels
}

/** Reads in the page which numbered frame an image shows. */
export async function readNumber(page: Page, url: string): Promise<number | undefined> {
  return (await readNumbers(page, url, null))[0]
}

/**
 * Reads in the page which numbered frames an image shows, or a video at some moments: upright, and as wide as the video.
 * @param timesMs null for an image
 */
export function readNumbers(page: Page, url: string, timesMs: readonly number[] | null): Promise<number[]> {
  return page.evaluate(
    async ({ from, times, bits, row, shownWithinMs }) => {
      const read = (image: CanvasImageSource, width: number, height: number) => {
        const context = new OffscreenCanvas(width, height).getContext('2d')
        if (context === null) throw new Error('no canvas')
        context.drawImage(image, 0, 0, width, height)
        return Array.from({ length: bits }, (_, bit) => {
          const [light = 0] = context.getImageData(((bit + 0.5) * width) / bits, height * row, 1, 1).data
          return light > 127 ? 2 ** bit : 0
        }).reduce((sum, value) => sum + value, 0)
      }
      if (times === null) {
        const image = await createImageBitmap(await (await fetch(from)).blob())
        return [read(image, image.width, image.height)]
      }
      const video = document.createElement('video')
      video.muted = true
      const until = (event: string) =>
        new Promise((resolve, reject) => {
          video.addEventListener(event, resolve, { once: true })
          video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true })
        })
      const loaded = until('loadeddata')
      video.src = from
      await loaded
      const numbers: number[] = []
      for (const time of times) {
        const seeked = until('seeked')
        const shown = new Promise((resolve) => video.requestVideoFrameCallback(resolve))
        video.currentTime = time / 1000
        await seeked
        // A busy machine draws the frame before for a moment. One that is shown already comes no second time.
        await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, shownWithinMs))])
        numbers.push(read(video, video.videoWidth, video.videoHeight))
      }
      return numbers
    },
    { from: url, times: timesMs && [...timesMs], bits: BITS, row: CODE_SHARE / 2, shownWithinMs: SHOWN_WITHIN_MS },
  )
}
