import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { MODULE_TITLE_MAX_CHARS } from '#contract/limits.ts'
import type { Module } from '#contract/module.ts'
import { DuplicateAnswer, type DuplicateRequest } from '#contract/training/duplicate.ts'
import * as m from '#messages'
import { quotaSentence, useApi } from '#web/lib/api.ts'
import { MODULES_KEY } from '#web/lib/module-cache.ts'

/** Makes a training of its own out of a copy of another. */
export function useDuplicateModule({ id, title }: Pick<Module, 'id' | 'title'>, onDone: (moduleId: string) => void) {
  const [callApi, queryClient] = [useApi(), useQueryClient()]
  return useMutation({
    mutationFn: () =>
      callApi({
        path: `/api/modules/${encodeURIComponent(id)}/duplicate`,
        method: 'POST',
        body: { title: m.copy_of_title({ title }).slice(0, MODULE_TITLE_MAX_CHARS) } satisfies DuplicateRequest,
        schema: DuplicateAnswer,
        timeoutMs: COPY_TIMEOUT_MS,
      }),
    onMutate: () => void toast.info(m.training_is_duplicated()),
    onSuccess: ({ moduleId }) => {
      toast.success(m.training_was_duplicated())
      void queryClient.invalidateQueries({ queryKey: MODULES_KEY })
      onDone(moduleId)
    },
    onError: (error) =>
      toast.error(m.failed_to_duplicate_training(), { description: quotaSentence(error) ?? error.message }),
  })
}

/** A large video is copied within a minute. */
const COPY_TIMEOUT_MS = 60_000
