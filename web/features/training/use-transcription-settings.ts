import type { LoadedModule } from '#web/lib/module-cache.ts'
import { useChangeModule } from '#web/lib/use-change-module.ts'
import { useReprocessModule } from '#web/lib/use-reprocess-module.ts'

export type TranscriptionSettings = Pick<LoadedModule, 'language' | 'glossary'>

/** Saves the transcription settings of a module, and reprocesses it. */
export function useTranscriptionSettings(module: LoadedModule) {
  const change = useChangeModule(module.id, { failure: 'Failed to save the settings' })
  const again = useReprocessModule()
  const { language, glossary } = module
  return {
    isBusy: change.isPending || again.isPending,
    save: ({ glossary: words, ...next }: TranscriptionSettings) =>
      change.mutateAsync({
        patch: { ...next, glossary: words ?? '' },
        before: { language, glossary: glossary ?? '' },
      }),
    processAgain: () => again.mutateAsync({ moduleId: module.id, from: 'start' }),
  }
}
