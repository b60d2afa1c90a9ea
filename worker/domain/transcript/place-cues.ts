import type { RawCue } from './caption-formats/raw-cue.ts'
import type { RepairLog } from './caption-formats/repair-log.ts'
import { cleanStampedLine } from './clean-cue-text.ts'
import type { CueLines } from './cue.ts'
import { markVoice } from './speaker-names.ts'

/** How fast captions are read aloud: about 15 characters in a second. */
const MS_PER_CHAR = 65
/** How long a cue without length is shown at least, and at most, where the next one comes late. */
const OPEN_MIN_MS = 2_000
const OPEN_MAX_MS = 10_000

/** How long a text takes to say. */
function speakingMs(lines: readonly string[]): number {
  const chars = lines.reduce((sum, line) => sum + line.length, 0)
  return Math.max(OPEN_MIN_MS, chars * MS_PER_CHAR)
}

interface PlacedCue extends Omit<CueLines, 'endMs'> {
  endMs: number | null
}

function cleanLines({ lineIndex, lines, speaker }: RawCue): Pick<CueLines, 'lineIndex' | 'lines' | 'stamps'> {
  const cleaned = lines.map(cleanStampedLine)
  const first = cleaned.find(({ text }) => text !== '')
  if (first !== undefined && speaker !== undefined && first.stamps.length === 0)
    first.text = `${markVoice(cleanStampedLine(speaker).text)}${first.text}`
  const stamped = cleaned.filter(({ stamps }) => stamps.length > 0)
  const stamps = new Map(stamped.map((line) => [line.text, line.stamps]))
  return { lineIndex, lines: cleaned.map(({ text }) => text), ...(stamps.size === 0 ? {} : { stamps }) }
}

/** No video lasts a thousand hours, and three digits of hours are all that captions have. */
const TIME_MAX_MS = 1_000 * 3_600_000

function keepPossible(ms: number | null): number | null {
  return ms !== null && Math.abs(ms) <= TIME_MAX_MS ? ms : null
}

/** Gives each cue a start: one that cannot be read is the end of the cue before. Nothing begins before the video. */
function placeStarts(cues: readonly RawCue[], log: RepairLog): PlacedCue[] {
  const placed: PlacedCue[] = []
  let beforeMs = 0
  let latestMs = 0
  for (const read of cues) {
    const cue = { ...read, startMs: keepPossible(read.startMs), endMs: keepPossible(read.endMs) }
    if (cue.startMs === null) log.note(cue.lineIndex, 'time_guessed')
    const isBefore = cue.startMs !== null && cue.startMs < 0
    if (isBefore && cue.endMs !== null && cue.endMs <= 0) {
      log.note(cue.lineIndex, 'left_out')
      continue
    }
    if (isBefore) log.note(cue.lineIndex, 'before_start')
    const guessMs = cue.endMs === null ? beforeMs : Math.min(beforeMs, cue.endMs)
    const startMs = Math.max(0, cue.startMs ?? guessMs)
    if (startMs < latestMs) log.note(cue.lineIndex, 'out_of_order')
    latestMs = Math.max(latestMs, startMs)
    placed.push({ ...cleanLines(cue), startMs, endMs: cue.endMs })
    beforeMs = Math.max(startMs, cue.endMs ?? startMs)
  }
  return placed
}

/** Shares the time out over cues that all begin at the same moment, by the length of their texts. */
function shareOut(cues: readonly PlacedCue[], durationMs: number | null, log: RepairLog): CueLines[] | null {
  const [first] = cues
  const spoken = cues.filter(({ lines }) => lines.some((line) => line !== ''))
  if (first === undefined || spoken.length < 2 || cues.some(({ startMs }) => startMs !== first.startMs)) return null
  const lengths = cues.map(({ lines }) => Math.max(1, lines.join(' ').length))
  const chars = lengths.reduce((sum, length) => sum + length, 0)
  const lastMs = cues.reduce((latest, { endMs }) => Math.max(latest, endMs ?? 0), 0)
  const spokenMs = lastMs - first.startMs >= OPEN_MIN_MS ? lastMs - first.startMs : chars * MS_PER_CHAR
  const lengthMs = durationMs !== null && durationMs > first.startMs ? durationMs - first.startMs : spokenMs
  let before = 0
  const timeMs = () => first.startMs + Math.round((lengthMs * before) / chars)
  return cues.map((cue, at) => {
    const startMs = timeMs()
    before += lengths[at] ?? 1
    log.note(cue.lineIndex, 'shared_out')
    return { ...cue, startMs, endMs: Math.max(startMs + 1, timeMs()) }
  })
}

/**
 * Cleans the cues of a file and puts them in order, with a start and an end each. A cue without an end, or that ends before it starts,
 * lasts until the next one, but no longer than its text may take to say.
 * @param durationMs of the video; null where it is not known
 */
export function placeCues(cues: readonly RawCue[], durationMs: number | null, log: RepairLog): CueLines[] {
  const placed = placeStarts(cues, log).toSorted((a, b) => a.startMs - b.startMs)
  const shared = shareOut(placed, durationMs, log)
  if (shared !== null) return shared
  let nextMs: number | null = null
  let sameMs: number | null = null
  const ended: CueLines[] = []
  for (const cue of placed.toReversed()) {
    if (cue.startMs !== sameMs) [nextMs, sameMs] = [sameMs, cue.startMs]
    ended.push({ ...cue, endMs: findEnd(cue, nextMs, log) })
  }
  return ended.reverse()
}

function findEnd({ lineIndex, startMs, endMs, lines }: PlacedCue, nextMs: number | null, log: RepairLog): number {
  if (endMs !== null && endMs > startMs) return endMs
  log.note(lineIndex, 'end_guessed')
  return startMs + (nextMs === null ? speakingMs(lines) : Math.min(nextMs - startMs, OPEN_MAX_MS))
}
