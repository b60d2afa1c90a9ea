import { useQuery } from '@tanstack/react-query'
import { Monitor } from 'lucide-react'
import { useMemo } from 'react'
import type { ScreenBlock } from '#contract/screen.ts'
import * as m from '#messages'
import { applyCorrections } from '#screen/apply-corrections.ts'
import { useApi } from '#web/lib/api.ts'
import { formatTime } from '#web/lib/format/format-time.ts'
import { screenQuery } from './screen-query.ts'

/** More are no help in a list without pages. */
const MATCHES_MAX = 20

interface ScreenMatchesProps {
  moduleId: string
  /** What is searched for. */
  words: string
  onSeek: (seconds: number) => void
}

/** Texts of the screen that have what is searched for, each with the way to its moment; nothing where there is none. */
export function ScreenMatches({ moduleId, words, onSeek }: ScreenMatchesProps) {
  const callApi = useApi()
  const isSearched = words.trim() !== ''
  const { data } = useQuery({ ...screenQuery(callApi, moduleId), enabled: isSearched })
  const blocks = useMemo(() => applyCorrections(data?.reading?.blocks ?? [], data?.corrections ?? []), [data])
  const found = useMemo(() => (isSearched ? findBlocks(blocks, words) : []), [isSearched, blocks, words])
  if (found.length === 0) return null
  return (
    <section aria-labelledby="screen-matches" className="border-b border-line px-2 py-2">
      <h4 id="screen-matches" className="flex items-center gap-1.5 px-2 text-xs font-medium text-ink-soft">
        <Monitor aria-hidden="true" className="size-3.5" />
        {m.found_on_screen()}
      </h4>
      <ul className="max-h-40 overflow-y-auto">
        {found.map(({ text, startMs }) => (
          <li key={`${startMs} ${text}`}>
            <button
              type="button"
              onClick={() => onSeek(startMs / 1_000)}
              className="flex min-h-8 w-full gap-3 rounded-control px-2 py-1 text-start text-sm hover:bg-sunken"
            >
              <span className="w-12 shrink-0 text-brand-ink tabular-nums">{formatTime(startMs / 1_000)}</span>{' '}
              <span dir="auto" className="min-w-0 wrap-anywhere">
                {text}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Each text once, at its first moment, whatever the case and the white space are. */
export function findBlocks(blocks: readonly ScreenBlock[], words: string): ScreenBlock[] {
  const wanted = fold(words)
  const texts = new Set<string>()
  const found = blocks.filter(({ text }) => {
    if (!fold(text).includes(wanted) || texts.has(text)) return false
    texts.add(text)
    return true
  })
  return found.slice(0, MATCHES_MAX)
}

function fold(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase()
}
