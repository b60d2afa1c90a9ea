import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { ReprocessAnswer } from '#contract/reprocess.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { changeCachedModule, type LoadedModule, MODULES_KEY, moduleKey } from '#web/lib/module-cache.ts'
import { useChangeModule } from '#web/lib/use-change-module.ts'

export type HearingSettings = Pick<LoadedModule, 'language' | 'glossary'>

/** Keeps how a module is to be heard, and has it made again. */
export function useHearingSettings(module: LoadedModule) {
  const change = useChangeModule(module.id, { failure: 'Failed to save the settings' })
  const again = useProcessAgain(module.id)
  const { language, glossary } = module
  return {
    isBusy: change.isPending || again.isPending,
    save: ({ glossary: words, ...next }: HearingSettings) =>
      change.mutateAsync({
        patch: { ...next, glossary: words ?? '' },
        before: { language, glossary: glossary ?? '' },
      }),
    processAgain: () => again.mutateAsync(),
  }
}

function useProcessAgain(moduleId: string) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () =>
      callApi({
        path: `/api/reprocess/${encodeURIComponent(moduleId)}`,
        method: 'POST',
        body: { from: 'start' },
        schema: ReprocessAnswer,
      }),
    onSuccess: () => {
      changeCachedModule(queryClient, moduleId, { status: 'PROCESSING', progress: 0, message: 'Starting again' })
      void queryClient.invalidateQueries({ queryKey: MODULES_KEY })
    },
    onError: (error) => toast.error('Failed to make the module again', { description: error.message }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: moduleKey(moduleId) }),
  })
}
