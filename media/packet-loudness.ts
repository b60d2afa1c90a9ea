import { AAC_PAIR, readPairHead } from './aac-pair.ts'
import { Bits } from './bits.ts'

/** Steps of a gain that are 6 dB; brings gains and sizes to about one scale where 1 is twice as loud. */
const GAIN_STEPS_PER_DOUBLING = 4

const AAC_SINGLE = 0
const AAC_DATA = 4
const AAC_FILL = 6

/** Global gain of the first channel of a raw AAC packet. @see ISO/IEC 14496-3, 4.4.2.1 raw_data_block */
export function aacGain(packet: Uint8Array): number | null {
  const bits = new Bits(packet)
  for (let element = 0; element < 4; element++) {
    const kind = bits.read(3)
    if (kind === AAC_SINGLE) {
      bits.skip(4)
      return bits.read(8) / GAIN_STEPS_PER_DOUBLING
    }
    if (kind === AAC_PAIR) return readPairHead(bits) && bits.read(8) / GAIN_STEPS_PER_DOUBLING
    if (kind === AAC_FILL) {
      const count = bits.read(4)
      bits.skip(8 * (count === 15 ? 14 + bits.read(8) : count))
    } else if (kind === AAC_DATA) {
      bits.skip(4)
      if (bits.read(1) === 1) return null
      const count = bits.read(8)
      bits.skip(8 * (count === 255 ? 255 + bits.read(8) : count))
    } else return null
  }
  return null
}

const MPEG_1 = 3
const MP3_MONO = 3

/** Mean over the granules of an MP3 frame of its louder channel's global gain. @see ISO/IEC 11172-3, 2.4.1.7 */
export function mp3Gain(packet: Uint8Array): number | null {
  const [sync = 0, version = 0, , mode = 0] = packet
  if (sync !== 0xff || (version & 0xe0) !== 0xe0) return null
  const isMpeg1 = ((version >> 3) & 3) === MPEG_1
  const channels = mode >> 6 === MP3_MONO ? 1 : 2
  const headBytes = (version & 1) === 0 ? 6 : 4
  const bits = new Bits(packet, headBytes * 8)
  if (isMpeg1) bits.skip(channels === 1 ? 9 + 5 + 4 : 9 + 3 + 8)
  else bits.skip(channels === 1 ? 8 + 1 : 8 + 2)
  const granules = isMpeg1 ? 2 : 1
  const sideBits = isMpeg1 ? 59 : 63
  let sum = 0
  for (let granule = 0; granule < granules; granule++) {
    let loudest = 0
    for (let channel = 0; channel < channels; channel++) {
      const isSilent = bits.read(12) === 0
      bits.skip(9)
      const gain = bits.read(8)
      // What encoders write as the gain of silence is louder than anything.
      if (!isSilent) loudest = Math.max(loudest, gain)
      bits.skip(sideBits - 29)
    }
    sum += loudest
  }
  return sum / granules / GAIN_STEPS_PER_DOUBLING
}
