import { CUT_MIN_S, type Cuts, clampSpan } from '#contract/time/visible-time.ts'
import type { TranscriptSegment } from '#contract/transcript.ts'

/** Something of a video that could be left out. */
export interface ProposedCut {
  kind: 'pause' | 'falseStart'
  /** Seconds. */
  start: number
  end: number
}

type Line = Pick<TranscriptSegment, 'start' | 'end' | 'text'>

/** Shorter ones are how people speak. */
const PAUSE_MIN_S = 2.5
/** Longer ones are parts without speech, whose owner has a note of their own on them. */
const PAUSE_MAX_S = 120
/** What stays of a pause on either side, so that speech does not sound breathless. */
const PAUSE_LEFT_S = 0.4
/** Who begins a sentence once more does so soon. */
const AGAIN_WITHIN_S = 6
/** Fewer words that are said again are how people speak. */
const REPEATED_MIN = 3

/** Finds pauses and sentences that were begun once more, in order of time; nothing of what is left out already. */
export function proposeCuts(lines: readonly Line[], durationS: number, cuts: Cuts): ProposedCut[] {
  if (lines.length === 0) return []
  return [...findPauses(lines, durationS), ...findFalseStarts(lines)]
    .toSorted((a, b) => a.start - b.start)
    .flatMap((cut) => {
      const rest = clampSpan(cut, cuts)
      return rest !== null && rest.end - rest.start >= CUT_MIN_S ? { ...cut, ...rest } : []
    })
}

function findPauses(lines: readonly Line[], durationS: number): ProposedCut[] {
  let latest = 0
  const ends = lines.map(({ end }) => (latest = Math.max(latest, end)))
  const gaps = [0, ...ends].map((end, index) => [end, lines[index]?.start ?? durationS] as const)
  return gaps.flatMap(([from, to], index) => {
    if (to - from <= PAUSE_MIN_S || to - from > PAUSE_MAX_S) return []
    const start = index === 0 ? from : from + PAUSE_LEFT_S
    const end = index === lines.length ? to : to - PAUSE_LEFT_S
    return { kind: 'pause', start, end }
  })
}

function findFalseStarts(lines: readonly Line[]): ProposedCut[] {
  return lines.flatMap((line, index) => {
    const next = lines[index + 1]
    if (next === undefined || next.start - line.end > AGAIN_WITHIN_S || next.start <= line.start) return []
    const [said, saidAgain] = [wordsOf(line.text), wordsOf(next.text)]
    // The last word may have been broken off.
    const beginning = said.slice(0, Math.max(REPEATED_MIN, said.length - 1))
    const isRepeated = said.length >= REPEATED_MIN && beginning.every((word, at) => word === saidAgain[at])
    return isRepeated && said.length < saidAgain.length
      ? { kind: 'falseStart', start: line.start, end: next.start }
      : []
  })
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
}
