import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** A module can publish several changes a second; each query is loaded again at most this often. */
const REFRESH_EVERY_MS = 1_000

interface RefresherOptions {
  queryClient: QueryClient
  queryKey: QueryKey
  /** Whether the cache already has the change; without this an answer that was already under way never counts. */
  isFresh?: (() => boolean) | undefined
}

/**
 * Loads a query again, at once and then at most once a second, one call at a time. An answer that was already under way
 * may be older than a change that was published since, so it is followed by another call instead of being aborted: with
 * aborts, no answer of a slow server with frequent changes would ever arrive.
 */
export function makeQueryRefresher({ queryClient, queryKey, isFresh = () => false }: RefresherOptions) {
  let lastAtMs = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isWanted = false

  function refresh() {
    if (isRunning) isWanted = true
    else if (timer === undefined) schedule()
  }

  function schedule() {
    const waitMs = lastAtMs + REFRESH_EVERY_MS - Date.now()
    if (waitMs <= 0) void run()
    else timer = setTimeout(run, waitMs)
  }

  async function run() {
    timer = undefined
    lastAtMs = Date.now()
    isRunning = true
    isWanted = false
    const wasUnderWay = queryClient.isFetching({ queryKey, exact: true }) > 0
    await queryClient.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false })
    isRunning = false
    if (isWanted || (wasUnderWay && !isFresh())) schedule()
  }

  return { refresh, stop: () => clearTimeout(timer) }
}

/** {@link makeQueryRefresher} for as long as a component lives. The key and the question are those of the first draw. */
export function useQueryRefresher(queryKey: QueryKey, isFresh?: () => boolean): () => void {
  const queryClient = useQueryClient()
  const [refresher] = useState(() => makeQueryRefresher({ queryClient, queryKey, isFresh }))
  useEffect(() => refresher.stop, [refresher])
  return refresher.refresh
}
