import {
  type AudioCodec,
  AudioSample,
  AudioSampleSink,
  AudioSampleSource,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  getFirstEncodableAudioCodec,
  getFirstEncodableVideoCodec,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
  Quality,
  type Target,
  type VideoSample,
  VideoSampleSink,
  VideoSampleSource,
} from 'mediabunny'
import type { TimeRanges } from '#contract/time/time-ranges.ts'
import { COMMON_AUDIO, KEPT_AUDIO, loadDecoder, TARGET_AUDIO, TARGET_PICTURES } from '../convert/convert-video.ts'
import { AudioSum } from './compare-copy.ts'
import type { BurstLimit } from './limit-burst.ts'
import { isShown } from './shown-parts.ts'
import { sizeCopy } from './size-copy.ts'

const AUDIO_BITS_PER_S = 96_000
const KEY_FRAME_EVERY_S = 2
/** Times of frames are fractions that no number has exactly. */
const ROUNDED_S = 0.001
/** Audio is written so far ahead of the picture. */
const AUDIO_AHEAD_S = 1

/** A copy that was to be sharper than there is room for. */
export class DenserThanLimit extends Error {}

/** A video that a copy is made of. */
export interface CopiedVideo {
  picture: InputVideoTrack
  audio: InputAudioTrack | null
  /** Where it begins in its file's own times. */
  startMs: number
  /** What of it goes into the copy. What lies between keeps its time, but is not in the file. */
  shown: TimeRanges
}

interface EncodeOptions {
  /** What the encoder is told. */
  bitsPerS: number
  /** What the picture is to keep; null where the encoder does. */
  limit: BurstLimit | null
  stepStartsMs: readonly number[]
  target: Target
  /** Called with the time of each frame, and of all audio; settles when more may be written. */
  onWritten: (timeS: number) => Promise<void>
}

/**
 * Writes a small copy of a video, whose times count from where the video begins.
 * @returns the sum of its audio, to be compared; null where it has none or another encoding
 * @throws {DenserThanLimit} where the picture does not keep its limit; where this browser cannot decode or encode it
 */
export async function encodeCopy(video: CopiedVideo, options: EncodeOptions): Promise<AudioSum | null> {
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target: options.target })
  const frames = await openPicture(video.picture, options)
  output.addVideoTrack(frames)
  const audio = await openAudio(video)
  if (audio !== null) output.addAudioTrack(audio.source)
  await output.start()
  // Players jump to where a part begins.
  const nameKey = planKeys([...options.stepStartsMs, ...video.shown.map(([from]) => from * 1000)])
  try {
    for await (const sample of listFrames(video)) {
      const timeS = sample.timestamp
      await audio?.writeUntil(timeS + AUDIO_AHEAD_S, options.onWritten)
      await frames.add(sample, nameKey(timeS, sample.duration))
      sample.close()
      if (options.limit?.isPassed) throw new DenserThanLimit()
      await options.onWritten(timeS)
    }
    // One picture may be shown for hours.
    await audio?.writeUntil(Number.POSITIVE_INFINITY, options.onWritten)
    await output.finalize()
  } catch (error) {
    await output.cancel().catch(() => undefined)
    throw error
  }
  return audio?.sum ?? null
}

/** The frames of what is shown. The first one is seen from the beginning, also where that is left out. */
async function* listFrames({ picture, startMs, shown }: CopiedVideo): AsyncGenerator<VideoSample> {
  const [sink, startS] = [new VideoSampleSink(picture), startMs / 1000]
  let isBegun = shown[0]?.[0] === 0
  for (const [from, to] of shown) {
    for await (const sample of decode(sink, startS + from, startS + to)) {
      // The one that is seen when a part begins may have begun before.
      sample.setTimestamp(isBegun ? Math.max(from, sample.timestamp - startS) : 0)
      isBegun = true
      yield sample
    }
  }
}

/** What is decoded between two moments, also where a browser takes the decoder of a hidden page away while that pauses. */
async function* decode<Sample extends AudioSample | VideoSample>(
  sink: { samples: (from: number, to?: number) => AsyncIterable<Sample> },
  from: number,
  to?: number,
): AsyncGenerator<Sample> {
  let lastS = Number.NEGATIVE_INFINITY
  for (;;) {
    const beganS = lastS
    try {
      for await (const sample of sink.samples(Math.max(from, lastS), to)) {
        const timeS = sample.timestamp
        // It was there before the decoder went.
        if (timeS <= beganS) sample.close()
        else {
          lastS = timeS
          yield sample
        }
      }
      return
    } catch (error) {
      if (!isReclaimed(error) || lastS === beganS) throw error
    }
  }
}

/** @see https://w3c.github.io/webcodecs/#resource-reclamation */
function isReclaimed(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError' && /reclaimed/i.test(error.message)
}

async function openPicture(
  picture: InputVideoTrack,
  { bitsPerS, limit }: Pick<EncodeOptions, 'bitsPerS' | 'limit'>,
): Promise<VideoSampleSource> {
  // not-shown: for developers.
  if (!(await picture.canDecode())) throw new Error('This browser cannot decode the video')
  const size = sizeCopy({ width: await picture.getDisplayWidth(), height: await picture.getDisplayHeight() })
  const quality = new Quality({ bitrate: bitsPerS, bitrateMode: 'variable' })
  const codec = await getFirstEncodableVideoCodec([...TARGET_PICTURES], { ...size, quality })
  // not-shown: for developers.
  if (codec === null) throw new Error('This browser cannot encode video')
  return new VideoSampleSource({
    codec,
    quality,
    keyFrameInterval: KEY_FRAME_EVERY_S,
    onEncodedPacket: (packet) => limit?.note(packet),
    // A recording of a window changes its size with the window; a phone's is rotated by a note in the file.
    sizeChangeBehavior: 'contain',
    transform: { ...size, alpha: 'discard', force: true },
  })
}

/**
 * Finds the frames that are shown when a step begins; asked in the order of frames.
 * @returns nothing for all others: saying that one is no key frame would also end those that come every two seconds
 */
export function planKeys(startsMs: readonly number[]): (timeS: number, durationS: number) => VideoEncoderEncodeOptions {
  const waiting = startsMs.map((startMs) => startMs / 1000).toSorted((a, b) => a - b)
  return (timeS, durationS) => {
    const begun = waiting.findIndex((startS) => startS >= timeS + durationS - ROUNDED_S)
    const passed = waiting.splice(0, begun === -1 ? waiting.length : begun)
    return passed.length > 0 ? { keyFrame: true } : {}
  }
}

/** Audio that is written as far as the picture is. */
interface WrittenAudio {
  source: EncodedAudioPacketSource | AudioSampleSource
  writeUntil: (timeS: number, onWritten: EncodeOptions['onWritten']) => Promise<void>
  /** Null where it is encoded anew. */
  sum: AudioSum | null
}

async function openAudio({ audio, startMs, shown }: CopiedVideo): Promise<WrittenAudio | null> {
  const codec = (await audio?.getCodec()) ?? null
  if (audio === null || codec === null) return null
  const startS = startMs / 1000
  return KEPT_AUDIO.has(codec) ? copyAudio(audio, codec, { startS, shown }) : encodeAudio(audio, { startS, shown })
}

interface AudioPlace extends Pick<CopiedVideo, 'shown'> {
  startS: number
}

async function copyAudio(audio: InputAudioTrack, codec: AudioCodec, place: AudioPlace): Promise<WrittenAudio> {
  const source = new EncodedAudioPacketSource(codec)
  const sum = new AudioSum()
  const decoderConfig = await audio.getDecoderConfig()
  const packets = new EncodedPacketSink(audio).packets()
  const write = async (timed: TimedPacket) => {
    sum.add(timed.packet)
    await source.add(timed.packet, decoderConfig === null ? undefined : { decoderConfig })
  }
  return { source, sum, writeUntil: writeAhead(shiftPackets(packets, place), write) }
}

interface TimedPacket {
  timeS: number
  packet: EncodedPacket
}

/** What is played before the video begins, as an encoder's first moments, is left out too. */
async function* shiftPackets(
  packets: AsyncIterable<EncodedPacket>,
  { startS, shown }: AudioPlace,
): AsyncGenerator<TimedPacket> {
  for await (const packet of packets) {
    const timeS = packet.timestamp - startS
    if (timeS >= 0 && isShown(timeS, shown)) yield { timeS, packet: packet.clone({ timestamp: timeS }) }
  }
}

async function encodeAudio(audio: InputAudioTrack, { startS, shown }: AudioPlace): Promise<WrittenAudio | null> {
  await loadDecoder(audio)
  // not-shown: for developers.
  if (!(await audio.canDecode())) throw new Error('This browser cannot decode the audio')
  const own = { numberOfChannels: await audio.getNumberOfChannels(), sampleRate: await audio.getSampleRate() }
  const quality = new Quality({ bitrate: AUDIO_BITS_PER_S })
  const [codec, shape] = (await findAudioCodec(own)) ?? []
  // not-shown: for developers.
  if (codec === undefined || shape === undefined) throw new Error('This browser cannot encode audio')
  const source = new AudioSampleSource({ codec, quality, transform: shape })
  const samples = (async function* shift() {
    for await (const sample of decode(new AudioSampleSink(audio), startS)) {
      const timeS = sample.timestamp - startS
      sample.setTimestamp(Math.max(0, timeS))
      yield { timeS, sample: isShown(Math.max(0, timeS), shown) ? sample : silence(sample) }
    }
  })()
  const write = async ({ sample }: { sample: AudioSample }) => {
    await source.add(sample)
    sample.close()
  }
  return { source, sum: null, writeUntil: writeAhead(samples, write) }
}

/** Encoders count the samples they get: what is left out is silent instead, which takes next to no room. */
function silence(sample: AudioSample): AudioSample {
  const { sampleRate, numberOfChannels, numberOfFrames, timestamp } = sample
  sample.close()
  const data = new Float32Array(numberOfFrames * numberOfChannels)
  return new AudioSample({ data, format: 'f32-planar', sampleRate, numberOfChannels, timestamp })
}

async function findAudioCodec(own: typeof COMMON_AUDIO) {
  for (const shape of [own, COMMON_AUDIO]) {
    const codec = await getFirstEncodableAudioCodec([...TARGET_AUDIO], {
      ...shape,
      quality: new Quality({ bitrate: AUDIO_BITS_PER_S }),
    })
    if (codec !== null) return [codec, shape] as const
  }
  return null
}

/** Writes what begins before a moment, each time it is called with a later one. */
function writeAhead<Item extends { timeS: number }>(items: AsyncGenerator<Item>, write: (item: Item) => Promise<void>) {
  let next: Promise<IteratorResult<Item>> | null = null
  return async (untilS: number, onWritten: EncodeOptions['onWritten']) => {
    for (;;) {
      next ??= items.next()
      const { done, value } = await next
      if (done === true || value.timeS >= untilS) return
      next = null
      await write(value)
      await onWritten(value.timeS)
    }
  }
}
