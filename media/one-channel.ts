import type { AudioConfig } from './audio-chunk.ts'

/** What a packet of two channels becomes, and what a decoder is to know of it. */
export interface OneChannel {
  config: AudioConfig
  change: (packet: Uint8Array) => Uint8Array
}

/**
 * Finds how packets of two channels are changed so that a decoder's plain downmix gives one of them. A microphone that is
 * wired in reverse makes channels that cancel each other: their sum is silence. Nothing is decoded.
 * @returns null for one channel, and for codecs where that takes a decoder
 */
export function takeOneChannel(config: AudioConfig): OneChannel | null {
  if (config.channels !== 2) return null
  if (config.codec === 'aac') return { config, change: swapAacStereo }
  if (config.codec === 'mp3') return { config, change: swapMp3Stereo }
  if (config.codec === 'opus') return { config: { ...config, channels: 1, description: leftOpusHead() }, change: same }
  return null
}

const same = (packet: Uint8Array) => packet

/**
 * A head by which a decoder gives the left one of two channels that are coded together: mapping family 1 may name fewer
 * channels than its streams have.
 * @see RFC 7845, 5.1.1
 */
function leftOpusHead(): Uint8Array {
  const name = [0x4f, 0x70, 0x75, 0x73, 0x48, 0x65, 0x61, 0x64]
  // Version, channels, samples to drop, 48,000 Hz, gain; then family, streams, of which coupled, and the left one.
  return Uint8Array.from([...name, 1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 1, 1, 1, 0])
}

const AAC_PAIR = 1
const AAC_EIGHT_SHORT = 2
/** What comes before: kind of the element, its number, whether both channels have one window. */
const AAC_COMMON_WINDOW_AT = 7
/** 18 dB: much less of one channel, and its scale factors stay what a decoder takes. */
const AAC_GAIN_STEPS = 12
const AAC_GAIN_MIN = 60

/**
 * Turns mid and side into left and right and the other way round, in all bands. Where left and right were coded, their
 * downmix is left alone then; where mid and side were, it is the half of both. Channels of different windows are coded
 * as left and right always: there the first is made quieter.
 * @see ISO/IEC 14496-3, 4.4.2.1 channel_pair_element
 */
function swapAacStereo(packet: Uint8Array): Uint8Array {
  const bits = new Bits(packet.slice())
  if (bits.read(0, 3) !== AAC_PAIR) return packet
  if (bits.read(AAC_COMMON_WINDOW_AT, 1) === 0) {
    const gain = bits.bytes[1] ?? 0
    if (gain >= AAC_GAIN_MIN) bits.bytes[1] = gain - AAC_GAIN_STEPS
    return bits.bytes
  }
  const isShort = bits.read(9, 2) === AAC_EIGHT_SHORT
  const bands = bits.read(12, isShort ? 4 : 6)
  let groups = 1
  if (isShort) for (let bit = 16; bit < 23; bit++) groups += 1 - bits.read(bit, 1)
  // Prediction is not part of AAC-LC.
  else if (bits.read(18, 1) === 1) return packet
  const maskAt = isShort ? 23 : 19
  const mask = bits.read(maskAt, 2)
  if (mask === 0) bits.flip(maskAt)
  else if (mask === 2) bits.flip(maskAt)
  else if (mask === 1) for (let band = 0; band < groups * bands; band++) bits.flip(maskAt + 2 + band)
  return bits.bytes
}

const MP3_STEREO = 0
const MP3_JOINT = 1
const MP3_MID_SIDE = 0x20

/** As with AAC; of a whole frame at a time. @see ISO/IEC 11172-3, 2.4.2.3 */
function swapMp3Stereo(packet: Uint8Array): Uint8Array {
  const changed = packet.slice()
  const head = changed[3] ?? 0
  if (head >> 6 === MP3_JOINT) changed[3] = head ^ MP3_MID_SIDE
  else if (head >> 6 === MP3_STEREO) changed[3] = (head & 0x0f) | (MP3_JOINT << 6) | MP3_MID_SIDE
  return changed
}

class Bits {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  read(firstBit: number, count: number): number {
    let value = 0
    for (let bit = firstBit; bit < firstBit + count; bit++)
      value = value * 2 + (((this.bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1)
    return value
  }

  flip(bit: number): void {
    this.bytes[bit >> 3] = (this.bytes[bit >> 3] ?? 0) ^ (1 << (7 - (bit & 7)))
  }
}
