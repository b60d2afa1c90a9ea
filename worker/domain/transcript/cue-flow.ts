import type { RepairLog } from './caption-formats/repair-log.ts'
import type { CueLines } from './cue.ts'

/** Above this share of cues that repeat what stood there before, a file rolls up or paints on, as live captions do. */
const REPEATING_SHARE = 1 / 3
/** Lines that a screen of captions has. */
const SHOWN_LINES_MAX = 4

/** What a cue shows again of the one before. */
interface Overlap {
  /** Whole lines of the cue that stood there before, and what follows in the next one of them. */
  lineCount: number
  /** What its last line adds to a line that stood there before; null where it adds nothing. */
  addition: string | null
}

/** Text that is longer by whole words, or by signs where there are no blanks between words. */
function findAddition(text: string, before: string): string | null {
  if (text.length <= before.length || !text.startsWith(before)) return null
  const addition = text.slice(before.length)
  const isWhole = /^[\s\p{P}]/u.test(addition) || before.includes(' ') || !text.includes(' ')
  return isWhole ? addition : null
}

function findOverlap(cue: CueLines, before: CueLines | undefined): Overlap | null {
  if (before === undefined) return null
  const shown = before.lines.slice(-SHOWN_LINES_MAX)
  for (let count = Math.min(shown.length, cue.lines.length); count > 0; count -= 1) {
    const [again, lines] = [shown.slice(-count), cue.lines.slice(0, count)]
    if (!again.slice(0, -1).every((line, at) => line === lines[at])) continue
    const [last = '', line = ''] = [again.at(-1), lines.at(-1)]
    if (last === line) return { lineCount: count, addition: null }
    const addition = findAddition(line, last)
    if (addition !== null) return { lineCount: count, addition }
  }
  return findWrapped(cue, before)
}

/** The same text and more, with its lines broken at other places. */
function findWrapped(cue: CueLines, before: CueLines): Overlap | null {
  if (before.lines.length > SHOWN_LINES_MAX || cue.lines.length > SHOWN_LINES_MAX) return null
  const addition = findAddition(cue.lines.join(' '), before.lines.join(' '))
  return addition === null ? null : { lineCount: cue.lines.length, addition }
}

/**
 * Keeps each text once that captions show again and again: lines that roll up, and lines to which each cue adds a word.
 * It keeps the time at which its first word was shown. Captions that repeat little are left as they are.
 * @param cues in the order of time
 */
export function dropShownAgain(cues: readonly CueLines[], log: RepairLog): CueLines[] {
  const overlaps = cues.map((cue, at) => findOverlap(cue, cues[at - 1]))
  const repeats = overlaps.filter((overlap) => overlap !== null).length
  if (repeats < 2 || repeats <= cues.length * REPEATING_SHARE) return [...cues]
  const kept: CueLines[] = []
  for (const [at, cue] of cues.entries()) {
    const overlap = overlaps[at] ?? null
    const last = kept.at(-1)
    if (overlap === null || last === undefined) {
      kept.push({ ...cue, lines: [...cue.lines] })
      continue
    }
    log.note(cue.lineIndex, 'shown_again')
    if (overlap.addition !== null) {
      last.lines.push(`${last.lines.pop() ?? ''}${overlap.addition}`)
      last.endMs = Math.max(last.endMs, cue.endMs)
    }
    const lines = cue.lines.slice(overlap.lineCount)
    if (lines.length > 0) kept.push({ ...cue, lines })
  }
  return kept
}
