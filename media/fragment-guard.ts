import { MediaFault } from './media-fault.ts'
import type { Piece } from './slab-reader.ts'

const MOOF = 0x6d6f6f66
const TRAF = 0x74726166
const TRUN = 0x7472756e
const BOX_HEAD_BYTES = 8
/** With a size of 64 bits. */
const LONG_HEAD_BYTES = 16
/** Version and flags, number of samples. */
const RUN_BYTES = 8
/** An hour of AAC in a single fragment; fragments are made so that they are small. */
const FRAGMENT_SAMPLES_MAX = 200_000

/**
 * Refuses fragments that only claim to hold very much: with usual lengths and sizes a run of samples is a number, and
 * mediabunny makes an object for each of them, in a loop that ends when the memory does.
 * @see ISO/IEC 14496-12, 8.8.8 Track Fragment Run Box
 */
export class FragmentGuard {
  #samplesLeft: number

  /** No file holds more samples than bytes; each may be looked at twice, once for the length and once for the audio. */
  constructor(fileBytes: number) {
    this.#samplesLeft = 2 * fileBytes + FRAGMENT_SAMPLES_MAX
  }

  /** Looks at a piece before it is handed out. @throws {MediaFault} `unreadable` */
  check({ bytes, view, offset }: Piece, start: number, end: number): void {
    const at = start - offset
    const length = Math.min(end - offset, bytes.byteLength) - at
    if (length < BOX_HEAD_BYTES + RUN_BYTES || view.getUint32(at + 4) !== MOOF) return
    const samples = countSamples(view, at, at + length)
    this.#samplesLeft -= samples
    if (samples <= FRAGMENT_SAMPLES_MAX && this.#samplesLeft >= 0) return
    throw new MediaFault('unreadable', 'This file is damaged, so Adapt cannot read it. Export it again as MP4.')
  }
}

function countSamples(view: DataView, from: number, until: number): number {
  let count = 0
  for (let at = from; at + BOX_HEAD_BYTES + RUN_BYTES <= until; ) {
    const size = view.getUint32(at)
    const name = view.getUint32(at + 4)
    const isLong = size === 1
    const headBytes = isLong ? LONG_HEAD_BYTES : BOX_HEAD_BYTES
    if (name === TRUN && at + headBytes + RUN_BYTES <= until) count += view.getUint32(at + headBytes + 4)
    // Runs lie in track fragments, and these in the fragment: what is in there is walked through as if it lay beside.
    const isOuter = name === TRAF || name === MOOF
    at += isOuter ? headBytes : Math.max(isLong ? Number(view.getBigUint64(at + 8)) : size, headBytes)
  }
  return count
}
