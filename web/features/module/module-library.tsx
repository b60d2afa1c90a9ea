import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { MODULES_PAGE_MAX, STATUS_POLL_MS } from '#contract/limits.ts'
import type { Module } from '#contract/module.ts'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { atWorkQuery, changeCachedModule, dropModule, isAtWork, readModule } from '#web/lib/module-cache.ts'
import { applyEdits } from '#web/lib/use-optimistic-mutation.ts'
import { ListFailed } from '#web/ui/notice.tsx'
import { FoundMoments } from './found-moments.tsx'
import { LibraryOffline, ListEnd, ModuleSkeletons, NoMatch } from './library-states.tsx'
import { ModuleCollection } from './module-collection.tsx'
import { foundQuery, modulePagesQuery, shortenPages } from './module-queries.ts'
import { type ModuleLayout, ModuleToolbar, useLayout } from './module-toolbar.tsx'

const NO_MODULES: Module[] = []

interface ModuleLibraryProps {
  /** For a person who has no module yet. */
  empty: ReactNode
  onShare: (module: Module) => void
}

/** The caller's modules with search and layout, in every state that the list can be in. */
export function ModuleLibrary({ empty, onShare }: ModuleLibraryProps) {
  const [search, setSearch] = useState('')
  const [layout, setLayout] = useLayout()
  const searchBox = useRef<HTMLInputElement>(null)
  const pages = useInfiniteQuery(modulePagesQuery(useApi(), search))
  const found = useFound(search)
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = pages
  const modules = useMemo(() => data?.pages.flatMap((page) => page.modules) ?? NO_MODULES, [data])
  useLiveProgress(modules)
  // A long list is not refreshed, so it is not kept for the next visit either.
  const queryClient = useQueryClient()
  useEffect(() => () => shortenPages(queryClient), [queryClient])
  const drawn = useDrawn(modules, layout)
  const mayLoadMore = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !pages.isPlaceholderData
  const loadMore = useCallback(() => {
    if (mayLoadMore) void fetchNextPage()
  }, [mayLoadMore, fetchNextPage])

  function clearSearch() {
    if (searchBox.current) searchBox.current.value = ''
    searchBox.current?.focus()
    setSearch('')
  }
  if (pages.isPending && search === '') return pages.isPaused ? <LibraryOffline /> : <ModuleSkeletons />
  const retry = { error: pages.error, isBusy: pages.isFetching, onRetry: () => pages.refetch() }
  const failed = <ListFailed title={m.failed_to_fetch_modules()} {...retry} />
  if (data === undefined && search === '') return failed
  if (modules.length === 0 && search === '' && !pages.isPlaceholderData) return empty
  return (
    <div className="flex flex-col gap-6">
      <ModuleToolbar ref={searchBox} onSearch={setSearch} layout={layout} onLayout={setLayout} />
      <p role="status" className="sr-only">
        {!pages.isPlaceholderData && data && formatFound(modules.length, { isComplete: !hasNextPage, ...found })}
      </p>
      {search !== '' && <FoundMoments query={found.query} hasCards={modules.length > 0} />}
      {data === undefined ? (
        failed
      ) : modules.length === 0 ? (
        <NoTitle {...found} onClear={clearSearch} />
      ) : (
        <ModuleCollection
          {...drawn}
          isStale={pages.isPlaceholderData}
          isComplete={!hasNextPage}
          onReachEnd={loadMore}
          onShare={onShare}
        />
      )}
      <ListEnd
        hasMore={hasNextPage}
        isLoading={isFetchingNextPage}
        failure={isFetchNextPageError ? (pages.error?.message ?? '') : null}
        onMore={() => void fetchNextPage()}
      />
    </div>
  )
}

/**
 * Other cards, or the same in another layout, are drawn bit by bit: letters and clicks that come meanwhile are answered
 * first. What only changes within a card is drawn at once.
 */
function useDrawn(modules: Module[], layout: ModuleLayout) {
  const later = useDeferredValue(useMemo(() => ({ modules, layout }), [modules, layout]))
  return haveSameIds(later.modules, modules) ? { modules, layout: later.layout } : later
}

function haveSameIds(some: readonly Module[], others: readonly Module[]): boolean {
  return some === others || (some.length === others.length && some.every(({ id }, index) => id === others[index]?.id))
}

/** What steps, speech and screens have of what is searched for. */
function useFound(search: string) {
  const query = useQuery(foundQuery(useApi(), search))
  const isSearching = search !== '' && (query.isPending || query.isPlaceholderData)
  return { search, query, isSearching, count: search === '' ? 0 : (query.data?.length ?? 0) }
}

type Found = ReturnType<typeof useFound>

/** Below what was found in steps, speech and screens, where no title has it. */
function NoTitle({ search, query, isSearching, count, onClear }: Found & { onClear: () => void }) {
  if (isSearching) return <p className="py-8 text-center text-ink-soft">{m.searching_the_contents()}</p>
  return count === 0 && !query.isError && <NoMatch search={search} onClear={onClear} />
}

/** Only what is loaded has been counted. */
function formatFound(titles: number, { search, isSearching, count, isComplete }: Found & { isComplete: boolean }) {
  if (search === '' || isSearching) return ''
  const found = { count: titles, found: count }
  if (count === 0) return isComplete ? m.modules_match(found) : m.more_than_modules_match(found)
  return isComplete ? m.modules_match_by_title(found) : m.more_than_modules_match_by_title(found)
}

/** Keeps what the loaded pages say of modules in processing up to date, without asking for the pages again. */
function useLiveProgress(modules: readonly Module[]): void {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const watched = modules.filter(isAtWork)
  const { data: atWork, dataUpdatedAt } = useQuery({
    ...atWorkQuery(callApi),
    enabled: watched.length > 0,
    refetchInterval: STATUS_POLL_MS,
  })
  useEffect(() => {
    if (atWork === undefined) return
    for (const module of watched) {
      const now = atWork.find(({ id }) => id === module.id)
      if (now) {
        if (hasMoved(module, now)) changeCachedModule(queryClient, module.id, now)
      } else if (atWork.length < MODULES_PAGE_MAX) void findEnd(module.id)
    }
    async function findEnd(moduleId: string) {
      const ended = await readModule(callApi, moduleId)
      if (ended === 'gone') applyEdits(queryClient, [dropModule(moduleId)])
      else if (ended !== 'unknown') changeCachedModule(queryClient, moduleId, ended)
    }
    // Once for each answer, because its own changes to the pages must not process it again.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [dataUpdatedAt])
}

/** A change of the list of what is at work would be followed by the next, without end. */
function hasMoved(listed: Module, now: Module): boolean {
  const parts = ({
    status,
    progress,
    message,
    newVersion,
    hasVideo,
    uploadPercent,
    posterUrl,
    totalDuration,
  }: Module) =>
    JSON.stringify([status, progress, message, newVersion, hasVideo, uploadPercent, posterUrl, totalDuration])
  return parts(listed) !== parts(now)
}
