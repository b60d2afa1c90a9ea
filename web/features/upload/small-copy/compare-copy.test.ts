import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { describe, expect, it } from 'vitest'
import { type ComparedVideo, findDifference, sumAudio } from './compare-copy.ts'

const FRAME_S = 0.04
const PACKET_S = 1024 / 16_000

interface Made {
  /** Seconds of the file's own times at which it begins. */
  startS?: number
  frames?: number
  /** Where a frame begins, by its number. */
  timeOf?: (frame: number) => number
  packets?: number
  byteOf?: (packet: number) => number
  lateS?: number
}

/** A video with frames and audio at the given times, of bytes that nobody decodes. */
async function make({
  startS = 0,
  frames = 100,
  timeOf = (frame) => frame * FRAME_S,
  packets = 60,
  byteOf = (packet) => packet,
  lateS = 0,
}: Made = {}): Promise<ComparedVideo> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const [picture, audio] = [new EncodedVideoPacketSource('vp9'), new EncodedAudioPacketSource('aac')]
  output.addVideoTrack(picture)
  output.addAudioTrack(audio)
  await output.start()
  for (let frame = 0; frame < frames; frame++) {
    const packet = new EncodedPacket(
      new Uint8Array(8),
      frame % 50 === 0 ? 'key' : 'delta',
      startS + timeOf(frame),
      FRAME_S,
    )
    await picture.add(packet, { decoderConfig: { codec: 'vp09.00.10.08', codedWidth: 320, codedHeight: 180 } })
  }
  for (let at = 0; at < packets; at++) {
    const packet = new EncodedPacket(Uint8Array.of(byteOf(at), 7), 'key', startS + lateS + at * PACKET_S, PACKET_S)
    const description = Uint8Array.of(0x14, 0x08)
    await audio.add(packet, {
      decoderConfig: { codec: 'mp4a.40.2', numberOfChannels: 1, sampleRate: 16_000, description },
    })
  }
  await output.finalize()
  const input = new Input({ source: new BufferSource(target.buffer ?? new ArrayBuffer(0)), formats: [MP4] })
  const [video, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
  if (video === null || sound === null) throw new Error('Nothing was written')
  return { picture: video, startMs: startS * 1000, durationMs: frames * FRAME_S * 1000, audio: await sumAudio(sound) }
}

const compare = async (original: Made, copy: Made) => findDifference(await make(original), await make(copy))

describe('findDifference', () => {
  it('finds none between equal videos, also of a variable frame rate', async () => {
    const timeOf = (frame: number) => frame * FRAME_S + (frame % 3) * 0.012
    expect(await compare({}, {})).toBeNull()
    expect(await compare({ timeOf }, { timeOf })).toBeNull()
  })

  it('counts the times of both from where they begin', async () => {
    const original = await make({ startS: 2 })
    expect(await findDifference({ ...original, audio: null }, { ...(await make()), audio: null })).toBeNull()
  })

  it('takes no frame that is left out for a difference, and one at another time for one', async () => {
    const shown = [
      [0, 1],
      [3.02, Number.POSITIVE_INFINITY],
    ] as const
    // The frame that is seen from 3.02 s on has begun at 3 s in the original.
    const skip = (frame: number) => (frame < 25 ? frame * FRAME_S : Math.max(3.02, (frame + 50) * FRAME_S))
    const original = { ...(await make()), audio: null }
    const copy = { ...(await make({ frames: 50, timeOf: skip })), durationMs: 4_000, audio: null }
    expect(await findDifference(original, copy, shown)).toBeNull()
    expect(await findDifference(original, { ...copy, durationMs: 2_000 }, shown)).toContain('it is 2000 ms long')
    const closed = { ...(await make({ frames: 50 })), durationMs: 4_000, audio: null }
    expect(await findDifference(original, closed, shown)).toContain('the frame at')
  })

  it('wants a copy that is shorter where the end is left out', async () => {
    const [original, copy] = [await make(), await make({ frames: 50 })]
    const shown = [[0, 2]] as const
    expect(await findDifference({ ...original, audio: null }, { ...copy, audio: null }, shown)).toBeNull()
  })

  it('finds a copy that is too short', async () => {
    expect(await compare({}, { frames: 90, packets: 55 })).toBe('it is 3600 ms long instead of 4000 ms')
  })

  it('finds frames at other times, as of a fixed frame rate in place of a variable one', async () => {
    expect(await compare({ timeOf: (frame) => frame * FRAME_S + (frame % 2) * 0.02 }, {})).toContain('the frame at')
    expect(
      await compare({}, { timeOf: (frame) => Math.floor(frame / 2) * 2 * FRAME_S + (frame % 2) * 0.001 }),
    ).toContain('the frame at')
  })

  it('finds audio with other packets, other bytes, and at other times', async () => {
    expect(await compare({}, { packets: 59 })).toBe('it has 59 packets of audio instead of 60')
    expect(await compare({}, { byteOf: (packet) => (packet === 30 ? 1 : packet) })).toBe('its audio has other bytes')
    expect(await compare({}, { lateS: 0.1 })).toContain('its audio goes from 0.1')
  })

  it('misses audio that the original has, and none that it has not', async () => {
    const made = await make()
    expect(await findDifference(made, { ...made, audio: null })).toBe('it has no audio')
    expect(await findDifference({ ...made, audio: null }, made)).toBeNull()
  })
})
