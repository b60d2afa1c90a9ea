import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface VideoPlan {
  name: string
  minutes: number
  framesPerS: number
  videoKbps: number
}

const CLIP_S = 60
/** Read aloud at flite's pace this is about half a minute; it is looped to fill the clip. */
const NARRATION = `First, open the settings page. Then click on the users tab. Now press the add button, and type the name
  of the new person. Choose a role, and click save. Next, we look at the billing page. Here you see every invoice of the
  last year. Click on an invoice to open it, and press download to keep a copy. Finally, sign out, and close the window.`

/**
 * Makes a video of the planned length and bit rate in seconds: one minute is encoded, padded to a constant bit rate,
 * and copied in a loop. The interleave is ffmpeg's own: sound every few hundredths of a second, index in front.
 */
export async function makeVideo(folder: string, plan: VideoPlan): Promise<string> {
  const speech = join(folder, 'speech.wav')
  const clip = join(folder, `${plan.name}-clip.mp4`)
  const video = join(folder, `${plan.name}.mp4`)
  const text = join(folder, 'speech.txt')
  await writeFile(text, NARRATION)
  await run('flite', ['-f', text, '-o', speech])
  const rate = `${plan.videoKbps}k`
  const picture = `-f lavfi -i testsrc2=size=320x180:rate=${plan.framesPerS}`
  const encodeVideo = `-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 120 -x264-params nal-hrd=cbr:force-cfr=1`
  const constantRate = `-b:v ${rate} -minrate ${rate} -maxrate ${rate} -bufsize ${rate}`
  const encodeSound = '-c:a aac -ar 48000 -ac 2 -b:a 128k'
  const options = `-t ${CLIP_S} ${encodeVideo} ${constantRate} ${encodeSound}`.split(' ')
  await ffmpeg([...picture.split(' '), '-stream_loop', '-1', '-i', speech, ...options, clip])
  const copies = String(plan.minutes - 1)
  await ffmpeg(['-stream_loop', copies, '-i', clip, '-c', 'copy', '-movflags', '+faststart', video])
  return video
}

/** Runs ffmpeg quietly; its own account of a run goes to the standard error with `-benchmark`. */
export async function ffmpeg(args: string[]): Promise<string> {
  const { stderr } = await run('ffmpeg', ['-hide_banner', '-nostats', '-loglevel', 'info', '-y', ...args], {
    maxBuffer: 16 * 1024 * 1024,
  })
  return stderr
}
