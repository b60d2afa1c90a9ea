import { AAC_PAIR, readPairHead } from './aac-pair.ts'
import type { AudioConfig } from './audio-chunk.ts'
import { Bits } from './bits.ts'

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

/** 18 dB: much less of one channel, and its scale factors stay what a decoder takes. */
const AAC_GAIN_STEPS = 12
const AAC_GAIN_MIN = 60
/** Byte of the first channel's gain, where the channels have different windows. */
const AAC_GAIN_AT = 1
const AAC_NO_BAND = 0
const AAC_SOME_BANDS = 1
const AAC_ALL_BANDS = 2

/**
 * Turns mid and side into left and right and the other way round, in all bands. Where left and right were coded, their
 * downmix is left alone then; where mid and side were, it is the half of both. Channels of different windows are coded
 * as left and right always: there the first is made quieter.
 * @see ISO/IEC 14496-3, 4.4.2.1 channel_pair_element
 */
function swapAacStereo(packet: Uint8Array): Uint8Array {
  const bits = new Bits(packet.slice())
  const head = bits.read(3) === AAC_PAIR ? readPairHead(bits) : null
  if (head === null) return packet
  const { mask } = head
  if (mask === null) {
    const gain = bits.bytes[AAC_GAIN_AT] ?? 0
    if (gain >= AAC_GAIN_MIN) bits.bytes[AAC_GAIN_AT] = gain - AAC_GAIN_STEPS
  } else if (mask.value === AAC_NO_BAND || mask.value === AAC_ALL_BANDS) bits.flip(mask.at)
  else if (mask.value === AAC_SOME_BANDS) bits.flip(mask.at + 2, mask.bands)
  return bits.bytes
}

const MP3_STEREO = 0
const MP3_JOINT = 1
const MP3_MID_SIDE = 0x20

/** Toggles mid/side for the whole frame, so that the downmix is one channel. @see ISO/IEC 11172-3, 2.4.2.3 */
function swapMp3Stereo(packet: Uint8Array): Uint8Array {
  const changed = packet.slice()
  const head = changed[3] ?? 0
  if (head >> 6 === MP3_JOINT) changed[3] = head ^ MP3_MID_SIDE
  else if (head >> 6 === MP3_STEREO) changed[3] = (head & 0x0f) | (MP3_JOINT << 6) | MP3_MID_SIDE
  return changed
}
