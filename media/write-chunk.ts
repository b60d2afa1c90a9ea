import { type AudioConfig, type AudioContentType, type AudioPacket, joinBytes } from './audio-chunk.ts'
import { writeWav } from './pcm.ts'
import { viewOf } from './source/byte-window.ts'

/** Puts packets into a file of their own that begins at time zero. The same packets give the same bytes. */
export function writeChunk(
  contentType: AudioContentType,
  config: AudioConfig,
  packets: readonly AudioPacket[],
): Uint8Array<ArrayBuffer> {
  switch (contentType) {
    case 'audio/wav':
      return writeWav(packets, config.sampleRate)
    case 'audio/mpeg':
      // An MP3 file is its frames, one after the other.
      return joinBytes(packets.map(({ bytes }) => bytes))
    case 'audio/mp4':
      return writeM4a(config, packets)
    case 'audio/ogg':
      return writeOgg(config, packets)
  }
}

const AAC_LC = 2
/** SBR and parametric stereo on top of AAC LC: a decoder of ADTS finds them in the packets. */
const SBR_TYPES: ReadonlySet<number> = new Set([5, 29])
/** A frame's length has 13 bits. */
const ADTS_FRAME_MAX = 0x1fff
const ADTS_HEAD_BYTES = 7

/**
 * Writes AAC packets as a stream of ADTS frames, which name their format each. Nothing is decoded.
 * @returns null for what ADTS cannot say: another rate, object type or channel layout than its few bits hold
 * @see ISO/IEC 13818-7, 6.2; of the description ISO/IEC 14496-3, 1.6.2.1 AudioSpecificConfig
 */
export function writeAdts(
  { codec, description }: Pick<AudioConfig, 'codec' | 'description'>,
  packets: readonly AudioPacket[],
): Uint8Array<ArrayBuffer> | null {
  if (codec !== 'aac') return null
  const [first = 0, second = 0] = description ?? []
  const objectType = SBR_TYPES.has(first >> 3) ? AAC_LC : first >> 3
  const rateIndex = ((first & 0x07) << 1) | (second >> 7)
  const channels = (second >> 3) & 0x0f
  if (objectType < 1 || objectType > 4 || rateIndex > 12 || channels < 1 || channels > 7) return null
  const frames: Uint8Array[] = []
  for (const { bytes } of packets) {
    const length = bytes.byteLength + ADTS_HEAD_BYTES
    if (length > ADTS_FRAME_MAX) return null
    const head = [
      0xff,
      // MPEG-4, no checksum.
      0xf1,
      ((objectType - 1) << 6) | (rateIndex << 2) | (channels >> 2),
      ((channels & 0x03) << 6) | (length >> 11),
      (length >> 3) & 0xff,
      // Eleven ones: a variable bit rate.
      ((length & 0x07) << 5) | 0x1f,
      0xfc,
    ]
    frames.push(Uint8Array.from(head), bytes)
  }
  return joinBytes(frames)
}

const USUAL_PACKET_SAMPLES = 1024
/** What an AAC packet may hold; the longer ones are of twice the rate. */
const AAC_PACKET_SAMPLES = [960, USUAL_PACKET_SAMPLES, 1920, 2048]
/** Packets by which the times of a chunk's ends may be wrong, beside what rounding does. */
const ENDS_OFF = 1.1
/** Undetermined, in three letters of five bits. */
const LANGUAGE_UND = 0x55c4

/**
 * Writes packets of AAC or FLAC as an M4A file, index first. The same packets always give the same bytes: no creation time, no
 * serial number. All packets last equally long, whatever a container that rounds to milliseconds says.
 * @see ISO/IEC 14496-12 and 14496-14
 */
function writeM4a(config: AudioConfig, packets: readonly AudioPacket[]): Uint8Array<ArrayBuffer> {
  const sizes = listSizes(packets)
  const head = box('ftyp', ascii('M4A '), u32(0), ascii('M4A '), ascii('isom'), ascii('mp42'))
  const dataBytes = packets.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
  const index = makeIndex(config, packets, sizes)
  viewOf(index).setUint32(index.length - 4, head.length + index.length + BOX_HEAD_BYTES)
  const dataHead = Uint8Array.from([...u32(BOX_HEAD_BYTES + dataBytes), ...ascii('mdat')])
  return joinBytes([head, index, dataHead, ...packets.map(({ bytes }) => bytes)])
}

/** The sizes of packets as an index holds them, in four bytes each. */
function listSizes(packets: readonly AudioPacket[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * packets.length))
  packets.forEach(({ bytes }, at) => view.setUint32(4 * at, bytes.byteLength))
  return new Uint8Array(view.buffer)
}

/** Ends with the place of the audio, which is left empty. */
function makeIndex(config: AudioConfig, packets: readonly AudioPacket[], sizes: Uint8Array): Uint8Array {
  const rate = config.sampleRate
  const perPacket = countSamples(packets, config)
  const duration = perPacket * packets.length
  const matrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
  // Both dates, of creation and of the last change, are zero.
  const movie = [u32(0, 0, rate, duration, 0x10000), u16(0x100), zeros(10), matrix, zeros(24), u32(2)]
  const track = [u32(0, 0, 1, 0, duration), zeros(8), u16(0, 1, 0x100, 0), matrix, zeros(8)]
  const table = box(
    'stbl',
    fullBox('stsd', 0, u32(1), sampleEntry(config)),
    fullBox('stts', 0, u32(1, packets.length, perPacket)),
    fullBox('stsc', 0, u32(1, 1, packets.length, 1)),
    fullBox('stsz', 0, u32(0, packets.length), sizes),
    fullBox('stco', 0, u32(1, 0)),
  )
  const dataHere = box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1)))
  const media = box(
    'mdia',
    fullBox('mdhd', 0, u32(0, 0, rate, duration), u16(LANGUAGE_UND, 0)),
    fullBox('hdlr', 0, u32(0), ascii('soun'), zeros(12), ascii('audio\0')),
    box('minf', fullBox('smhd', 0, zeros(4)), dataHere, table),
  )
  return box('moov', fullBox('mvhd', 0, ...movie), box('trak', fullBox('tkhd', 3, ...track), media))
}

/** By the times of packets. Where one at an end is said to be a packet early or late, AAC still holds what it holds. */
function countSamples(packets: readonly AudioPacket[], { codec, sampleRate }: AudioConfig): number {
  const [first, last] = [packets[0], packets.at(-1)]
  if (first === undefined || last === undefined || packets.length < 2) return USUAL_PACKET_SAMPLES
  const mean = (((last.startMs - first.startMs) / 1000) * sampleRate) / (packets.length - 1)
  const [nearest = mean] =
    codec === 'aac' ? AAC_PACKET_SAMPLES.toSorted((a, b) => Math.abs(a - mean) - Math.abs(b - mean)) : []
  const isRight = Math.abs(nearest - mean) * (packets.length - 1) <= ENDS_OFF * nearest
  return Math.max(1, Math.round(isRight ? nearest : mean))
}

function sampleEntry({ codec, sampleRate, channels, description }: AudioConfig): Uint8Array {
  // 16.16 fixed point; rates that do not fit stand in the codec's own description.
  const rate = sampleRate < 0x10000 ? sampleRate : 0
  const fields = [zeros(6), u16(1), zeros(8), u16(channels, 16, 0, 0, rate, 0)]
  return codec === 'flac' ? box('fLaC', ...fields, dfla(description)) : box('mp4a', ...fields, esds(description))
}

/** Of a FLAC file's beginning the blocks of facts, without its mark. @see Encapsulation of FLAC in ISOBMFF, 3.3.2 */
function dfla(description: Uint8Array | null): Uint8Array {
  return fullBox('dfLa', 0, description?.subarray(FLAC_MARK_BYTES) ?? [])
}

/** `fLaC` */
const FLAC_MARK_BYTES = 4

/** @see ISO/IEC 14496-1, 7.2.6.5 ES_Descriptor */
function esds(description: Uint8Array | null): Uint8Array {
  const AAC = 0x40
  const AUDIO_STREAM = 0x15
  const specific = description === null ? [] : descriptor(5, [...description])
  const decoder = descriptor(4, [AAC, AUDIO_STREAM, ...zeros(11), ...specific])
  return fullBox('esds', 0, descriptor(3, [...u16(1), 0, ...decoder, ...descriptor(6, [2])]))
}

function descriptor(tag: number, content: number[]): number[] {
  const size = content.length
  return [tag, 0x80 | (size >> 21), 0x80 | ((size >> 14) & 0x7f), 0x80 | ((size >> 7) & 0x7f), size & 0x7f, ...content]
}

type Bytes = readonly number[] | Uint8Array

function box(name: string, ...content: Bytes[]): Uint8Array {
  const bytes = new Uint8Array(content.reduce((sum, part) => sum + part.length, BOX_HEAD_BYTES))
  new DataView(bytes.buffer).setUint32(0, bytes.byteLength)
  bytes.set(ascii(name), 4)
  let offset = BOX_HEAD_BYTES
  for (const part of content) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

function fullBox(name: string, flags: number, ...content: Bytes[]): Uint8Array {
  return box(name, u32(flags), ...content)
}

const BOX_HEAD_BYTES = 8

function u16(...values: number[]): number[] {
  return values.flatMap((value) => [(value >> 8) & 0xff, value & 0xff])
}

function u32(...values: number[]): number[] {
  return values.flatMap((value) => [(value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff])
}

function zeros(count: number): number[] {
  return Array<number>(count).fill(0)
}

function ascii(text: string): number[] {
  return Array.from(text, (char) => char.charCodeAt(0))
}

/** Opus counts time at this rate, whatever the audio's own. */
const OPUS_CLOCK = 48_000
const MAX_SEGMENTS = 255
const SEGMENT_BYTES = 255
const PAGE_HEAD_BYTES = 27
/** Of no meaning with one stream per file; a fixed one keeps the same packets the same bytes. */
const SERIAL = 1
const FIRST_PAGE = 2
const LAST_PAGE = 4
const OPUS_SETUP_BYTES = 19

/**
 * Writes Opus or Vorbis packets as an Ogg file. The same packets always give the same bytes.
 * @see RFC 3533, RFC 7845; for Vorbis: Vorbis I, A.2
 */
function writeOgg(config: AudioConfig, packets: readonly AudioPacket[]): Uint8Array<ArrayBuffer> {
  const setup = config.codec === 'opus' ? opusSetup(config) : vorbisSetup(config.description)
  const pages: Uint8Array[] = []
  const addPage = (content: readonly Uint8Array[], granule: number, flags: number) =>
    pages.push(makePage(content, { granule, flags, sequence: pages.length }))
  for (const [i, head] of setup.entries()) addPage([head], 0, i === 0 ? FIRST_PAGE : 0)
  const clock = config.codec === 'opus' ? OPUS_CLOCK : config.sampleRate
  const beginMs = packets[0]?.startMs ?? 0
  let content: Uint8Array[] = []
  let segments = 0
  for (const [i, { bytes, endMs }] of packets.entries()) {
    content.push(bytes)
    segments += segmentsOf(bytes)
    const next = packets[i + 1]
    if (next !== undefined && segments + segmentsOf(next.bytes) <= MAX_SEGMENTS) continue
    // A packet ends where the next begins: containers round the length of each, but not where it begins.
    addPage(
      content,
      Math.round((((next?.startMs ?? endMs) - beginMs) / 1000) * clock),
      next === undefined ? LAST_PAGE : 0,
    )
    content = []
    segments = 0
  }
  return joinBytes(pages)
}

function opusSetup({ channels, description }: AudioConfig): Uint8Array[] {
  // Some writers of WebM leave the head out; this is the plain one.
  const head = description?.slice() ?? plainOpusHead(channels)
  // Samples to drop are a matter of a stream's very beginning; a chunk from its middle is all audio.
  head.fill(0, 10, 12)
  return [head, new Uint8Array([...ascii('OpusTags'), 5, 0, 0, 0, ...ascii('Adapt'), 0, 0, 0, 0])]
}

function plainOpusHead(channels: number): Uint8Array {
  const head = new Uint8Array(OPUS_SETUP_BYTES)
  head.set([...ascii('OpusHead'), 1, channels])
  new DataView(head.buffer).setUint32(12, OPUS_CLOCK, true)
  return head
}

/** The three heads of Vorbis come in one piece: their count less one, the sizes of the first two, then all of them. */
function vorbisSetup(description: Uint8Array | null): Uint8Array[] {
  if (description === null || description[0] !== 2) throw new Error('Vorbis without its three heads')
  let offset = 1
  const sizes = [0, 0]
  for (let i = 0; i < 2; i++) {
    for (; description[offset] === 255; offset++) sizes[i] = (sizes[i] ?? 0) + 255
    sizes[i] = (sizes[i] ?? 0) + (description[offset++] ?? 0)
  }
  const [first = 0, second = 0] = sizes
  const ends = [offset, offset + first, offset + first + second, description.byteLength]
  return [0, 1, 2].map((i) => description.subarray(ends[i], ends[i + 1]))
}

interface PageHead {
  /** Samples from the beginning to the end of the page's last packet. */
  granule: number
  flags: number
  sequence: number
}

function makePage(packets: readonly Uint8Array[], { granule, flags, sequence }: PageHead): Uint8Array {
  const lacing = packets.flatMap((packet) => [
    ...Array<number>(segmentsOf(packet) - 1).fill(SEGMENT_BYTES),
    packet.byteLength % SEGMENT_BYTES,
  ])
  // A Vorbis head can be longer than a page's 65,025 bytes only in theory (real ones have 3–5 kB).
  if (lacing.length > MAX_SEGMENTS) throw new Error('A packet does not fit an Ogg page')
  const head = new Uint8Array(PAGE_HEAD_BYTES)
  const view = new DataView(head.buffer)
  head.set(ascii('OggS'))
  head[5] = flags
  view.setBigUint64(6, BigInt(granule), true)
  view.setUint32(14, SERIAL, true)
  view.setUint32(18, sequence, true)
  head[26] = lacing.length
  const page = joinBytes([head, Uint8Array.from(lacing), ...packets])
  new DataView(page.buffer).setUint32(22, checksum(page), true)
  return page
}

function segmentsOf(packet: Uint8Array): number {
  return Math.floor(packet.byteLength / SEGMENT_BYTES) + 1
}

/** CRC-32 with Ogg's polynomial, unreflected and without inversion. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1
  return value
})

function checksum(bytes: Uint8Array): number {
  let value = 0
  for (let i = 0; i < bytes.length; i++) {
    value = (value << 8) ^ (CRC_TABLE[((value >>> 24) ^ (bytes[i] ?? 0)) & 0xff] ?? 0)
  }
  return value >>> 0
}
