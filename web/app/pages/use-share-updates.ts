import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { LiveEvent } from '#contract/live.ts'
import { useLiveModule } from '#web/features/live/use-live-module.ts'
import { shareQuery } from '#web/features/share/share-query.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { useQueryRefresher } from '#web/lib/query-refresher.ts'

/** Keeps an open share page in step with its module: progress as it is told, the rest loaded when it changed. */
export function useShareUpdates(moduleId: string, isKnown: boolean): void {
  const queryClient = useQueryClient()
  const { queryKey } = shareQuery(useApi(), moduleId)
  const refresh = useQueryRefresher(queryKey)
  const seenVersion = useRef<number | null>(null)

  async function applyEvent({ status, progress, message, stepsVersion }: LiveEvent) {
    // An answer that is already on its way is older than the event and must not overwrite it.
    const wasLoading = queryClient.isFetching({ queryKey }) > 0
    await queryClient.cancelQueries({ queryKey })
    const before = queryClient.getQueryData(queryKey)
    if (before === undefined) return
    queryClient.setQueryData(queryKey, { ...before, status, progress, message })
    const isSame = before.status === status && before.hasVideo && seenVersion.current === stepsVersion
    seenVersion.current = stepsVersion
    if (wasLoading || !isSame) refresh()
  }
  useLiveModule({ moduleId, source: 'share', enabled: isKnown, onEvent: applyEvent })
}
