import type { Bits } from './bits.ts'

/** Kind of the element that holds two channels. */
export const AAC_PAIR = 1
const EIGHT_SHORT = 2

/** Which bands of two channels are coded as mid and side. */
interface PairHead {
  /** Null for channels of different windows, which have none that are. */
  mask: { value: number; at: number; bands: number } | null
}

/**
 * Reads the head of a pair of channels, behind the kind of the element, up to the global gain of the first channel.
 * @returns null where prediction is used: it is not part of AAC-LC, which is what videos carry, and varies by profile
 * @see ISO/IEC 14496-3, 4.4.2.1 channel_pair_element
 */
export function readPairHead(bits: Bits): PairHead | null {
  bits.skip(4)
  const hasCommonWindow = bits.read(1) === 1
  if (!hasCommonWindow) return { mask: null }
  bits.skip(1)
  const isShort = bits.read(2) === EIGHT_SHORT
  bits.skip(1)
  const bandsOfGroup = bits.read(isShort ? 4 : 6)
  let groups = 1
  if (isShort) for (let window = 1; window < 8; window++) groups += 1 - bits.read(1)
  else if (bits.read(1) === 1) return null
  const mask = { at: bits.at, value: bits.read(2), bands: groups * bandsOfGroup }
  if (mask.value === 1) bits.skip(mask.bands)
  return { mask }
}
