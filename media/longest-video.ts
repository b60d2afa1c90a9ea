import { MediaFault } from './media-fault.ts'

/** No training is as long as a day; what says so has a broken clock. */
export const LONGEST_MS = 24 * 60 * 60_000

/** @throws {MediaFault} `unreadable` for a place in a video that cannot be */
export function checkPlace(ms: number): void {
  if (Math.abs(ms) <= LONGEST_MS) return
  throw new MediaFault('unreadable', 'The times in this file cannot be right. Export it again as MP4 or WebM.')
}
