import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { narrate, run } from './narrate.ts'
import { formatWebVtt } from './sample-timeline.ts'

/** A how-to of three steps, as short as one can be. */
const SENTENCES = [
  ['First, open the file menu and select new document.'],
  ['Next, write a short title at the top of the page.'],
  ['Finally, click the save button to keep your document.'],
]
const SIZE = '240x136'
const FRAMES_PER_SECOND = '5'
const BITEXACT = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact']
const H264 = [
  '-c:v',
  'libx264',
  '-preset',
  'veryslow',
  '-crf',
  '30',
  '-pix_fmt',
  'yuv420p',
  '-g',
  '20',
  '-threads',
  '1',
]
const AAC = ['-c:a', 'aac', '-b:a', '40k', '-ar', '44100']
const VP8 = ['-c:v', 'libvpx', '-b:v', '40k', '-g', '10', '-threads', '1']

/** File name → how ffmpeg writes it from the picture and the narration. */
const KINDS: Record<string, string[]> = {
  'tiny.mp4': [...H264, ...AAC, '-movflags', '+faststart'],
  'moov-at-end.mp4': [...H264, ...AAC],
  'fragmented.mp4': [...H264, ...AAC, '-movflags', '+frag_keyframe+empty_moov+default_base_moof'],
  'silent-track.mp4': [...H264, '-an', '-movflags', '+faststart'],
  'tiny.webm': [...VP8, '-c:a', 'libopus', '-b:a', '32k'],
  'tiny-vorbis.webm': [...VP8, '-c:a', 'libvorbis', '-q:a', '1', '-ar', '44100'],
}

/** Makes one small narrated video in every container and codec that tests need, and its captions. @returns the paths */
export async function makeTestMedia(targetDir: string, workDir: string): Promise<string[]> {
  const dir = join(workDir, 'tests')
  await mkdir(dir)
  const { wavPath, durationMs, parts } = await narrate(SENTENCES, dir)
  const picture = `testsrc2=size=${SIZE}:rate=${FRAMES_PER_SECOND}:duration=${durationMs / 1000},format=yuv420p`
  const paths: string[] = []
  for (const [name, encoding] of Object.entries(KINDS)) {
    const path = join(targetDir, name)
    const inputs = ['-f', 'lavfi', '-i', picture, '-i', wavPath]
    await run('ffmpeg', ['-loglevel', 'error', '-y', ...inputs, ...BITEXACT, ...encoding, path])
    paths.push(path)
  }
  const captionsPath = join(targetDir, 'tiny.vtt')
  await writeFile(captionsPath, formatWebVtt(parts.flat()))
  return [...paths, captionsPath]
}
