import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Gray } from '../../screen/gray.ts'
import { pictureOf, type ScreenCase } from './screen-case.ts'

const run = promisify(execFile)
const QUIET = ['-hide_banner', '-v', 'error', '-y']
/** Frames of a second apart, as the reader samples them. */
const CLIP = { seconds: 3, rate: 5 } as const

/** Encodes a frame as a short H.264 clip, as screen recorders do, and decodes what is left of it. */
export async function encodeCase(folder: string, { name, crf, width, height }: ScreenCase): Promise<string> {
  const clip = join(folder, `${name}.mp4`)
  if (existsSync(clip)) return clip
  const input = ['-loop', '1', '-framerate', String(CLIP.rate), '-t', String(CLIP.seconds)]
  // A zoomed page may be a pixel larger or smaller than its window.
  const size = `pad=max(iw\\,${width}):max(ih\\,${height}),crop=${width}:${height}:0:0`
  const codec = ['-vf', size, '-c:v', 'libx264', '-preset', 'veryfast', '-crf', String(crf), '-pix_fmt', 'yuv420p']
  await run('ffmpeg', [...QUIET, ...input, '-i', pictureOf(folder, { name }), ...codec, clip])
  return clip
}

/** Decodes a video to frames of one byte per pixel and of a size, so many a second. */
export async function* decodeFrames(path: string, size: { width: number; height: number }, perSecond: number) {
  // Of full range, as a canvas has it.
  const scale = `scale=${size.width}:${size.height}:flags=lanczos:out_range=pc`
  const filter = `fps=${perSecond},${scale},format=gray`
  const child = spawn('ffmpeg', [...QUIET, '-i', path, '-vf', filter, '-f', 'rawvideo', '-pix_fmt', 'gray', '-'])
  const bytes = size.width * size.height
  let pending: Buffer = Buffer.alloc(0)
  let index = 0
  for await (const chunk of child.stdout) {
    pending = pending.length === 0 ? (chunk as Buffer) : Buffer.concat([pending, chunk as Buffer])
    while (pending.length >= bytes) {
      const image: Gray = { ...size, data: new Uint8Array(pending.subarray(0, bytes)) }
      pending = pending.subarray(bytes)
      yield { timeMs: Math.round((index++ * 1000) / perSecond), image }
    }
  }
}
