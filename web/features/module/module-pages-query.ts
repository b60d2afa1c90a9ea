import { infiniteQueryOptions, keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { MODULES_BACKOFF_MS, MODULES_FETCH_ATTEMPTS, MODULES_PAGE_DEFAULT } from '#contract/limits.ts'
import { ModulePageAnswer } from '#contract/module.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import { MODULE_PAGES_KEY, type ModulePages } from '#web/lib/module-cache.ts'
import { canPass } from '#web/lib/query-client.ts'

/** A refresh requests all loaded pages one after the other, so a longer list is not refreshed. */
const REFRESHED_PAGES_MAX = 3

/** The caller's modules whose titles contain `search`, page by page, newest first. */
export function modulePagesQuery(callApi: CallApi, search: string) {
  return infiniteQueryOptions({
    queryKey: [...MODULE_PAGES_KEY, search],
    queryFn: ({ pageParam, signal }) =>
      callApi({ path: `/api/modules?${pageAddress(search, pageParam)}`, schema: ModulePageAnswer, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    retry: (failures, error) => failures + 1 < MODULES_FETCH_ATTEMPTS && canPass(error),
    retryDelay: (failures) => MODULES_BACKOFF_MS * (failures + 1),
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
  })
}

function pageAddress(search: string, cursor: string | null): string {
  const params = new URLSearchParams({ limit: String(MODULES_PAGE_DEFAULT) })
  if (search !== '') params.set('search', search)
  if (cursor !== null) params.set('cursor', cursor)
  return params.toString()
}

/** Drops the pages beyond those that are refreshed, so that a returning owner sees a current list. */
export function shortenPages(queryClient: QueryClient): void {
  queryClient.setQueriesData<ModulePages>(
    { queryKey: MODULE_PAGES_KEY },
    (data) =>
      data && {
        pages: data.pages.slice(0, REFRESHED_PAGES_MAX),
        pageParams: data.pageParams.slice(0, REFRESHED_PAGES_MAX),
      },
  )
}

function isShort({ state }: { state: { data: ModulePages | undefined } }): boolean {
  return (state.data?.pages.length ?? 0) <= REFRESHED_PAGES_MAX
}
