import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { MODULES_PAGE_DEFAULT } from '#contract/limits.ts'
import { Done, type Module, ModulePageAnswer, OpenedListAnswer } from '#contract/module.ts'
import { SearchAnswer } from '#contract/search.ts'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { FOUND_KEY, MODULE_PAGES_KEY, MODULES_RETRY, type ModulePages, OPENED_KEY } from '#web/lib/module-cache.ts'

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
    ...MODULES_RETRY,
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
  })
}

/** The caller's modules whose steps or speech have the words of `search`, with the moments that do. */
export function foundQuery(callApi: CallApi, search: string) {
  return queryOptions({
    queryKey: [...FOUND_KEY, search],
    queryFn: async ({ signal }) => {
      const path = `/api/modules/search?${new URLSearchParams({ query: search })}`
      return (await callApi({ path, schema: SearchAnswer, signal })).found
    },
    enabled: search !== '',
    placeholderData: search === '' ? undefined : keepPreviousData,
    ...MODULES_RETRY,
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

const OPENED_PATH = '/api/opened-modules'

export function openedPath(moduleId: string): string {
  return `${OPENED_PATH}/${encodeURIComponent(moduleId)}`
}

/** The trainings of others that the caller opened, or was invited to edit, newest first. */
export function openedQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: OPENED_KEY,
    queryFn: ({ signal }) => callApi({ path: OPENED_PATH, schema: OpenedListAnswer, signal }),
  })
}

/** Puts a training of another person on the list of those that were opened. Where that fails, only the list lacks it. */
export function useRecordOpened({ id, role }: Pick<Module, 'id' | 'role'>): void {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (moduleId: string) => callApi({ path: openedPath(moduleId), method: 'PUT', schema: Done }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: OPENED_KEY }),
  })
  useEffect(() => {
    if (role === 'viewer') mutate(id)
  }, [id, role, mutate])
}
