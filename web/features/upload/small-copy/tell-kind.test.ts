import {
  BufferSource,
  BufferTarget,
  CustomVideoDecoder,
  EncodedPacket,
  EncodedVideoPacketSource,
  Input,
  type InputVideoTrack,
  MP4,
  Mp4OutputFormat,
  Output,
  registerDecoder,
} from 'mediabunny'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { tellKind } from './tell-kind.ts'

const MINUTE_MS = 60_000
const CONFIG = { codec: 'vp09.00.10.08', codedWidth: 32, codedHeight: 18 }
const FACTS = { startMs: 0, durationMs: 1_000 }

const asked = vi.fn<() => void>()

/** One that a browser has taken away without a word. */
class SilentDecoder extends CustomVideoDecoder {
  static override supports = () => true
  override init() {}
  override decode = asked
  override flush = () => new Promise<never>(() => {})
  override close() {}
}

async function openPicture(): Promise<InputVideoTrack> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const source = new EncodedVideoPacketSource('vp9')
  output.addVideoTrack(source)
  await output.start()
  await source.add(new EncodedPacket(new Uint8Array(8), 'key', 0, 1), { decoderConfig: CONFIG })
  await output.finalize()
  const input = new Input({ source: new BufferSource(target.buffer ?? new ArrayBuffer(0)), formats: [MP4] })
  const picture = await input.getPrimaryVideoTrack()
  if (picture === null) throw new Error('Nothing was written')
  return picture
}

beforeAll(() => registerDecoder(SilentDecoder))
afterEach(() => void vi.useRealTimers())

it('ends where the decoder has not answered for a minute', async () => {
  const picture = await openPicture()
  vi.useFakeTimers()
  const ended = vi.fn<(name: string) => void>()
  void tellKind(picture, FACTS, { reads: 0 }).catch(({ name }: Error) => ended(name))
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  expect(asked).toHaveBeenCalled()
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 2)
  expect(ended).toHaveBeenCalledWith('TimeoutError')
})

it('looks for as long as more of the video is read, as of a long part on a slow line', async () => {
  const [picture, source] = [await openPicture(), { reads: 0 }]
  vi.useFakeTimers()
  const ended = vi.fn<(name: string) => void>()
  void tellKind(picture, FACTS, source).catch(({ name }: Error) => ended(name))
  for (let minute = 0; minute < 5; minute++) {
    source.reads += 1
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
  }
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(MINUTE_MS)
  expect(ended).toHaveBeenCalledWith('TimeoutError')
})
