import type { AudioConfig, AudioPacket } from './audio-chunk.ts'
import { joinBytes } from './join-bytes.ts'

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
export function writeOgg(config: AudioConfig, packets: readonly AudioPacket[]): Uint8Array<ArrayBuffer> {
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
  let at = 1
  const sizes = [0, 0]
  for (let i = 0; i < 2; i++) {
    for (; description[at] === 255; at++) sizes[i] = (sizes[i] ?? 0) + 255
    sizes[i] = (sizes[i] ?? 0) + (description[at++] ?? 0)
  }
  const [first = 0, second = 0] = sizes
  const ends = [at, at + first, at + first + second, description.byteLength]
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

function ascii(text: string): number[] {
  return Array.from(text, (char) => char.charCodeAt(0))
}
