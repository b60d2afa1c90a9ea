import { execFile } from 'node:child_process'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'

const CLIP_S = 60
/**
 * The recogniser is simulated, so the audio needs only what decides where it is cut: sentences of four
 * seconds, whose loudness varies, with a pause of half a second after each.
 */
export const SPOKEN_LIKE =
  'aevalsrc=0.4*lt(mod(t\\,4)\\,3.5)*(0.6+0.4*sin(2*PI*3*t))*(sin(2*PI*140*t)+0.5*sin(2*PI*420*t)+0.2*random(0)):s=48000'

/** Runs ffmpeg quietly; its own account of a run goes to the standard error with `-benchmark`. */
export async function ffmpeg(args: string[]): Promise<string> {
  const options = { maxBuffer: 16 * 1024 * 1024 }
  return (await promisify(execFile)('ffmpeg', ['-hide_banner', '-nostats', '-y', ...args], options)).stderr
}

/** With the audio's 128 kbps about 2.5 Mbps, what a screen recorder writes: 188 MB for 10 minutes, 1.1 GB for an hour. */
const RECORDED = { framesPerS: 30, videoKbps: 2_372 }
const KEPT_IN = join(tmpdir(), 'adapt-bench-videos')

/**
 * A narrated video of so many minutes; made in seconds at the first time, and kept between runs: one minute is encoded,
 * padded to a constant bit rate, and copied in a loop. The interleave is ffmpeg's own: audio every few hundredths of a
 * second, index in front.
 * @returns its path
 */
export async function provideVideo(minutes: number, { framesPerS, videoKbps } = RECORDED): Promise<string> {
  const name = `${minutes}-minutes-${framesPerS}-fps-${videoKbps}-kbps.mp4`
  const kept = join(KEPT_IN, name)
  if (existsSync(kept)) return kept
  await mkdir(KEPT_IN, { recursive: true })
  const folder = await mkdtemp(join(KEPT_IN, 'making-'))
  const [clip, video] = [join(folder, 'clip.mp4'), join(folder, name)]
  const rate = `${videoKbps}k`
  const image = `-f lavfi -i testsrc2=size=320x180:rate=${framesPerS}`
  const encodeVideo = `-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 120 -x264-params nal-hrd=cbr:force-cfr=1`
  const constantRate = `-b:v ${rate} -minrate ${rate} -maxrate ${rate} -bufsize ${rate}`
  const encodeAudio = '-c:a aac -ar 48000 -ac 2 -b:a 128k'
  const options = `-t ${CLIP_S} ${encodeVideo} ${constantRate} ${encodeAudio}`.split(' ')
  try {
    await ffmpeg([...image.split(' '), '-f', 'lavfi', '-i', SPOKEN_LIKE, ...options, clip])
    const copies = String(minutes - 1)
    await ffmpeg(['-stream_loop', copies, '-i', clip, '-c', 'copy', '-movflags', '+faststart', video])
    await rename(video, kept)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return kept
}

export async function storeVideo(address: string, path: string): Promise<void> {
  const { size } = await stat(path)
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream
  const headers = { 'content-length': String(size) }
  const answer = await fetch(address, { method: 'PUT', body, headers, duplex: 'half' } as RequestInit)
  if (!answer.ok) throw new Error(`${path} was not stored: ${await answer.text()}`)
}
