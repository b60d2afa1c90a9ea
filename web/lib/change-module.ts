import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'sonner'
import {
  Done,
  type Module,
  type ModulePatch,
  ReprocessAnswer,
  type ReprocessRequest,
  RUN_MESSAGES,
} from '#contract/module.ts'
import * as m from '#messages'
import { quotaSentence, useApi } from './api.ts'
import { keepStored, readStored } from './browser-state.ts'
import { editModule, FEEDBACK_STATS_KEY, moduleKey, showBegunRun } from './module-cache.ts'
import { useFocusWhenFewer } from './use-focus-when-fewer.ts'
import { useOptimisticMutation } from './use-optimistic-mutation.ts'

/** Changes a module on the screen at once and then on the server; reverts what the server refuses. */
export function useChangeModule(moduleId: string, { failure }: { failure: string }) {
  const callApi = useApi()
  return useOptimisticMutation({
    // One after the other, or two quick changes could arrive the other way round.
    scope: { id: `change-module-${moduleId}` },
    mutationFn: (patch: ModulePatch) =>
      callApi({ path: `/api/modules/${encodeURIComponent(moduleId)}`, method: 'PATCH', body: patch, schema: Done }),
    edits: (patch) => editModule(moduleId, patch),
    // The newest feedback is listed with the titles of its modules.
    stale: ({ title }) => [moduleKey(moduleId), ...(title === undefined ? [] : [FEEDBACK_STATS_KEY])],
    failure,
  })
}

export function useRenameModule({ id }: Pick<Module, 'id'>) {
  const [isRenaming, setIsRenaming] = useState(false)
  const change = useChangeModule(id, { failure: m.failed_to_rename_module() })
  // The editor takes the focus with it when it goes.
  const opener = useFocusWhenFewer<HTMLButtonElement>(isRenaming ? 1 : 0, { preventScroll: true })
  return {
    isRenaming,
    /** The control that the focus goes back to. */
    opener,
    begin: () => setIsRenaming(true),
    cancel: () => setIsRenaming(false),
    save: (next: string) => {
      setIsRenaming(false)
      change.mutate({ title: next })
    },
  }
}

interface Reprocess {
  moduleId: string
  /** `failed` resumes where the last run broke off, `start` starts from the beginning. */
  from: NonNullable<ReprocessRequest['from']>
}

/** Has a module processed again, and shows that it is; says how asking for it went. */
export function useReprocessModule({ onBegun }: { onBegun?: () => unknown } = {}) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ moduleId, from }: Reprocess) =>
      callApi({
        path: `/api/reprocess/${encodeURIComponent(moduleId)}`,
        method: 'POST',
        body: { from } satisfies ReprocessRequest,
        schema: ReprocessAnswer,
      }),
    onSuccess: (_, { moduleId }) => {
      toast.success(m.retry_initiated_check_back_in())
      return Promise.all([showBegunRun(queryClient, moduleId, RUN_MESSAGES.waits), onBegun?.()])
    },
    onError: (error) => toast.error(m.failed_to_retry_module(), { description: quotaSentence(error) ?? error.message }),
  })
}

/** Whether the person has read that a run of a READY module failed, which their browser keeps. */
export function useDismissedVersion(moduleId: string, run: number | undefined) {
  const key = `adapt_dismissed_version:${moduleId}`
  const [dismissed, setDismissed] = useState(() => readStored(key))
  function dismiss() {
    keepStored(key, String(run))
    setDismissed(String(run))
  }
  return { isDismissed: dismissed === String(run), dismiss }
}
