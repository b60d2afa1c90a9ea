import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FIXTURES } from './media.ts'

const folder = mkdtempSync(join(tmpdir(), 'adapt-odd-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const SAME_AUDIO = '-c:a copy'

/** Files that trainers have and not every browser plays, by name: how ffmpeg makes them of the narrated test video. */
const ODD = {
  'old.avi': '-c:v mpeg4 -c:a mp3',
  'phone.mp4': `-c:v libx265 -x265-params log-level=error -tag:v hvc1 ${SAME_AUDIO}`,
  'podcast.mp4': `-vn ${SAME_AUDIO}`,
  'foreign.mkv': `-c:v mpeg2video ${SAME_AUDIO}`,
  'screen.mkv': `-c:v copy ${SAME_AUDIO}`,
  'camera.ts': '-c:v copy -c:a ac3',
  'new.mkv': `-c:v libaom-av1 -cpu-used 8 -crf 50 ${SAME_AUDIO}`,
} as const

type OddName = keyof typeof ODD

/** @returns the path of one that is made for this call */
export function makeOdd(name: OddName): string {
  return encode(name, ['-i', join(FIXTURES, 'tiny.mp4'), ...ODD[name].split(' ')])
}

/** The same for a quarter of an hour. */
export function makeLong(name: OddName): string {
  return encode(`long-${name}`, ['-stream_loop', '60', '-i', makeOdd(name), '-c', 'copy'])
}

/** Three pictures of eight seconds, with an audio track of silence or without one. */
export function makeSilent({ hasAudio }: { hasAudio: boolean }): string {
  const pictures = ['smptebars', 'rgbtestsrc', 'yuvtestsrc'].flatMap((picture) => {
    return ['-f', 'lavfi', '-i', `${picture}=size=320x180:rate=10:duration=8`]
  })
  const audio = hasAudio ? ['-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-c:a', 'aac', '-shortest'] : []
  const joined = '[0][1][2]concat=n=3:v=1,format=yuv420p[v]'
  const map = ['-filter_complex', joined, '-map', '[v]', ...(hasAudio ? ['-map', '3'] : [])]
  const [input, options] = [audio.slice(0, 4), audio.slice(4)]
  return encode(`silent-${hasAudio}.mp4`, [...pictures, ...input, ...map, '-c:v', 'libx264', ...options])
}

const TERMINAL_FONT = '/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf'

/** A terminal for a minute, in which a command is typed and its output follows; its audio is silent. */
export function makeTerminal(lines: readonly { text: string; fromS: number; untilS: number; row: number }[]): string {
  const drawn = lines.map(({ text, fromS, untilS, row }, index) => {
    const file = join(folder, `line-${index}.txt`)
    writeFileSync(file, text)
    const when = `enable='between(t,${fromS},${untilS})'`
    return `drawtext=fontfile=${TERMINAL_FONT}:textfile=${file}:expansion=none:fontsize=24:fontcolor=white:x=20:y=${20 + row * 32}:${when}`
  })
  const inputs = [
    '-f',
    'lavfi',
    '-i',
    'color=c=0x101418:s=960x540:r=5:d=60',
    '-f',
    'lavfi',
    '-i',
    'anullsrc=r=16000:cl=mono',
  ]
  const codecs = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest']
  return encode('terminal.mp4', [...inputs, '-vf', drawn.join(','), ...codecs])
}

/** The narrated test video so many times in a row. */
export function makeLooped(rounds: number): string {
  return encode('looped.mp4', ['-stream_loop', String(rounds - 1), '-i', join(FIXTURES, 'tiny.mp4'), '-c', 'copy'])
}

/** Writes a file with ffmpeg. @param piped what it reads as `pipe:0` @returns its path */
export function encode(name: string, args: readonly string[], piped?: Uint8Array): string {
  const path = join(folder, name)
  const { stderr, status } = spawnSync('ffmpeg', ['-v', 'error', '-y', ...args, path], {
    encoding: 'utf8',
    ...(piped && { input: piped }),
  })
  if (status !== 0) throw new Error(`ffmpeg cannot make ${name}: ${stderr}`)
  return path
}
