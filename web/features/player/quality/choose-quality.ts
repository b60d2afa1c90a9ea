import type { SmallCopy } from '#contract/small-copy.ts'
import { keepStored, readStored } from '#web/lib/browser-state.ts'
import { canShowPicture } from '#web/lib/can-show-picture.ts'

/** What a viewer may want; `automatic` goes by the line. */
export const QUALITIES = ['automatic', 'small', 'original'] as const
export type Quality = (typeof QUALITIES)[number]

const QUALITY_KEY = 'adapt_quality'

export function readQuality(): Quality {
  return QUALITIES.find((each) => each === readStored(QUALITY_KEY)) ?? 'automatic'
}

export function keepQuality(quality: Quality): void {
  keepStored(QUALITY_KEY, quality === 'automatic' ? null : quality)
}

interface Choice {
  wanted: Quality
  /** Whether data is to be spared, or the line has been too slow. */
  isSlow: boolean
  /** Of the original; null where it is not known. */
  videoCodec: string | null
  smallCopy: SmallCopy
}

/** Which of its two videos a training plays: never one whose picture this browser does not show. */
export function chooseQuality({ wanted, isSlow, videoCodec, smallCopy }: Choice): Exclude<Quality, 'automatic'> {
  if (!canShowPicture(smallCopy.codec)) return 'original'
  if (!canShowPicture(videoCodec)) return 'small'
  if (wanted !== 'automatic') return wanted
  return isSlow ? 'small' : 'original'
}
