import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { joinBytes } from '../../audio-chunk.ts'
import { ffmpeg, measureLength, speak } from './run-tools.ts'

/** Sentences without a long pause, so that a cut in the wrong place shows. */
const TEXT =
  'Switch off the machine and pull the plug. Remove the water tank and empty it in the sink. Open the front door and take out the brewing unit.'
const OTHER_TEXT =
  'Schalten Sie die Maschine aus. Nehmen Sie den Tank heraus und leeren Sie ihn. Danach ist alles gut und trocken.'

/** What every odd file is made of: a moving picture and speech of nine seconds. */
export interface OddInputs {
  folder: string
  picture: string
  speech: string
  other: string
}

const PICTURE_S = 10

/** Makes the picture and the speech once for all files. */
export function makeInputs(folder: string): OddInputs {
  mkdirSync(folder, { recursive: true })
  const inputs = {
    folder,
    picture: join(folder, 'picture.mp4'),
    speech: join(folder, 'speech.wav'),
    other: join(folder, 'other.wav'),
  }
  speak(TEXT, inputs.speech)
  speak(OTHER_TEXT, inputs.other, 'rms')
  const picture = `testsrc2=size=160x90:rate=10:duration=${PICTURE_S}`
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '45', '-pix_fmt', 'yuv420p', '-g', '20']
  ffmpeg('-f', 'lavfi', '-i', picture, ...h264, inputs.picture)
  const vp8 = ['-c:v', 'libvpx', '-b:v', '50k', '-deadline', 'realtime', '-cpu-used', '8']
  ffmpeg('-i', inputs.picture, ...vp8, join(folder, 'picture.webm'))
  return inputs
}

/** The sides on which a file can be odd, each with its usual value first. */
export const AXES = {
  container: ['mp4', 'mov', 'mkv', 'webm', 'ts'],
  codec: ['aac', 'opus', 'mp3', 'vorbis', 'pcm', 'flac', 'flac-8k', 'aac-8k', 'ac3', 'adpcm'],
  layout: ['plain', 'faststart', 'fragmented', 'hybrid', 'every-frame', 'dash', 'live'],
  times: ['zero', 'hour', 'late-audio', 'late-picture', 'cut-head', 'gap'],
  tracks: [
    'one',
    'silent-first',
    'silent-flac-first',
    'unknown-first',
    'commentary-first',
    'default-second',
    'speakers',
  ],
  channels: ['mono', 'stereo', 'cancelling', 'right-only', 'six'],
  lengths: ['true', 'one-second', 'two-hours', 'a-day'],
  protection: ['open', 'encrypted'],
  ending: ['whole', 'text', 'zeros', 'noise', 'false-box', 'cut'],
} as const

export type OddFile = { [Axis in keyof typeof AXES]: (typeof AXES)[Axis][number] }

/** The file that is odd in nothing. */
export const USUAL: OddFile = {
  container: 'mp4',
  codec: 'aac',
  layout: 'plain',
  times: 'zero',
  tracks: 'one',
  channels: 'mono',
  lengths: 'true',
  protection: 'open',
  ending: 'whole',
}

/** What is odd about a file, in a few words. */
export function nameOf(file: OddFile): string {
  const odd = (Object.keys(AXES) as (keyof OddFile)[]).filter((axis) => file[axis] !== USUAL[axis])
  return odd.length === 0 ? 'usual' : odd.map((axis) => file[axis]).join(', ')
}

const CODECS: Record<OddFile['codec'], string[]> = {
  aac: ['aac', '-b:a', '64k', '-ar', '44100'],
  opus: ['libopus', '-b:a', '32k', '-strict', '-2'],
  mp3: ['libmp3lame', '-b:a', '64k', '-ar', '44100'],
  vorbis: ['libvorbis', '-ar', '44100'],
  pcm: ['pcm_s16le', '-ar', '16000'],
  flac: ['flac', '-ar', '16000', '-strict', '-2'],
  'flac-8k': ['flac', '-ar', '8000', '-frame_size', '4096', '-strict', '-2'],
  'aac-8k': ['aac', '-ar', '8000'],
  ac3: ['ac3', '-ar', '48000'],
  adpcm: ['adpcm_ms', '-ar', '16000'],
}

const CHANNELS: Record<OddFile['channels'], string> = {
  mono: 'pan=mono|c0=c0',
  stereo: 'pan=stereo|c0=c0|c1=0.8*c0',
  cancelling: 'pan=stereo|c0=c0|c1=-1*c0',
  'right-only': 'pan=stereo|c0=0*c0|c1=c0',
  six: 'pan=5.1|FC=c0',
}

const FLAGS: Record<OddFile['layout'], string[]> = {
  plain: [],
  faststart: ['-movflags', '+faststart'],
  fragmented: ['-movflags', '+frag_keyframe+empty_moov+default_base_moof'],
  hybrid: ['-movflags', '+faststart+frag_keyframe'],
  'every-frame': ['-movflags', '+frag_every_frame+empty_moov'],
  dash: ['-movflags', '+dash+frag_keyframe+empty_moov+global_sidx'],
  live: ['-live', '1'],
}

const ENCRYPTION = [
  '-encryption_scheme',
  'cenc-aes-ctr',
  '-encryption_key',
  '00112233445566778899aabbccddeeff',
  '-encryption_kid',
  '0123456789abcdef0123456789abcdef',
]

/** Their index is written before there is audio, of which that of AC-3 is made. */
const BEFORE_AUDIO: ReadonlySet<OddFile['layout']> = new Set(['fragmented', 'every-frame', 'dash'])

const isIso = ({ container }: OddFile) => container === 'mp4' || container === 'mov'

/** What no muxer writes becomes the nearest that one does. */
export function settle(file: OddFile): OddFile {
  const settled = { ...file }
  if (settled.tracks === 'silent-flac-first') settled.codec = 'flac'
  if (settled.container === 'webm' && settled.codec !== 'vorbis') settled.codec = 'opus'
  if (settled.container === 'ts' && !['aac', 'mp3', 'ac3', 'opus'].includes(settled.codec)) settled.codec = 'aac'
  if (settled.container === 'mp4' && settled.codec === 'pcm') settled.container = 'mov'
  if (settled.container === 'mov' && ['opus', 'vorbis', 'flac', 'flac-8k', 'mp3'].includes(settled.codec))
    settled.container = 'mp4'
  if (settled.codec === 'adpcm') settled.container = 'mkv'
  if (!isIso(settled)) settled.lengths = 'true'
  if (!isIso(settled)) settled.protection = 'open'
  if (isIso(settled) ? settled.layout === 'live' : settled.layout !== 'live') settled.layout = 'plain'
  if (settled.container !== 'mkv' && settled.layout === 'live') settled.layout = 'plain'
  if (settled.codec === 'ac3' && BEFORE_AUDIO.has(settled.layout)) settled.layout = 'plain'
  if (settled.tracks === 'silent-flac-first' && settled.codec !== 'flac') settled.tracks = 'silent-first'
  if (settled.tracks === 'unknown-first' && settled.container !== 'mov') settled.tracks = 'silent-first'
  return settled
}

/** A file, and what it is compared with. */
export interface MadeFile {
  path: string
  /** The same without what ffmpeg itself cannot read well. */
  comparedWith: string
  /** Of a file that breaks off, the whole, unless nothing in it says how much is missing. */
  uncut: string | null
  /** Which of its tracks of audio are to be transcribed. */
  rightTracks: number[]
  /** How its channels become one that can be compared. */
  filters: string[]
  tolerances: Tolerances
  /** From its first picture or audio to its last, by its packets; null where an end is missing. */
  lengthMs: number | null
}

/** How far a cut may be from what ffmpeg decodes. */
interface Tolerances {
  lengthMs: number
  shiftMs: number
  /** Tenths of a second in a row that may be missing. */
  lost: number
}

const TOLERANCES: Tolerances = { lengthMs: 100, shiftMs: 50, lost: 0 }
/** Where an index ends in the last packet, ffmpeg plays all of it: 1,024 samples of 8 kHz. */
const AAC_8K_PACKET_MS = 128
/** Packets in fragments of their own get the time of the one before from ffmpeg: 1,152 samples of 16 kHz. */
const FLAC_PACKET_MS = 72
/** Where one stops as the other begins, at a gap, an encoder clicks. */
const CLICK = 2

function toleranceOf({ codec, layout, times, tracks }: OddFile): Tolerances {
  const { lengthMs, shiftMs, lost } = TOLERANCES
  return {
    lengthMs: codec === 'aac-8k' ? AAC_8K_PACKET_MS : lengthMs,
    shiftMs: codec === 'flac' && layout === 'every-frame' ? shiftMs + FLAC_PACKET_MS : shiftMs,
    lost: times === 'gap' && tracks === 'speakers' ? CLICK : lost,
  }
}

/** Writes the file. */
export function makeOddFile(file: OddFile, inputs: OddInputs, name: string): MadeFile {
  const path = join(inputs.folder, `${name}.${file.container}`)
  ffmpeg(...argsOf(file, inputs), path)
  const lengthMs = file.ending === 'cut' ? null : measureLength(path)
  const bytes = readFileSync(path)
  const whole = file.lengths === 'true' ? bytes : lieAboutLength(bytes, file.lengths)
  writeFileSync(path, endAs(whole, file))
  const rightTracks = file.tracks === 'speakers' ? [0, 1] : [file.tracks === 'one' ? 0 : 1]
  const uncut = file.ending === 'cut' && !NAMING_NOTHING.has(file.layout) ? `${path}-uncut.${file.container}` : null
  if (uncut !== null) writeFileSync(uncut, whole)
  // Both channels together are silent, of which the reader may have kept one.
  const filters = file.channels === 'cancelling' ? ['pan=mono|c0=c0'] : []
  const made = { path, comparedWith: path, uncut, rightTracks, filters, tolerances: toleranceOf(file), lengthMs }
  if (file.layout !== 'every-frame' || file.ending === 'cut') return made
  // Of packets in fragments of their own ffmpeg gives several the same time, and drops what they hold.
  const comparedWith = join(inputs.folder, `fragmented.${file.container}`)
  ffmpeg(...argsOf({ ...file, layout: 'fragmented' }, inputs), comparedWith)
  return { ...made, comparedWith }
}

function argsOf(file: OddFile, { picture, speech, other, folder }: OddInputs): string[] {
  const { times, tracks } = file
  const seen = file.container === 'webm' ? join(folder, 'picture.webm') : picture
  const beforeSpeech = times === 'late-audio' ? ['-itsoffset', '2.5'] : []
  const inputs = [
    '-i',
    seen,
    ...beforeSpeech,
    '-i',
    speech,
    '-i',
    other,
    '-f',
    'lavfi',
    '-t',
    '9',
    '-i',
    'anullsrc=r=16000:cl=mono',
  ]
  if (times === 'late-picture') inputs.unshift('-itsoffset', '2')
  const gap = times === 'gap' ? ",aselect='lt(t,3)+gt(t,5)'" : ''
  const spoken = `[1:a]${CHANNELS[file.channels]}${gap}`
  const voice = tracks === 'one' ? ['-map', '[v]'] : ['-map', firstTrackOf(tracks), '-map', '[v]']
  const at = tracks === 'one' || tracks === 'speakers' ? 0 : 1
  return [
    ...inputs,
    '-filter_complex',
    tracks === 'speakers' ? `${spoken},${TURNS}` : `${spoken}[v]`,
    '-map',
    '0:v',
    ...voice,
    '-c:v',
    'copy',
    '-c:a',
    ...CODECS[file.codec],
    ...(tracks === 'unknown-first' ? ['-c:a:0', 'alac'] : []),
    ...(tracks === 'commentary-first' ? ['-metadata:s:a:0', 'title=Commentary', '-disposition:a:0', 'comment'] : []),
    ...(tracks === 'default-second' ? ['-disposition:a:0', '0'] : []),
    ...(at === 1 ? ['-disposition:a:1', tracks === 'default-second' ? 'default' : '0'] : []),
    ...(times === 'hour' ? ['-output_ts_offset', '3600'] : []),
    ...(times === 'cut-head' ? ['-ss', '2.2'] : []),
    ...FLAGS[file.layout],
    ...(file.protection === 'encrypted' ? ENCRYPTION : []),
    ...(file.container === 'ts' ? ['-f', 'mpegts'] : []),
  ]
}

/** One speaks first, then the other, each into a microphone of their own. */
const TURNS = "asplit[a][b];[a]volume=0:enable='gte(t,4.5)'[first];[b]volume=0:enable='lt(t,4.5)'[v]"

function firstTrackOf(tracks: OddFile['tracks']): string {
  if (tracks === 'speakers') return '[first]'
  return tracks === 'silent-first' || tracks === 'silent-flac-first' ? '3:a' : '2:a'
}

const LIES: Record<OddFile['lengths'], number> = { true: 0, 'one-second': 1, 'two-hours': 7200, 'a-day': 90_000 }

/** Writes another length into the heads of the movie and its tracks, and into the list of the fragments. */
function lieAboutLength(bytes: Uint8Array, lie: OddFile['lengths']): Uint8Array {
  const lying = Buffer.from(bytes)
  const movie = lying.indexOf('mvhd')
  if (movie < 0) return lying
  const length = Math.min(LIES[lie] * lying.readUInt32BE(movie + 16), 0xffff_fff0)
  lying.writeUInt32BE(length, movie + 20)
  for (let at = lying.indexOf('tkhd'); at >= 0; at = lying.indexOf('tkhd', at + 4)) lying.writeUInt32BE(length, at + 24)
  for (let at = lying.indexOf('mehd'); at >= 0; at = lying.indexOf('mehd', at + 4)) lying.writeUInt32BE(length, at + 8)
  return lying
}

/** Of these a part is as good as the whole: each fragment or cluster is shorter than the loss that is ignored. */
const NAMING_NOTHING: ReadonlySet<OddFile['layout']> = new Set(['every-frame', 'live'])
/** Of these each fragment names only itself. */
const NAMING_ITSELF: ReadonlySet<OddFile['layout']> = new Set(['fragmented', 'hybrid'])

function endAs(bytes: Uint8Array, { ending, layout }: OddFile): Uint8Array {
  if (ending === 'text') return joinBytes([bytes, Buffer.from('https://example.org/device/info?id=0000&serial=none')])
  if (ending === 'zeros') return joinBytes([bytes, new Uint8Array(4096)])
  if (ending === 'noise') return joinBytes([bytes, Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) >> 3)])
  if (ending === 'false-box')
    return joinBytes([bytes, Buffer.from([0x7f, 0xff, 0xff, 0xff]), Buffer.from('samp'), new Uint8Array(64)])
  if (ending !== 'cut') return bytes
  const cutAt = Math.floor(bytes.byteLength * 0.6)
  return bytes.slice(0, NAMING_ITSELF.has(layout) ? earlyInFragment(bytes, cutAt) : cutAt)
}

/** Moves a cut to where the fragment misses most of its two seconds. */
function earlyInFragment(bytes: Uint8Array, cutAt: number): number {
  const boxes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let early = cutAt
  for (let at = 0; at < cutAt; at += Math.max(8, boxes.readUInt32BE(at))) {
    if (boxes.toString('latin1', at + 4, at + 8) === 'mdat') early = at + Math.floor(boxes.readUInt32BE(at) / 4)
  }
  return early
}

/** A copy under a name that a person can find. */
export function keepFile(path: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  copyFileSync(path, join(folder, basename(path)))
}
