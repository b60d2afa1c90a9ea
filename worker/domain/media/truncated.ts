import { AppError } from '#worker/errors.ts'

/** Indexes are a little off; less than this is no loss. */
const TOLERATED_MS = 5_000
const TOLERATED_SHARE = 0.02

/** Whether so much of a track is missing that the upload or the recording must have broken off. */
export function hasLostMuch({ lostMs, ofMs }: { lostMs: number; ofMs: number }): boolean {
  return lostMs > Math.max(TOLERATED_MS, TOLERATED_SHARE * ofMs)
}

/** The failure of a module whose file is incomplete. */
export function truncated(sentence: string): AppError {
  return new AppError('module_failed', sentence, { failure: 'truncated' })
}
