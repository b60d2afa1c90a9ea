import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import type { StepsAnswer } from '#contract/step.ts'
import { stepsQuery } from '#web/features/step/steps-query.ts'
import { useStepSaves } from '#web/features/step-editor/use-step-saves.ts'
import { moduleQuery } from '#web/features/training/module-query.ts'
import { useApi } from '#web/lib/api-context.tsx'

/** The saves of a module's steps, with what the page knows of it. */
export function useModuleSaves(moduleId: string, query: UseQueryResult<StepsAnswer>) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const moduleKey = moduleQuery(callApi, moduleId).queryKey
  return useStepSaves({
    moduleId,
    stepsKey: stepsQuery(callApi, moduleId).queryKey,
    answer: query.data,
    readEmptyVersion: () => queryClient.getQueryData(moduleKey)?.stepsVersion ?? 0,
  })
}
