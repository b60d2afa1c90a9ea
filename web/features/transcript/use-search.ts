import { useMemo, useState } from 'react'
import type { TranscriptSegment } from '#contract/transcript.ts'
import { findMatches, type Match } from './find-matches.ts'

export interface TranscriptSearch {
  words: string
  matches: readonly Match[]
  /** The match that was gone to; null while there is none. */
  current: Match | null
  /** 1 for the first; 0 while there is none. */
  number: number
  setWords: (words: string) => void
  /** @param by 1 for the next, -1 for the previous one; wraps around at the ends */
  move: (by: 1 | -1) => void
}

/** @param onShow called with the match to scroll to */
export function useSearch(segments: readonly TranscriptSegment[], onShow: (match: Match) => void): TranscriptSearch {
  const [words, setWords] = useState('')
  const [at, setAt] = useState(0)
  const matches = useMemo(() => findMatches(segments, words), [segments, words])
  const index = Math.min(at, matches.length - 1)
  function goTo(to: number, among: readonly Match[]) {
    setAt(to)
    const match = among[to]
    if (match !== undefined) onShow(match)
  }
  return {
    words,
    matches,
    current: matches[index] ?? null,
    number: index + 1,
    setWords(next) {
      setWords(next)
      goTo(0, findMatches(segments, next))
    },
    move: (by) => goTo((index + by + matches.length) % Math.max(1, matches.length), matches),
  }
}
