import {
  BufferSource,
  BufferTarget,
  CustomVideoDecoder,
  CustomVideoEncoder,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputVideoTrack,
  MP4,
  Mp4OutputFormat,
  Output,
  registerDecoder,
  registerEncoder,
  registerVideoSampleTransformer,
  StreamTarget,
  type StreamTargetChunk,
  VideoSample,
} from 'mediabunny'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CopiedVideo, DenserThanLimit, encodeCopy, planKeys } from './encode-copy.ts'
import { BurstLimit } from './limit-burst.ts'

const HOUR_S = 3_600
const SIZE = { width: 32, height: 18 }
const CONFIG = { codec: 'vp09.00.10.08', codedWidth: SIZE.width, codedHeight: SIZE.height }
/** What an encoder makes of a frame here. */
const FRAME_BYTES = 2_000
const CHUNK_BYTES = 64 * 1024

/** Frames that are decoded and not yet given back, and bytes that are encoded. */
const seen = { decoded: 0, open: 0, openMost: 0, encodedBytes: 0 }
/** The number of the frame at which the browser takes the decoder away, once. */
let reclaimedAt: number | null = null

class Decoder extends CustomVideoDecoder {
  static override supports = () => true
  override init() {}
  override decode({ timestamp, duration }: EncodedPacket) {
    if (seen.decoded === reclaimedAt) {
      reclaimedAt = null
      this.onError(new DOMException('Codec reclaimed due to inactivity.', 'QuotaExceededError'))
      return
    }
    this.onSample(openFrame(timestamp, duration))
  }
  override flush() {}
  override close() {}
}

function openFrame(timestamp: number, duration: number): VideoSample {
  const data = new Uint8Array((SIZE.width * SIZE.height * 3) / 2)
  const frame = new VideoSample(data, { format: 'I420', ...CONFIG, timestamp, duration })
  seen.decoded += 1
  seen.open += 1
  seen.openMost = Math.max(seen.openMost, seen.open)
  const close = frame.close.bind(frame)
  let isOpen = true
  frame.close = () => {
    if (isOpen) seen.open -= 1
    isOpen = false
    close()
  }
  return frame
}

class Encoder extends CustomVideoEncoder {
  static override supports = (codec: string) => codec === 'vp9'
  override init() {}
  override encode({ timestamp, duration }: VideoSample, { keyFrame }: VideoEncoderEncodeOptions) {
    seen.encodedBytes += FRAME_BYTES
    const packet = new EncodedPacket(
      new Uint8Array(FRAME_BYTES),
      keyFrame === true ? 'key' : 'delta',
      timestamp,
      duration,
    )
    this.onPacket(packet, { decoderConfig: CONFIG })
  }
  override flush() {}
  override close() {}
}

beforeAll(() => {
  registerDecoder(Decoder)
  registerEncoder(Encoder)
  registerVideoSampleTransformer((sample) => sample.clone())
})

beforeEach(() => void Object.assign(seen, { decoded: 0, open: 0, openMost: 0, encodedBytes: 0 }))

/** A video with a frame and a packet of audio each second. @param frames only so many; the last one stays */
async function makeVideo(seconds: number, frames = seconds): Promise<CopiedVideo> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const [picture, audio] = [new EncodedVideoPacketSource('vp9'), new EncodedAudioPacketSource('aac')]
  output.addVideoTrack(picture)
  output.addAudioTrack(audio)
  await output.start()
  const audioConfig = { codec: 'mp4a.40.2', numberOfChannels: 1, sampleRate: 16_000, description: Uint8Array.of(20, 8) }
  for (let at = 0; at < seconds; at++) {
    const type = at % 50 === 0 ? 'key' : 'delta'
    if (at < frames) await picture.add(new EncodedPacket(new Uint8Array(8), type, at, 1), { decoderConfig: CONFIG })
    await audio.add(new EncodedPacket(Uint8Array.of(at % 256), 'key', at, 1), { decoderConfig: audioConfig })
  }
  await output.finalize()
  const input = openFile(target)
  const [track, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
  if (track === null) throw new Error('Nothing was written')
  return { picture: track, audio: sound, startMs: 0, shown: [[0, Number.POSITIVE_INFINITY]] }
}

const openFile = ({ buffer }: BufferTarget) =>
  new Input({ source: new BufferSource(buffer ?? new ArrayBuffer(0)), formats: [MP4] })

async function listTimes(picture: InputVideoTrack): Promise<number[]> {
  const times: number[] = []
  for await (const { timestamp } of new EncodedPacketSink(picture).packets(undefined, undefined, {
    metadataOnly: true,
  }))
    times.push(Math.round(timestamp))
  return times
}

const PLAIN = { bitsPerS: 600_000, limit: null, stepStartsMs: [], onWritten: async () => {} } as const

/** @returns how many frames were there at once at most, and how many bytes waited to be written */
async function measure(seconds: number) {
  let [writtenBytes, waitingMost] = [0, 0]
  const written = new WritableStream<StreamTargetChunk>({
    write({ data }) {
      writtenBytes += data.byteLength
    },
  })
  const onWritten = async () => {
    waitingMost = Math.max(waitingMost, seen.encodedBytes - writtenBytes)
  }
  const target = new StreamTarget(written, { chunked: true, chunkSize: CHUNK_BYTES })
  await encodeCopy(await makeVideo(seconds), { ...PLAIN, target, onWritten })
  expect(seen).toMatchObject({ decoded: seconds, open: 0 })
  expect(writtenBytes).toBeGreaterThan(seconds * FRAME_BYTES)
  return { framesMost: seen.openMost, waitingMost }
}

describe('encodeCopy', () => {
  it('holds no more of four hours than of five minutes, and writes as it goes', async () => {
    const short = await measure(300)
    seen.encodedBytes = 0
    Object.assign(seen, { decoded: 0, openMost: 0 })
    const long = await measure(4 * HOUR_S)
    expect(long.framesMost).toBe(short.framesMost)
    expect(long.framesMost).toBeLessThan(40)
    expect(long.waitingMost).toBeLessThan(2 * CHUNK_BYTES)
  })

  it('ends where the storage gets full, with the reason', async () => {
    let roomBytes = 10 * CHUNK_BYTES
    const full = new WritableStream<StreamTargetChunk>({
      write({ data }) {
        roomBytes -= data.byteLength
        if (roomBytes < 0) throw new DOMException('', 'QuotaExceededError')
      },
    })
    const target = new StreamTarget(full, { chunked: true, chunkSize: CHUNK_BYTES })
    const made = encodeCopy(await makeVideo(HOUR_S), { ...PLAIN, target })
    await expect(made).rejects.toMatchObject({ name: 'QuotaExceededError' })
    expect(seen.decoded).toBeLessThan(HOUR_S / 2)
  })

  it('ends soon where the picture is denser than its limit', async () => {
    const video = await makeVideo(HOUR_S)
    const encode = (bitsPerS: number) =>
      encodeCopy(video, { ...PLAIN, target: new BufferTarget(), limit: new BurstLimit(bitsPerS) })
    await expect(encode(FRAME_BYTES * 4)).rejects.toBeInstanceOf(DenserThanLimit)
    expect(seen.decoded).toBeLessThan(100)
    await encode(FRAME_BYTES * 8)
  })

  it('decodes nothing more while it waits, for however long', async () => {
    const waiting = Promise.withResolvers<void>()
    const target = new BufferTarget()
    const onWritten = (timeS: number) => (timeS === 100 ? waiting.promise : Promise.resolve())
    const made = encodeCopy(await makeVideo(600), { ...PLAIN, target, onWritten })
    await new Promise((resolve) => setTimeout(resolve, 100))
    const decoded = seen.decoded
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(seen.decoded).toBe(decoded)
    expect(decoded).toBeLessThan(150)
    waiting.resolve()
    await made
    expect(seen.decoded).toBe(600)
  })

  it('goes on where the browser took the decoder of a hidden page away, with each frame once', async () => {
    reclaimedAt = 130
    const target = new BufferTarget()
    await encodeCopy(await makeVideo(300), { ...PLAIN, target })
    expect(reclaimedAt).toBeNull()
    const picture = await openFile(target).getPrimaryVideoTrack()
    expect(picture && (await listTimes(picture))).toEqual(Array.from({ length: 300 }, (_, at) => at))
  })

  it('says that it gets further also where one picture is shown for hours', async () => {
    const times: number[] = []
    const onWritten = async (timeS: number) => void times.push(timeS)
    await encodeCopy(await makeVideo(HOUR_S, 1), { ...PLAIN, target: new BufferTarget(), onWritten })
    expect(times).toHaveLength(HOUR_S + 1)
    expect(times.at(-1)).toBeCloseTo(HOUR_S - 1)
  })
})

const FRAME_S = 0.1

/** Numbers of the frames that are to be key frames. */
function listKeys(startsMs: readonly number[], timesS: readonly number[]): number[] {
  const nameKey = planKeys(startsMs)
  return timesS.flatMap((timeS, frame) => (nameKey(timeS, FRAME_S).keyFrame === true ? [frame] : []))
}

const STEADY = Array.from({ length: 50 }, (_, frame) => frame * FRAME_S)

describe('planKeys', () => {
  it('names the frame that is shown when a step begins, in any order of steps', () => {
    expect(listKeys([3_000, 1_050, 0], STEADY)).toEqual([0, 10, 30])
    expect(listKeys([], STEADY)).toEqual([])
  })

  it('names the next frame for steps that begin where none is, and one for all of them', () => {
    expect(listKeys([1_200, 1_800, 99_000], [0, 1, 3, 4])).toEqual([2])
  })

  it('says nothing of other frames, so that those of every two seconds stay', () => {
    expect(planKeys([5_000])(0, FRAME_S)).toEqual({})
  })
})
