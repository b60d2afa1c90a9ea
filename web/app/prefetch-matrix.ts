import { collectionsQuery } from '#web/features/collection/collection-queries.ts'
import { matrixQuery } from '#web/features/matrix/matrix-query.ts'
import type { PrefetchDeps } from './prefetch.ts'

/** The same as `prefetchPage` for the matrix, in a file of its own: neither waits for the queries of the other. */
export async function prefetchMatrix({ queryClient, callApi }: PrefetchDeps): Promise<void> {
  await Promise.all([
    queryClient.prefetchInfiniteQuery(matrixQuery(callApi, {})),
    queryClient.prefetchQuery(collectionsQuery(callApi)),
  ])
}
