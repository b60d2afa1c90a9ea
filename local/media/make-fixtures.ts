import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensureTools, orEnd } from '../start/tools.ts'
import { type Narration, narrate, run } from './narrate.ts'
import { drawSlide, formatWebVtt, SAMPLE_SCRIPT, showMoment } from './sample-slides.ts'

const SAMPLE_FRAMES_PER_SECOND = 15

/** Makes the how-to that an empty dashboard offers, and its captions. @returns the paths */
async function makeSample(targetDir: string, workDir: string): Promise<string[]> {
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
    ['-loglevel', 'error', '-y', '-framerate', String(SAMPLE_FRAMES_PER_SECOND), '-i', join(dir, '%05d.svg')],
    [...narration.input, '-map_metadata', '-1', '-fflags', '+bitexact', '-threads', '1'],
    ['-c:v', 'libx264', '-preset', 'veryslow', '-tune', 'animation', '-crf', '27', '-pix_fmt', 'yuv420p'],
    // A key frame every four seconds, so that a jump to a step is quick.
    ['-g', String(4 * SAMPLE_FRAMES_PER_SECOND), '-flags:v', '+bitexact', '-flags:a', '+bitexact'],
    ['-c:a', 'aac', '-b:a', '48k', '-ar', '44100', '-movflags', '+faststart', videoPath],
  ]
  await run('ffmpeg', args.flat())
  await writeFile(captionsPath, formatWebVtt(narration.parts.flat()))
  return [videoPath, captionsPath]
}

async function drawFrames({ durationMs, parts }: Narration, dir: string): Promise<void> {
  const count = Math.ceil((durationMs / 1000) * SAMPLE_FRAMES_PER_SECOND)
  for (let index = 0; index < count; index += 1) {
    const moment = showMoment(SAMPLE_SCRIPT, parts, (index * 1000) / SAMPLE_FRAMES_PER_SECOND)
    await writeFile(join(dir, `${String(index).padStart(5, '0')}.svg`), drawSlide(moment))
  }
}

/** A how-to of three steps, as short as one can be. */
const SENTENCES = [
  ['First, open the file menu and select new document.'],
  ['Next, write a short title at the top of the page.'],
  ['Finally, click the save button to keep your document.'],
]
const SIZE = '240x136'
const FRAMES_PER_SECOND = '5'
const BITEXACT = '-map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact'
const H264 = '-c:v libx264 -preset veryslow -crf 30 -pix_fmt yuv420p -g 20 -threads 1'
const AAC = '-c:a aac -b:a 40k -ar 44100'
const VP8 = '-c:v libvpx -b:v 40k -g 10 -threads 1'

/** File name → how ffmpeg writes it from the picture and the narration, or from the narration alone. */
const KINDS = {
  'tiny.mp4': `${H264} ${AAC} -movflags +faststart`,
  'moov-at-end.mp4': `${H264} ${AAC}`,
  'fragmented.mp4': `${H264} ${AAC} -movflags +frag_keyframe+empty_moov+default_base_moof`,
  'silent-track.mp4': `${H264} -an -movflags +faststart`,
  'tiny.webm': `${VP8} -c:a libopus -b:a 32k`,
  'tiny-vorbis.webm': `${VP8} -c:a libvorbis -q:a 1 -ar 44100`,
  'spoken.mp3': '-vn -t 5 -c:a libmp3lame -b:a 32k -ar 16000',
  'spoken.wav': '-vn -t 5 -c:a pcm_s16le -ar 16000',
}

/** Makes one small narrated video in every container and codec that tests need, and its captions. @returns the paths */
async function makeTestMedia(targetDir: string, workDir: string): Promise<string[]> {
  const dir = join(workDir, 'tests')
  await mkdir(dir)
  const { input, durationMs, parts } = await narrate(SENTENCES, dir)
  const picture = `testsrc2=size=${SIZE}:rate=${FRAMES_PER_SECOND}:duration=${durationMs / 1000},format=yuv420p`
  const paths: string[] = []
  for (const [name, encoding] of Object.entries(KINDS)) {
    const path = join(targetDir, name)
    const inputs = ['-f', 'lavfi', '-i', picture, ...input]
    await run('ffmpeg', ['-loglevel', 'error', '-y', ...inputs, ...`${BITEXACT} ${encoding}`.split(' '), path])
    paths.push(path)
  }
  const captionsPath = join(targetDir, 'tiny.vtt')
  await writeFile(captionsPath, formatWebVtt(parts.flat()))
  return [...paths, captionsPath]
}

/** Where a platform cuts its own shape out, the icon has no corners of its own, and its middle four fifths stay. */
const ICONS = [
  { name: 'icon-192.png', sizePx: 192, isCut: false },
  { name: 'icon-512.png', sizePx: 512, isCut: false },
  { name: 'maskable-512.png', sizePx: 512, isCut: true },
  { name: 'apple-touch-icon.png', sizePx: 180, isCut: true },
]

/** Draws the icon of tabs as home screens want it. @returns the paths */
async function makeIcons(publicDir: string, workDir: string): Promise<string[]> {
  const icon = await readFile(join(publicDir, 'favicon.svg'), 'utf8')
  const targetDir = join(publicDir, 'icons')
  await mkdir(targetDir, { recursive: true })
  for (const { name, sizePx, isCut } of ICONS) {
    const cut = icon
      .replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"')
      .replace('width="32" height="32" rx="8"', 'x="-4" y="-4" width="40" height="40"')
    const svg = join(workDir, `${name}.svg`)
    await writeFile(svg, (isCut ? cut : icon).replace('<svg ', `<svg width="${sizePx}" height="${sizePx}" `))
    await run('ffmpeg', ['-loglevel', 'error', '-y', '-i', svg, '-fflags', '+bitexact', join(targetDir, name)])
  }
  return ICONS.map(({ name }) => join(targetDir, name))
}

// `npm run fixtures`: makes the project's own media from nothing but text, with flite and ffmpeg.

await orEnd(ensureTools(['flite', 'ffmpeg']))

const repoDir = resolve(import.meta.dirname, '../..')
const workDir = await mkdtemp(join(tmpdir(), 'adapt-media-'))
try {
  const sampleDir = join(repoDir, 'web/public/sample')
  const fixturesDir = join(repoDir, 'local/media/fixtures')
  await Promise.all([sampleDir, fixturesDir].map((dir) => mkdir(dir, { recursive: true })))
  const made = [
    ...(await makeIcons(join(repoDir, 'web/public'), workDir)),
    ...(await makeSample(sampleDir, workDir)),
    ...(await makeTestMedia(fixturesDir, workDir)),
  ]
  for (const path of made) console.log(`${path.slice(repoDir.length + 1)}  ${(await stat(path)).size} bytes`)
} finally {
  await rm(workDir, { recursive: true })
}
