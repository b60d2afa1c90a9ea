import { MediaFault } from './media-fault.ts'

/** Indexes are a little off; less than this is no loss. */
const TOLERATED_MS = 5_000
const TOLERATED_SHARE = 0.02

/** Whether so much of a track is missing that the upload or the recording must have broken off. */
export function hasLostMuch({ lostMs, ofMs }: { lostMs: number; ofMs: number }): boolean {
  return lostMs > Math.max(TOLERATED_MS, TOLERATED_SHARE * ofMs)
}

/** The fault of an incomplete file. */
export function truncated(sentence: string): MediaFault {
  return new MediaFault('truncated', sentence)
}
