import { queryOptions } from '@tanstack/react-query'
import { STEPS_RETRIES, STEPS_RETRY_DELAY_MS } from '#contract/limits.ts'
import type { Module } from '#contract/module.ts'
import { StepsAnswer } from '#contract/step.ts'
import * as m from '#messages'
import type { CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { canPass, retryUpTo } from '#web/lib/query-client.ts'

/** The steps that exist so far. `t` keeps caches on the way from answering with yesterday's steps. */
export function stepsQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: ['steps', moduleId],
    queryFn: ({ signal }) =>
      callApi({ path: `/api/steps/${encodeURIComponent(moduleId)}?t=${Date.now()}`, schema: StepsAnswer, signal }),
    ...retryUpTo(STEPS_RETRIES, () => STEPS_RETRY_DELAY_MS),
  })
}

/** Whether there can be steps to ask for: a module in progress has none before the first change to them. */
export function mayHaveSteps({ status, stepsVersion }: Pick<Module, 'status' | 'stepsVersion'>): boolean {
  return status !== 'PROCESSING' || stepsVersion > 0
}

/** What the step panel says: the server's own sentence, or that trying again did not help. */
export function describeStepsError(error: Error): string {
  if (canPass(error)) return m.failed_to_load_steps_after()
  return error instanceof ApiError ? error.sentence : error.message
}
