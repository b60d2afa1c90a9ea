import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { MODULES_PAGE_MAX, STATUS_POLL_MS } from '#contract/limits.ts'
import type { Module } from '#contract/module.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { atWorkQuery } from '#web/lib/at-work-query.ts'
import { changeCachedModule, dropCachedModule, type LoadedModule } from '#web/lib/module-cache.ts'
import { readModule } from '#web/lib/read-module.ts'

/** Keeps what the loaded pages say of modules in processing up to date, without asking for the pages again. */
export function useLiveProgress(modules: readonly Module[]): void {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const watched = modules.filter(({ status }) => status === 'PROCESSING')
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
      if (ended === 'gone') dropCachedModule(queryClient, moduleId)
      else if (ended !== 'unknown') changeCachedModule(queryClient, moduleId, asCard(ended))
    }
    // Once for each answer, because its own changes to the pages must not process it again.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [dataUpdatedAt])
}

function hasMoved(shown: Module, now: Module): boolean {
  const parts = ({ status, progress, message, hasVideo, uploadPercent, posterUrl, totalDuration }: Module) =>
    JSON.stringify([status, progress, message, hasVideo, uploadPercent, posterUrl, totalDuration])
  return parts(shown) !== parts(now)
}

/** A module as cards show it. */
function asCard(module: LoadedModule): Module {
  const { steps: _, language: __, glossary: ___, ...card } = module
  return card
}
