import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drawSlide } from './draw-slide.ts'
import { type Narration, narrate } from './narrate.ts'
import { run } from './run.ts'
import { SAMPLE_SCRIPT } from './sample-script.ts'
import { showMoment } from './sample-timeline.ts'
import { formatWebVtt } from './web-vtt.ts'

const FRAMES_PER_SECOND = 15

/** Makes the how-to that an empty dashboard offers, and its captions. @returns the paths */
export async function makeSample(targetDir: string, workDir: string): Promise<string[]> {
  const dir = join(workDir, 'sample')
  await mkdir(dir)
  const narration = await narrate(
    SAMPLE_SCRIPT.map(({ sentences }) => sentences),
    dir,
  )
  await drawFrames(narration, dir)
  const videoPath = join(targetDir, 'adapt-sample.mp4')
  const captionsPath = join(targetDir, 'adapt-sample.vtt')
  const args = [
    ['-loglevel', 'error', '-y', '-framerate', String(FRAMES_PER_SECOND), '-i', join(dir, '%05d.svg')],
    ['-i', narration.wavPath, '-map_metadata', '-1', '-fflags', '+bitexact', '-threads', '1'],
    ['-c:v', 'libx264', '-preset', 'veryslow', '-tune', 'animation', '-crf', '27', '-pix_fmt', 'yuv420p'],
    // A key frame every four seconds, so that a jump to a step is quick.
    ['-g', String(4 * FRAMES_PER_SECOND), '-flags:v', '+bitexact', '-flags:a', '+bitexact'],
    ['-c:a', 'aac', '-b:a', '48k', '-ar', '44100', '-movflags', '+faststart', videoPath],
  ]
  await run('ffmpeg', args.flat())
  await writeFile(captionsPath, formatWebVtt(narration.parts.flat()))
  return [videoPath, captionsPath]
}

async function drawFrames({ durationMs, parts }: Narration, dir: string): Promise<void> {
  const count = Math.ceil((durationMs / 1000) * FRAMES_PER_SECOND)
  for (let index = 0; index < count; index += 1) {
    const moment = showMoment(SAMPLE_SCRIPT, parts, (index * 1000) / FRAMES_PER_SECOND)
    await writeFile(join(dir, `${String(index).padStart(5, '0')}.svg`), drawSlide(moment))
  }
}
