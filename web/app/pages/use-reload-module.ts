import { useQueryClient } from '@tanstack/react-query'
import { moduleQuery } from '#web/features/training/module-query.ts'
import { useApi } from '#web/lib/api-context.tsx'

/** Asks for a module again at once: what was done has changed more of it than the answer tells. */
export function useReloadModule(moduleId: string): () => Promise<void> {
  const queryClient = useQueryClient()
  const { queryKey } = moduleQuery(useApi(), moduleId)
  return () => queryClient.invalidateQueries({ queryKey })
}
