import { useQueryClient } from '@tanstack/react-query'
import { moduleQuery } from '#web/features/training/module-query.ts'
import { useApi } from '#web/lib/api-context.tsx'

/** Reloads a module at once, when a call has changed more of it than its answer contains. */
export function useReloadModule(moduleId: string): () => Promise<void> {
  const queryClient = useQueryClient()
  const { queryKey } = moduleQuery(useApi(), moduleId)
  return () => queryClient.invalidateQueries({ queryKey })
}
