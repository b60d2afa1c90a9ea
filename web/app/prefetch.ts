import type { QueryClient } from '@tanstack/react-query'
import { feedbackStatsQuery } from '#web/features/feedback/feedback-stats-query.ts'
import { modulePagesQuery, openedQuery } from '#web/features/module/module-queries.ts'
import { stepsQuery } from '#web/features/step/steps-query.ts'
import { moduleQuery } from '#web/features/training/module-query.ts'
import { transcriptQuery } from '#web/features/transcript/transcript-query.ts'
import type { CallApi } from '#web/lib/api.ts'

export interface PrefetchDeps {
  queryClient: QueryClient
  callApi: CallApi
}

/** Begins to load what a page shows. Never rejects: the page itself asks again for what failed, and shows the error. */
export async function prefetchPage({ queryClient, callApi }: PrefetchDeps, path: string, moduleId = ''): Promise<void> {
  if (path === '/dashboard') {
    await Promise.all([
      queryClient.prefetchInfiniteQuery(modulePagesQuery(callApi, '')),
      queryClient.prefetchQuery(openedQuery(callApi)),
      queryClient.prefetchQuery(feedbackStatsQuery(callApi)),
    ])
  } else {
    await Promise.all([
      queryClient.prefetchQuery(moduleQuery(callApi, moduleId)),
      queryClient.prefetchQuery(stepsQuery(callApi, moduleId)),
      queryClient.prefetchQuery(transcriptQuery(callApi, moduleId)),
    ])
  }
}
