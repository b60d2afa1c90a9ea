import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '#local/media/narrate.ts'

/** A video that is uploaded in every round. */
export interface ChaosVideo {
  filename: string
  contentType: string
  bytes: Uint8Array<ArrayBuffer>
}

interface VideoPlan {
  filename: string
  contentType: string
  durationS: number
  encoding: string
}

/** Two containers, and one video that is cut in more than one go: a go is ten minutes of audio. */
const PLANS: VideoPlan[] = [
  {
    filename: 'change-the-filter.mp4',
    contentType: 'video/mp4',
    durationS: 200,
    encoding: '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 10 -c:a aac -b:a 64k -movflags +faststart',
  },
  {
    filename: 'refill-the-paper.webm',
    contentType: 'video/webm',
    durationS: 660,
    encoding: '-c:v libvpx -deadline realtime -cpu-used 16 -b:v 40k -g 10 -c:a libopus -b:a 48k',
  },
]

/** Noise differs from part to part, as speech does, and with a pause in every sentence there is where to cut. */
const AUDIO = (plan: VideoPlan, seed: number) =>
  `anoisesrc=d=${plan.durationS}:r=48000:c=pink:seed=${seed}:a=0.4,volume='if(lt(mod(t,6),5),1,0.01)':eval=frame`

/** Makes the videos of all rounds with ffmpeg. */
export async function makeVideos(dir: string, signal: AbortSignal): Promise<ChaosVideo[]> {
  const videos: ChaosVideo[] = []
  for (const [index, plan] of PLANS.entries()) {
    const path = join(dir, plan.filename)
    const image = `testsrc2=size=160x90:rate=1:duration=${plan.durationS}`
    const inputs = ['-f', 'lavfi', '-i', image, '-f', 'lavfi', '-i', AUDIO(plan, index + 1)]
    await run('ffmpeg', ['-loglevel', 'error', '-y', ...inputs, ...plan.encoding.split(' '), path], signal)
    const { filename, contentType } = plan
    videos.push({ filename, contentType, bytes: new Uint8Array(await readFile(path)) })
  }
  return videos
}
