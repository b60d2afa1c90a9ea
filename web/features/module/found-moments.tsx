import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import type { MarkedText, SearchAnswer, SearchHit } from '#contract/search.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Card } from '#web/ui/card.tsx'
import { LoadFailure } from '#web/ui/notice.tsx'
import { ModulePoster } from './module-card.tsx'
import { ShowAllButton } from './show-all-button.tsx'

export type FoundModules = SearchAnswer['found']

/** So that modules whose title matches stay in sight below. */
const SHOWN_AT_FIRST = 3

interface FoundMomentsProps {
  query: UseQueryResult<FoundModules>
  /** Whether there are cards below, which a long list would hide. */
  hasCards: boolean
}

/** Moments of the caller's modules that have what was searched for; nothing where there is none. */
export function FoundMoments({ query, hasCards }: FoundMomentsProps) {
  const { data: found, isError, isFetching, isPlaceholderData, refetch } = query
  const [isWhole, setIsWhole] = useState(false)
  if (isError) {
    const message = m.contents_not_searched()
    return <LoadFailure message={message} retryLabel={m.search_again()} isBusy={isFetching} onRetry={() => refetch()} />
  }
  if (found === undefined || found.length === 0) return null
  const isCut = hasCards && found.length > SHOWN_AT_FIRST
  return (
    <section aria-labelledby="found-moments" aria-busy={isPlaceholderData} className="aria-busy:opacity-60">
      <div className="flex min-h-8 items-center justify-between gap-4">
        <h2 id="found-moments" className="text-lg font-semibold">
          {m.in_the_contents()}
        </h2>
        {isCut && <ShowAllButton isWhole={isWhole} count={found.length} onChange={setIsWhole} />}
      </div>
      <ul className="mt-3 flex flex-col gap-3">
        {(isCut && !isWhole ? found.slice(0, SHOWN_AT_FIRST) : found).map((one) => (
          <li key={one.module.id}>
            <FoundModule {...one} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function FoundModule({ module: { title, trainingUrl, posterUrl }, hits }: FoundModules[number]) {
  return (
    <Card className="flex gap-4 p-3 sm:p-4">
      {/* For the pointer only: keyboards and screen readers use the link in the title. */}
      <Link to={trainingUrl} tabIndex={-1} aria-hidden="true" className="shrink-0 self-start max-sm:hidden">
        <ModulePoster posterUrl={posterUrl} className="aspect-video w-28 rounded-control border border-line" />
      </Link>
      <div className="min-w-0 flex-1">
        <h3 className="leading-snug font-semibold wrap-anywhere" title={title}>
          <Link dir="auto" to={trainingUrl} className="line-clamp-2 rounded-chip hover:underline">
            {title}
          </Link>
        </h3>
        <ul className="mt-1 -mb-1">
          {hits.map((hit) => (
            <li key={`${hit.kind}${hit.start}${hit.text.text}`}>
              <HitLink hit={hit} trainingUrl={trainingUrl} />
            </li>
          ))}
        </ul>
      </div>
    </Card>
  )
}

const KINDS: Record<SearchHit['kind'], () => string> = {
  step: () => m.step_noun(),
  said: () => m.found_in_speech(),
  screen: () => m.found_on_screen(),
}

/** Opens the training at the moment. */
function HitLink({ hit: { kind, step, text, start }, trainingUrl }: { hit: SearchHit; trainingUrl: string }) {
  return (
    <Link
      to={`${trainingUrl}?t=${Math.floor(start)}`}
      className="-mx-2 flex gap-3 rounded-control px-2 py-1.5 hover:bg-sunken"
    >
      <span className="w-12 shrink-0 pt-px text-sm text-brand-ink tabular-nums">{formatTime(start)}</span>{' '}
      <span className="min-w-0 wrap-anywhere">
        <span className="text-ink">{markText(text)}</span>{' '}
        <span className="block text-sm text-ink-soft">
          {KINDS[kind]()}
          {step !== null && step !== '' && ` · ${step}`}
        </span>
      </span>
    </Link>
  )
}

function markText({ text, marks }: MarkedText): ReactNode {
  const marked = marks.flatMap(([from, to], index) => [
    text.slice(marks[index - 1]?.[1] ?? 0, from),
    <mark key={from} className="rounded-xs bg-warn-soft text-inherit">
      {text.slice(from, to)}
    </mark>,
  ])
  return [...marked, text.slice(marks.at(-1)?.[1])]
}
