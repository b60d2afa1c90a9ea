import type { Random } from '#media/testing/random.ts'
import { wholeBetween } from './random.ts'

/**
 * When the worker is killed, counted from the beginning of the round or of the last start:
 * `start` is the clock alone, `answers` the recogniser's answers, `last answer` the moment from which the recogniser
 * has nothing more to say about one of the videos.
 */
export type KillMoment =
  | { after: 'start'; delayMs: number }
  | { after: 'answers'; count: number; delayMs: number }
  | { after: 'last answer'; delayMs: number }

export interface Undisturbed {
  /** From presign to the answer of complete. */
  uploadMs: number
  /** Audio chunks of all videos together. */
  audioChunks: number
}

const MOST_KILLS = 3
/** Shares of the moments; the rest falls between answers. */
const START_SHARE = 0.3
const LAST_ANSWER_SHARE = 0.25
/** Half of the kills come so soon after an answer that it is not stored yet. */
const AT_ONCE_MS = 40
/** About the longest pause between two answers. */
const BETWEEN_ANSWERS_MS = 1500
/** From the last answer to READY nothing takes long. */
const TO_READY_MS = 600
/** A restart takes about 3 s on two cores: kills of a worker that is only just starting are wanted too. */
const RESTART_MS = 5000

/** One to three moments, the first of which always comes before the modules are READY. */
export function planKills(random: Random, undisturbed: Undisturbed): KillMoment[] {
  const kills = wholeBetween(random, 1, MOST_KILLS)
  return Array.from({ length: kills }, (_, at) =>
    planKill(random, { audioChunks: undisturbed.audioChunks, startMs: at === 0 ? undisturbed.uploadMs : RESTART_MS }),
  )
}

function planKill(random: Random, { audioChunks, startMs }: { audioChunks: number; startMs: number }): KillMoment {
  const kind = random()
  if (kind < START_SHARE) return { after: 'start', delayMs: wholeBetween(random, 0, startMs) }
  if (kind < START_SHARE + LAST_ANSWER_SHARE) {
    return { after: 'last answer', delayMs: wholeBetween(random, 0, TO_READY_MS) }
  }
  const longestMs = random() < 0.5 ? AT_ONCE_MS : BETWEEN_ANSWERS_MS
  // Not the last ones: only what a crash lost is transcribed again.
  const count = wholeBetween(random, 1, Math.max(1, Math.floor(audioChunks / 2)))
  return { after: 'answers', count, delayMs: wholeBetween(random, 0, longestMs) }
}

/** For the report: `after 4 answers + 312 ms`. */
export function formatMoment(moment: KillMoment): string {
  const what = moment.after === 'answers' ? `${moment.count} answers` : moment.after
  return `after ${what} + ${moment.delayMs} ms`
}
