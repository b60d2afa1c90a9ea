import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ACCEPTANCE } from '#local/speech/acceptance.ts'

/** A video that shows no text. */
export interface Picture {
  name: string
  path: string
  width: number
  height: number
}

const SIZE = { width: 1280, height: 720 }
const LENGTH_S = 5
const of = (filter: string) => `${filter}${filter.includes('=') ? ':' : '='}s=${SIZE.width}x${SIZE.height}:r=10`

/** What cameras and films have instead of text: gradients, grain, hard edges, fine patterns, moving and still. */
const SOURCES: Readonly<Record<string, string>> = {
  gradients: of('gradients=speed=0.02:n=4'),
  'still-gradients': of('gradients=speed=0.00001:n=8'),
  mandelbrot: of('mandelbrot'),
  cells: of('life=mold=10:ratio=0.1'),
  automaton: of('cellauto=rule=110'),
  sierpinski: of('sierpinski'),
  bars: of('smptehdbars'),
  grain: `${of('color=c=gray')},noise=alls=40:allf=t`,
  'still-grain': `${of('color=c=gray')},noise=alls=60`,
  'blurred-grain': `${of('color=c=gray')},noise=alls=100,gblur=sigma=6,eq=contrast=4`,
  'moving-blobs': `${of('color=c=gray')},noise=alls=100:allf=t,gblur=sigma=14,eq=contrast=8`,
  leaves: `${of('color=c=green')},noise=alls=100,gblur=sigma=3,eq=contrast=6`,
  brick: `${of('color=c=brown')},drawgrid=w=60:h=24:t=2:c=white`,
  fence: `${of('color=c=white')},drawgrid=w=14:h=300:t=4:c=black`,
  waves: `${of('gradients=n=2')},geq=lum='128+100*sin((X+Y*0.3)/9)'`,
  rings: `${of('color=c=white')},geq=lum='128+120*sin(hypot(X-640\\,Y-360)/7)'`,
}

/** Makes the videos that are not there yet, and adds those of the acceptance media that show none. */
export async function makePictures(folder: string): Promise<Picture[]> {
  const made: Picture[] = []
  for (const [name, source] of Object.entries(SOURCES)) {
    const path = join(folder, `picture-${name}.mp4`)
    const codec = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '26', '-pix_fmt', 'yuv420p']
    if (!existsSync(path))
      await promisify(execFile)('ffmpeg', [
        '-v',
        'error',
        '-y',
        '-f',
        'lavfi',
        '-i',
        source,
        '-t',
        String(LENGTH_S),
        ...codec,
        path,
      ])
    made.push({ name, path, ...SIZE })
  }
  const plain = join(ACCEPTANCE, 'custom-speech-howto/custom-speech-howto.mp4')
  return existsSync(plain) ? [...made, { name: 'plain-howto', path: plain, ...(await sizeOf(plain)) }] : made
}

async function sizeOf(path: string): Promise<{ width: number; height: number }> {
  const args = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'stream=width,height', '-of', 'csv=p=0', path]
  const { stdout } = await promisify(execFile)('ffprobe', args)
  const [width = 0, height = 0] = stdout.trim().split(',').map(Number)
  return { width, height }
}
