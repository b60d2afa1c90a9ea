import type { CaptionDoubt } from '#contract/captions/report.ts'
import { alignCaptions } from './align-captions.ts'
import type { CaptionMove, TimedText } from './move-cues.ts'

const HOUR_MS = 3_600_000
/** The last caption may stay longer than the video lasts. */
const OVERHANG_MS = 2_000
/** Captions that last so many times as long as the video are of another. */
const LONGER_FROM = 1.25
/** And those that last less than so much of it, or of the speech in it; in a video people may be silent for long. */
const SHORTER_THAN = { speech: 0.4, video: 0.25 }
/** Shorter videos may well have a sentence alone. */
const JUDGED_MIN_MS = 60_000

/** What captions are compared with. */
export interface VideoTimes {
  /** Null where it is not known. */
  durationMs: number | null
  /** What was transcribed; empty where nothing was. */
  speech: readonly TimedText[]
}

interface Span {
  startMs: number
  endMs: number
}

/** From the first to the last of them; they are in order. */
function spanOf(lines: readonly Span[]): Span {
  return { startMs: lines[0]?.startMs ?? 0, endMs: lines.at(-1)?.endMs ?? 0 }
}

/** A move of captions that the times of a video ask for. */
export interface FoundMove {
  /** `after_end`: as they are, none would be shown. `speech`: their words are spoken at another time. */
  reason: 'after_end' | 'speech'
  move: CaptionMove
}

/**
 * Brings captions that begin after the end of the video into it: a time code that begins at a whole hour is counted from
 * there, any other from its first caption. Where speech is known, the first caption comes with it.
 */
function shiftIntoVideo(cues: readonly TimedText[], { durationMs, speech }: VideoTimes): CaptionMove | null {
  const { startMs, endMs } = spanOf(cues)
  if (durationMs === null || startMs < durationMs || endMs - startMs > durationMs + OVERHANG_MS) return null
  const byHour = startMs % HOUR_MS
  const targets = [speech[0]?.startMs ?? byHour, byHour, 0]
  const targetMs = targets.find((ms) => ms + endMs - startMs <= durationMs + OVERHANG_MS) ?? 0
  return { rate: 1, offsetMs: targetMs - startMs }
}

/** Finds how captions are to be moved; null where they can stay. */
export function findMove(cues: readonly TimedText[], video: VideoTimes): FoundMove | null {
  const aligned = alignCaptions(cues, video.speech)
  const shift = shiftIntoVideo(cues, video)
  if (shift !== null) return { reason: 'after_end', move: aligned ?? shift }
  return aligned === null ? null : { reason: 'speech', move: aligned }
}

/** Asks whether captions are of a video at all, by how long both last; null where nothing speaks against it. */
export function findDoubt(cues: readonly TimedText[], { durationMs, speech }: VideoTimes): CaptionDoubt | null {
  if (durationMs === null) return null
  const { startMs, endMs } = spanOf(cues)
  const doubt = (code: CaptionDoubt['code'], lengthMs: number, expectedMs: number) => ({
    code,
    captionsSeconds: Math.round(lengthMs / 1000),
    videoSeconds: Math.round(expectedMs / 1000),
  })
  const beyond = cues.filter((cue) => cue.startMs >= durationMs).length
  if (beyond * 2 > cues.length) return doubt('beyond_end', endMs, durationMs)
  if (endMs > durationMs * LONGER_FROM + OVERHANG_MS) return doubt('longer', endMs, durationMs)
  const spoken = spanOf(speech)
  const [expectedMs, least] =
    speech.length > 0 ? [spoken.endMs - spoken.startMs, SHORTER_THAN.speech] : [durationMs, SHORTER_THAN.video]
  if (expectedMs < JUDGED_MIN_MS || endMs - startMs >= expectedMs * least) return null
  return doubt(speech.length > 0 ? 'shorter_than_speech' : 'shorter', endMs - startMs, expectedMs)
}
