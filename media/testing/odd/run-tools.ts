import { spawnSync } from 'node:child_process'

/** Samples of 16 kHz mono, as a recogniser gets them. */
export const RATE = 16_000

const LARGEST_OUTPUT = 512 * 1024 * 1024

/** Runs ffmpeg. @throws with what it said */
export function ffmpeg(...args: string[]): Uint8Array<ArrayBuffer> {
  const run = spawnSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { maxBuffer: LARGEST_OUTPUT })
  if (run.status !== 0) throw new Error(`ffmpeg ${args.join(' ')}: ${String(run.stderr)}`)
  return new Uint8Array(run.stdout)
}

/** Speaks a text into a WAV file of 16 kHz. */
export function speak(text: string, path: string, voice = 'slt'): void {
  const run = spawnSync('flite', ['-voice', voice, '-t', text, '-o', path])
  if (run.status !== 0) throw new Error(`flite: ${String(run.stderr)}`)
}

/**
 * Decodes an audio track of a file. Time 0 of the samples is the beginning of the file: where its audio begins later, or
 * pauses, there is silence.
 */
export function decode(path: string, track = 0, filters: string[] = []): Float32Array {
  // A damaged end is decoded as far as it goes.
  const filter = ['aresample=16000:async=1:min_hard_comp=0.02:first_pts=0', ...filters].join(',')
  const raw = spawnSync(
    'ffmpeg',
    ['-v', 'quiet', '-nostdin', '-i', path, '-map', `0:a:${track}`, '-af', filter, '-ac', '1', '-f', 'f32le', '-'],
    { maxBuffer: LARGEST_OUTPUT },
  )
  const bytes = new Uint8Array(raw.stdout)
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.byteLength / 4))
}

/** Less than this is how players and encoders begin. */
const LATE_START_S = 1

/** From the first picture or audio to the last, by the packets of all tracks. */
export function measureLength(path: string): number {
  const entries = ['-show_entries', 'packet=pts_time,duration_time:format=start_time', '-of', 'csv=p=1']
  const run = spawnSync('ffprobe', ['-v', 'error', ...entries, path], { encoding: 'utf8', maxBuffer: LARGEST_OUTPUT })
  let [startS, endS] = [0, 0]
  for (const line of run.stdout.split('\n')) {
    const [kind, at, length] = line.split(',')
    const [atS, lengthS] = [Number(at), Number(length)]
    if (kind === 'format') startS = atS
    if (kind === 'packet' && !Number.isNaN(atS)) endS = Math.max(endS, atS + (Number.isNaN(lengthS) ? 0 : lengthS))
  }
  return 1000 * (startS >= LATE_START_S ? endS - startS : endS)
}
