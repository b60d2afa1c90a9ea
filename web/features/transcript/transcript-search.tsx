import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type KeyboardEvent, useMemo, useState } from 'react'
import type { TranscriptSegment } from '#contract/transcript.ts'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { Input } from '#web/ui/form-controls.tsx'

/** Looks for words in the transcript. Enter goes to the next place, Shift+Enter to the one before, Escape ends it. */
export function SearchRow({ search, onClose }: { search: ReturnType<typeof useSearch>; onClose: () => void }) {
  const { words, matches, number, setWords, move } = search
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') move(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
  }
  const hasNone = matches.length === 0
  return (
    <div role="search" className="flex items-center gap-1 border-b border-line px-2 py-2">
      <Input
        type="text"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the reader has just asked for the field
        autoFocus
        enterKeyHint="search"
        autoComplete="off"
        aria-label={m.search_the_transcript()}
        placeholder={m.search_the_transcript()}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-9! min-w-0 flex-1"
      />
      <span role="status" className="min-w-16 px-1 text-center text-sm text-ink-soft tabular-nums">
        {words.trim() !== '' && (hasNone ? m.not_found() : m.number_of_length({ number, length: matches.length }))}
      </span>
      <Button
        variant="ghost"
        size="icon"
        aria-label={m.previous_match()}
        aria-disabled={hasNone}
        onClick={() => move(-1)}
      >
        <ChevronUp aria-hidden="true" className="size-4" />
      </Button>
      <Button variant="ghost" size="icon" aria-label={m.next_match()} aria-disabled={hasNone} onClick={() => move(1)}>
        <ChevronDown aria-hidden="true" className="size-4" />
      </Button>
      <Button variant="ghost" size="icon" aria-label={m.close_the_search()} onClick={onClose}>
        <X aria-hidden="true" className="size-4" />
      </Button>
    </div>
  )
}

/** @param onShow called with the match to scroll to */
export function useSearch(segments: readonly TranscriptSegment[], onShow: (match: Match) => void) {
  const [words, setWords] = useState('')
  const [selectedIndex, setSelectedIndex] = useState(0)
  const matches = useMemo(() => findMatches(segments, words), [segments, words])
  const index = Math.min(selectedIndex, matches.length - 1)
  function goTo(to: number, among: readonly Match[]) {
    setSelectedIndex(to)
    const match = among[to]
    if (match !== undefined) onShow(match)
  }
  return {
    words,
    matches,
    /** The match that is shown; null if there is none. */
    current: matches[index] ?? null,
    /** 1 for the first; 0 while there is none. */
    number: index + 1,
    setWords: (next: string) => {
      setWords(next)
      goTo(0, findMatches(segments, next))
    },
    /** @param by 1 for the next, -1 for the previous one; wraps around at the ends */
    move: (by: 1 | -1) => goTo((index + by + matches.length) % Math.max(1, matches.length), matches),
  }
}

/** Where the search words are in the text of a line. */
export interface Match {
  lineId: string
  /** Whether they are in the name of its speaker instead. */
  isSpeaker?: true
  start: number
  end: number
}

/** All places in the order of the lines, whatever the case; white space is any white space. */
export function findMatches(
  lines: readonly Pick<TranscriptSegment, 'id' | 'text' | 'speaker'>[],
  words: string,
): Match[] {
  const wanted = words.trim()
  if (wanted === '') return []
  const pattern = new RegExp(wanted.split(/\s+/).map(escapePattern).join(String.raw`\s+`), 'giu')
  const find = (text: string) =>
    [...text.matchAll(pattern)].map(({ 0: { length }, index }) => [index, index + length] as const)
  return lines.flatMap(({ id, text, speaker = '' }) => [
    ...find(speaker).map(([start, end]) => ({ lineId: id, isSpeaker: true as const, start, end })),
    ...find(text).map(([start, end]) => ({ lineId: id, start, end })),
  ])
}

export function escapePattern(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)
}
