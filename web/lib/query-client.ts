import { focusManager, QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { listen } from './browser-state.ts'

/** Specification §9, "Data-cache defaults", in TanStack Query's terms. */
const DEDUPE_MS = 2_000
const FOCUS_THROTTLE_MS = 5_000
const ERROR_RETRY_MS = 5_000
const ERROR_RETRY_SLOW_NETWORK_MS = 10_000
const RETRIES = 3

/** Data younger than 2 s is shared instead of fetched again; only transient failures are retried. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: DEDUPE_MS,
        ...retryUpTo(RETRIES, () => (isSlowNetwork() ? ERROR_RETRY_SLOW_NETWORK_MS : ERROR_RETRY_MS)),
      },
      // A change that a user makes without a connection fails with a message instead of waiting in silence.
      mutations: { networkMode: 'always' },
    },
  })
}

/**
 * Makes the retry options of a query, for failures that can succeed later.
 * @param delayMs milliseconds after so many earlier failures, from 0
 */
export function retryUpTo(retries: number, delayMs: (failures: number) => number) {
  return { retry: (failures: number, error: Error) => failures < retries && canPass(error), retryDelay: delayMs }
}

/** Whether the same call can succeed later: no answer, an overloaded or a broken server. */
export function canPass(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500
}

function isSlowNetwork(): boolean {
  const connection = (navigator as { connection?: { effectiveType?: string; saveData?: boolean } }).connection
  return connection?.saveData === true || ['slow-2g', '2g'].includes(connection?.effectiveType ?? '')
}

/**
 * Lets coming back to the window refresh stale data at most once in 5 s. A return inside that time is answered at its
 * end, because queries that paused in the background wait for this signal.
 */
export function throttleFocusRefetch(): void {
  focusManager.setEventListener((onFocus) => {
    let lastAt = Number.NEGATIVE_INFINITY
    let timer: ReturnType<typeof setTimeout> | undefined
    function onVisibilityChange() {
      if (document.visibilityState === 'hidden') return
      clearTimeout(timer)
      const waitMs = Math.max(0, lastAt + FOCUS_THROTTLE_MS - performance.now())
      timer = setTimeout(() => {
        lastAt = performance.now()
        onFocus()
      }, waitMs)
    }
    const end = listen(document, { visibilitychange: onVisibilityChange })
    return () => {
      clearTimeout(timer)
      end()
    }
  })
}

/**
 * Puts newer data in the place of a query's. An answer that is on its way is older, so it is dropped, and the query is
 * loaded once more where one was.
 */
export async function replaceQueryData<Data>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  update: (before: Data | undefined) => Data | undefined,
): Promise<void> {
  const wasLoading = queryClient.isFetching({ queryKey, exact: true }) > 0
  await queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData<Data>(queryKey, update)
  if (wasLoading) void queryClient.invalidateQueries({ queryKey, exact: true })
}
