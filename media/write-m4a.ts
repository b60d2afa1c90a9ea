import type { AudioConfig, AudioPacket } from './audio-chunk.ts'
import { joinBytes } from './join-bytes.ts'

/** Samples in an AAC packet unless its times say otherwise (960 and 2,048 exist). */
const USUAL_PACKET_SAMPLES = 1024
const UNITY_MATRIX = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]
/** Undetermined, in three letters of five bits. */
const LANGUAGE_UND = 0x55c4

/**
 * Writes AAC packets as an M4A file, index first. The same packets always give the same bytes: no creation time, no
 * serial number. All packets last equally long, whatever a container that rounds to milliseconds says.
 * @see ISO/IEC 14496-12 and 14496-14
 */
export function writeM4a(config: AudioConfig, packets: readonly AudioPacket[]): Uint8Array<ArrayBuffer> {
  const sizes = packets.map(({ bytes }) => bytes.byteLength)
  const head = box('ftyp', ascii('M4A '), u32(0), ascii('M4A '), ascii('isom'), ascii('mp42'))
  const dataBytes = sizes.reduce((sum, size) => sum + size, 0)
  // The offset is a fixed-size field, so the index is as long with a zero in it.
  const dataAt = head.length + makeIndex(config, packets, sizes, 0).length + 8
  const index = makeIndex(config, packets, sizes, dataAt)
  const front = Uint8Array.from([...head, ...index, ...u32(8 + dataBytes), ...ascii('mdat')])
  return joinBytes([front, ...packets.map(({ bytes }) => bytes)])
}

function makeIndex(config: AudioConfig, packets: readonly AudioPacket[], sizes: number[], dataAt: number): number[] {
  const rate = config.sampleRate
  const perPacket = countSamples(packets, rate)
  const duration = u32(perPacket * packets.length)
  const times = [...u32(0), ...u32(0)]
  const movie = [
    times,
    u32(rate),
    duration,
    u32(0x10000),
    u16(0x100),
    zeros(10),
    UNITY_MATRIX.flatMap(u32),
    zeros(24),
    u32(2),
  ]
  const track = [
    times,
    u32(1),
    u32(0),
    duration,
    zeros(8),
    u16(0),
    u16(1),
    u16(0x100),
    u16(0),
    UNITY_MATRIX.flatMap(u32),
    zeros(8),
  ]
  const table = box(
    'stbl',
    fullBox('stsd', 0, u32(1), sampleEntry(config)),
    fullBox('stts', 0, u32(1), u32(packets.length), u32(perPacket)),
    fullBox('stsc', 0, u32(1), u32(1), u32(packets.length), u32(1)),
    fullBox('stsz', 0, u32(0), u32(packets.length), sizes.flatMap(u32)),
    fullBox('stco', 0, u32(1), u32(dataAt)),
  )
  const dataHere = box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1)))
  const media = box(
    'mdia',
    fullBox('mdhd', 0, times, u32(rate), duration, u16(LANGUAGE_UND), u16(0)),
    fullBox('hdlr', 0, u32(0), ascii('soun'), zeros(12), ascii('audio\0')),
    box('minf', fullBox('smhd', 0, zeros(4)), dataHere, table),
  )
  return box('moov', fullBox('mvhd', 0, ...movie), box('trak', fullBox('tkhd', 3, ...track), media))
}

function countSamples(packets: readonly AudioPacket[], sampleRate: number): number {
  const [first, last] = [packets[0], packets.at(-1)]
  if (first === undefined || last === undefined || packets.length < 2) return USUAL_PACKET_SAMPLES
  return Math.max(1, Math.round(((last.startMs - first.startMs) / (packets.length - 1) / 1000) * sampleRate))
}

function sampleEntry({ sampleRate, channels, description }: AudioConfig): number[] {
  // 16.16 fixed point; rates that do not fit stand in the codec's own description.
  const rate = sampleRate < 0x10000 ? sampleRate : 0
  return box('mp4a', zeros(6), u16(1), zeros(8), u16(channels), u16(16), u32(0), u16(rate), u16(0), esds(description))
}

/** @see ISO/IEC 14496-1, 7.2.6.5 ES_Descriptor */
function esds(description: Uint8Array | null): number[] {
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

function box(name: string, ...content: number[][]): number[] {
  const size = content.reduce((sum, chunk) => sum + chunk.length, 8)
  return u32(size).concat(ascii(name), ...content)
}

function fullBox(name: string, flags: number, ...content: number[][]): number[] {
  return box(name, u32(flags), ...content)
}

function u16(value: number): number[] {
  return [(value >> 8) & 0xff, value & 0xff]
}

function u32(value: number): number[] {
  return [(value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff]
}

function zeros(count: number): number[] {
  return Array<number>(count).fill(0)
}

function ascii(text: string): number[] {
  return Array.from(text, (char) => char.charCodeAt(0))
}
