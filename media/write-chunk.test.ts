import { BufferSource, EncodedPacketSink, Input, MP4, OGG } from 'mediabunny'
import { describe, expect, it } from 'vitest'
import type { AudioConfig, AudioContentType, AudioPacket } from './audio-chunk.ts'
import { writeChunk } from './write-chunk.ts'

const AAC = { codec: 'aac', sampleRate: 44_100, channels: 2, description: new Uint8Array([0x12, 0x10]) } as const
const OPUS = { codec: 'opus', sampleRate: 48_000, channels: 2, description: null } as const

/** Sizes around 255 and its multiples are where Ogg's lacing can go wrong; one is larger than a page's usual share. */
const SIZES = [1, 254, 255, 256, 509, 510, 511, 4000, 3, 765]

function packets(lengthMs: number, count: number, firstMs = 0): AudioPacket[] {
  return Array.from({ length: count }, (_, i) => {
    const bytes = new Uint8Array(SIZES[i % SIZES.length] ?? 1).map((_, at) => (at * 31 + i) & 0xff)
    // An Opus packet begins with what it holds: 20 ms, full band, one frame.
    bytes[0] = 0xf8
    return { startMs: firstMs + i * lengthMs, endMs: firstMs + (i + 1) * lengthMs, bytes, loudness: null }
  })
}

async function readBack(file: Uint8Array) {
  using input = new Input({ source: new BufferSource(file), formats: [MP4, OGG] })
  const track = await input.getPrimaryAudioTrack()
  if (track === null) throw new Error('No track')
  const read: Uint8Array[] = []
  for await (const packet of new EncodedPacketSink(track).packets()) read.push(packet.data)
  return { read, config: await track.getDecoderConfig(), durationS: await track.computeDuration() }
}

async function expectRoundTrip(contentType: AudioContentType, config: AudioConfig, written: AudioPacket[]) {
  const back = await readBack(writeChunk(contentType, config, written))
  expect(back.read.map((bytes) => bytes.join())).toEqual(written.map(({ bytes }) => bytes.join()))
  const lengthS = ((written.at(-1)?.endMs ?? 0) - (written[0]?.startMs ?? 0)) / 1000
  expect(back.durationS).toBeCloseTo(lengthS, 2)
  return back.config
}

describe('writeChunk', () => {
  it('writes M4A from which each packet is read back, with its times and what the decoder needs', async () => {
    const config = await expectRoundTrip('audio/mp4', AAC, packets(1024 / 44.1, 200, 95_000))
    expect(config).toMatchObject({ codec: 'mp4a.40.2', sampleRate: 44_100, numberOfChannels: 2 })
  })

  it('keeps the length of M4A exact when times come in whole milliseconds', async () => {
    const rounded = packets(1024 / 44.1, 1300).map((packet) => ({ ...packet, startMs: Math.round(packet.startMs) }))
    const { durationS } = await readBack(writeChunk('audio/mp4', AAC, rounded))
    expect(durationS).toBeCloseTo((1300 * 1024) / 44_100, 5)
  })

  it.each([5, 222])('keeps the length of M4A exact when the first of %d packets is said to be late', async (count) => {
    const lateMs = count > 5 ? 20 : 0.5
    for (const samples of [960, 1024, 2048]) {
      const late = packets(samples / 44.1, count).map((packet) => ({
        ...packet,
        startMs: Math.max(lateMs, packet.startMs),
      }))
      const { durationS } = await readBack(writeChunk('audio/mp4', AAC, late))
      expect(durationS, `${samples}`).toBeCloseTo((count * samples) / 44_100, 5)
    }
  })

  it('keeps the length of M4A whose packets have a pause between them', async () => {
    const { durationS } = await readBack(writeChunk('audio/mp4', AAC, packets(25, 200)))
    expect(durationS).toBeCloseTo(5, 1)
  })

  it('says in the box of the handler that the track is audio, with all the fields that a strict reader expects', () => {
    const file = writeChunk('audio/mp4', AAC, packets(1024 / 44.1, 3))
    const text = new TextDecoder('latin1').decode(file)
    const at = text.indexOf('hdlr')
    // Its size and name, version and flags, what QuickTime had there, the kind, three reserved fields, a name.
    expect(new DataView(file.buffer, file.byteOffset).getUint32(at - 4)).toBe(4 + 4 + 4 + 4 + 4 + 12 + 6)
    expect(text.slice(at + 4, at + 34)).toBe(`${'\0'.repeat(8)}soun${'\0'.repeat(12)}audio\0`)
  })

  it('writes Ogg from which each Opus packet is read back', async () => {
    await expectRoundTrip('audio/ogg', OPUS, packets(20, 400, 95_000))
  })

  it('drops nothing from the beginning of an Opus chunk, although the header of the source asks its decoder to', () => {
    const head = new Uint8Array(19)
    head.set([...new TextEncoder().encode('OpusHead'), 1, 2, 0x38, 0x01])
    const file = writeChunk('audio/ogg', { ...OPUS, description: head }, packets(20, 3))
    expect(new DataView(file.buffer).getUint16(28 + 10, true)).toBe(0)
  })

  it.each([
    ['audio/mp4', AAC],
    ['audio/ogg', OPUS],
  ] as const)('writes a single packet as %s', async (contentType, config) => {
    const { read } = await readBack(writeChunk(contentType, config, packets(20, 1)))
    expect(read).toHaveLength(1)
  })

  it('refuses Vorbis without its heads', () => {
    expect(() => writeChunk('audio/ogg', { ...OPUS, codec: 'vorbis' }, packets(20, 3))).toThrow('heads')
  })
})
