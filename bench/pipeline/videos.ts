import { createReadStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { makeVideo } from '../demux/make-video.ts'

/** With the sound's 128 kbps about 2.5 Mbps, what a screen recorder writes: 188 MB for 10 minutes, 1.1 GB for an hour. */
const VIDEO_KBPS = 2_372
const FRAMES_PER_S = 30
const KEPT_IN = join(tmpdir(), 'adapt-bench-pipeline')

/** A narrated video of so many minutes; made at the first time and kept between runs. @returns its path */
export async function provideVideo(minutes: number): Promise<string> {
  const kept = join(KEPT_IN, `${minutes}-minutes-${VIDEO_KBPS}-kbps.mp4`)
  if (existsSync(kept)) return kept
  await mkdir(KEPT_IN, { recursive: true })
  const folder = await mkdtemp(join(KEPT_IN, 'making-'))
  try {
    const name = `${minutes}-minutes`
    await rename(await makeVideo(folder, { name, minutes, framesPerS: FRAMES_PER_S, videoKbps: VIDEO_KBPS }), kept)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return kept
}

/** Puts a video into the worker's R2. */
export async function storeVideo(address: string, path: string): Promise<void> {
  const { size } = await stat(path)
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream
  const headers = { 'content-length': String(size) }
  const answer = await fetch(address, { method: 'PUT', body, headers, duplex: 'half' } as RequestInit)
  if (!answer.ok) throw new Error(`${path} was not stored: ${await answer.text()}`)
}
