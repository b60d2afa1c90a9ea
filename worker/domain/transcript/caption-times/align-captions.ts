import { type CaptionMove, moveTime, type TimedText } from './move-cues.ts'

/** Captions that were timed for a video of another frame rate: NTSC film as PAL, film as PAL, 30 as 29.97, and back. */
const RATES = [1, 25 / 23.976, 23.976 / 25, 25 / 24, 24 / 25, 30 / 29.97, 29.97 / 30]
/** So many words in a row are compared: fewer are common phrases, more are rarely recognised without a mistake. */
const RUN_WORDS = 3
/** An anchor is explained where a move brings it as near as this. */
const NEAR_MS = 500
const EXPLAINED_MIN = 0.6
/** Another rate has to explain so much more than the usual one. */
const RATE_GAIN_MIN = 0.1
/** Fewer may agree by chance. */
const ANCHORS_MIN = 6
/** Of the runs of words of the captions; videos of one series have a phrase in common. */
const ANCHORS_SHARE_MIN = 0.05
/** Anchors of the beginning alone may be those of a common introduction. */
const SPREAD_MIN = 0.5
/** More only take time. */
const ANCHORS_MAX = 2_000
/** A smaller move is no help for people who read. */
const MOVE_MIN_MS = 400
/** Words; each sign of scripts that have no blanks between words. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu

interface TimedWord {
  word: string
  ms: number
}

/** A run of words that the captions and the speech have once each. */
interface Anchor {
  captionMs: number
  speechMs: number
}

/** The words of a line, with the time that their place in it tells. */
function timeWords({ startMs, endMs, text }: TimedText): TimedWord[] {
  const perChar = (endMs - startMs) / Math.max(1, text.length)
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
    word: word.normalize('NFKC').toLowerCase(),
    ms: startMs + index * perChar,
  }))
}

/** Where each run of words begins; null for one that comes more than once. */
function findRuns(lines: readonly TimedText[]): Map<string, number | null> {
  const words = lines.flatMap(timeWords)
  const runs = new Map<string, number | null>()
  for (let at = 0; at + RUN_WORDS <= words.length; at += 1) {
    const run = words.slice(at, at + RUN_WORDS)
    const key = run.map(({ word }) => word).join(' ')
    runs.set(key, runs.has(key) ? null : (run[0]?.ms ?? 0))
  }
  return runs
}

function findAnchors(captions: ReadonlyMap<string, number | null>, speech: ReadonlyMap<string, number | null>) {
  const anchors: Anchor[] = []
  for (const [run, captionMs] of captions) {
    const speechMs = speech.get(run) ?? null
    if (captionMs !== null && speechMs !== null) anchors.push({ captionMs, speechMs })
  }
  const step = Math.ceil(anchors.length / ANCHORS_MAX)
  return step < 2 ? anchors : anchors.filter((_, at) => at % step === 0)
}

/** The offset near which most anchors lie at a rate. */
function findOffset(anchors: readonly Anchor[], rate: number): number {
  const offsets = anchors.map(({ captionMs, speechMs }) => speechMs - captionMs * rate).sort((a, b) => a - b)
  let best = { from: 0, count: 0 }
  let from = 0
  for (const [to, offset] of offsets.entries()) {
    while (offset - (offsets[from] ?? offset) > 2 * NEAR_MS) from += 1
    if (to - from + 1 > best.count) best = { from, count: to - from + 1 }
  }
  return offsets[best.from + Math.floor(best.count / 2)] ?? 0
}

interface Fit {
  move: CaptionMove
  explained: Anchor[]
  /** How far these lie from where the move brings them, all together. */
  missedMs: number
}

function fitAt(anchors: readonly Anchor[], rate: number): Fit {
  const move = { rate, offsetMs: findOffset(anchors, rate) }
  const missed = ({ captionMs, speechMs }: Anchor) => Math.abs(moveTime(captionMs, move) - speechMs)
  const explained = anchors.filter((anchor) => missed(anchor) <= NEAR_MS)
  return { move, explained, missedMs: explained.reduce((sum, anchor) => sum + missed(anchor), 0) }
}

/** Of rates that are nearly the same, several may explain as many. */
function isBetter(one: Fit, other: Fit): boolean {
  const gain = one.explained.length - other.explained.length
  return gain > 0 || (gain === 0 && one.missedMs < other.missedMs)
}

/** Whether anchors lie all over the captions, not at one end of them alone. */
function isSpread(anchors: readonly Anchor[], lengthMs: number): boolean {
  const times = anchors.map(({ captionMs }) => captionMs)
  const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))]
  return last - first >= lengthMs * SPREAD_MIN
}

/**
 * Finds how captions are to be moved to come when their words are spoken: by a constant offset, and at another rate where
 * they were timed for another frame rate. Null where that is not certain, or where they come in time.
 * @param speech what was transcribed, with its times
 */
export function alignCaptions(cues: readonly TimedText[], speech: readonly TimedText[]): CaptionMove | null {
  const captionRuns = findRuns(cues)
  const anchors = findAnchors(captionRuns, findRuns(speech))
  const [firstMs, lastMs] = [cues[0]?.startMs ?? 0, cues.at(-1)?.endMs ?? 0]
  if (anchors.length < Math.max(ANCHORS_MIN, Math.min(ANCHORS_MAX, captionRuns.size) * ANCHORS_SHARE_MIN)) return null
  const [usual, ...others] = RATES.map((rate) => fitAt(anchors, rate))
  const other = others.reduce((a, b) => (isBetter(b, a) ? b : a))
  const gain = other.explained.length - (usual?.explained.length ?? 0)
  const { move, explained } = usual !== undefined && gain < anchors.length * RATE_GAIN_MIN ? usual : other
  if (explained.length < anchors.length * EXPLAINED_MIN || !isSpread(explained, lastMs - firstMs)) return null
  const moved = [firstMs, lastMs].map((ms) => Math.abs(moveTime(ms, move) - ms))
  return moved.some((ms) => ms >= MOVE_MIN_MS) ? move : null
}
