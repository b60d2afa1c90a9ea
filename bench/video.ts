import { execFile } from 'node:child_process'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface VideoPlan {
  name: string
  minutes: number
  framesPerS: number
  videoKbps: number
}

const CLIP_S = 60
/**
 * The recogniser is simulated, so the audio needs only what decides where it is cut: sentences of four
 * seconds, whose loudness varies, with a pause of half a second after each.
 */
const SPOKEN_LIKE =
  'aevalsrc=0.4*lt(mod(t\\,4)\\,3.5)*(0.6+0.4*sin(2*PI*3*t))*(sin(2*PI*140*t)+0.5*sin(2*PI*420*t)+0.2*random(0)):s=48000'

/**
 * Makes a video of the planned length and bit rate in seconds: one minute is encoded, padded to a constant bit rate,
 * and copied in a loop. The interleave is ffmpeg's own: audio every few hundredths of a second, index in front.
 */
export async function makeVideo(folder: string, plan: VideoPlan): Promise<string> {
  const clip = join(folder, `${plan.name}-clip.mp4`)
  const video = join(folder, `${plan.name}.mp4`)
  const rate = `${plan.videoKbps}k`
  const image = `-f lavfi -i testsrc2=size=320x180:rate=${plan.framesPerS}`
  const encodeVideo = `-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 120 -x264-params nal-hrd=cbr:force-cfr=1`
  const constantRate = `-b:v ${rate} -minrate ${rate} -maxrate ${rate} -bufsize ${rate}`
  const encodeAudio = '-c:a aac -ar 48000 -ac 2 -b:a 128k'
  const options = `-t ${CLIP_S} ${encodeVideo} ${constantRate} ${encodeAudio}`.split(' ')
  await ffmpeg([...image.split(' '), '-f', 'lavfi', '-i', SPOKEN_LIKE, ...options, clip])
  const copies = String(plan.minutes - 1)
  await ffmpeg(['-stream_loop', copies, '-i', clip, '-c', 'copy', '-movflags', '+faststart', video])
  return video
}

/** Runs ffmpeg quietly; its own account of a run goes to the standard error with `-benchmark`. */
export async function ffmpeg(args: string[]): Promise<string> {
  const { stderr } = await run('ffmpeg', ['-hide_banner', '-nostats', '-loglevel', 'info', '-y', ...args], {
    maxBuffer: 16 * 1024 * 1024,
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    console.error('This bench makes its videos with ffmpeg, which is not installed: apt-get install ffmpeg.')
    process.exit(1)
  })
  return stderr
}

/** With the audio's 128 kbps about 2.5 Mbps, what a screen recorder writes: 188 MB for 10 minutes, 1.1 GB for an hour. */
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
