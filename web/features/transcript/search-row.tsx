import { ChevronDown, ChevronUp, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Input } from '#web/ui/input.tsx'
import type { TranscriptSearch } from './use-search.ts'

/** Looks for words in the transcript. Enter goes to the next place, Shift+Enter to the one before, Escape ends it. */
export function SearchRow({ search, onClose }: { search: TranscriptSearch; onClose: () => void }) {
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
        aria-label="Search the transcript"
        placeholder="Search the transcript"
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-9! min-w-0 flex-1"
      />
      <span role="status" className="min-w-16 px-1 text-center text-sm text-ink-soft tabular-nums">
        {words.trim() !== '' && (hasNone ? 'Not found' : `${number} of ${matches.length}`)}
      </span>
      <Button variant="ghost" size="icon" aria-label="Previous match" aria-disabled={hasNone} onClick={() => move(-1)}>
        <ChevronUp aria-hidden="true" className="size-4" />
      </Button>
      <Button variant="ghost" size="icon" aria-label="Next match" aria-disabled={hasNone} onClick={() => move(1)}>
        <ChevronDown aria-hidden="true" className="size-4" />
      </Button>
      <Button variant="ghost" size="icon" aria-label="Close the search" onClick={onClose}>
        <X aria-hidden="true" className="size-4" />
      </Button>
    </div>
  )
}
