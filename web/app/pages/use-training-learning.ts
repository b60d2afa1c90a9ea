import { useEffect } from 'react'
import { LearningAnswer, type LearningReport } from '#contract/learning.ts'
import { findStorage } from '#web/features/learning/learner-id.ts'
import { keepOwn } from '#web/features/learning/own-modules.ts'
import type { SendOutcome } from '#web/features/learning/report-outbox.ts'
import { judgeFailure, LEARNING_PATH, NOT_NOW } from '#web/features/learning/send-report.ts'
import { useLearning } from '#web/features/learning/use-learning.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { type CallApi, useApi, usePerson } from '#web/lib/api-context.tsx'
import { ApiError } from '#web/lib/api-error.ts'

/** Counts what somebody who is signed in plays of another's module. What owners play themselves is not sent. */
export function useTrainingLearning({ id, role }: Pick<LoadedModule, 'id' | 'role'>) {
  const callApi = useApi()
  const who = usePerson() ?? 'account'
  useEffect(() => {
    if (role === 'owner') keepOwn(findStorage(), id)
  }, [id, role])
  return useLearning(() => {
    if (role === 'owner') return null
    return {
      moduleId: id,
      who,
      send: (report) => send(callApi, report),
      load: async (learnerId) => {
        const path = `${LEARNING_PATH}/${encodeURIComponent(id)}/mine?learnerId=${learnerId}`
        return (await callApi({ path, schema: LearningAnswer })).progress
      },
    }
  })
}

async function send(callApi: CallApi, report: LearningReport): Promise<SendOutcome> {
  try {
    const call = { path: LEARNING_PATH, method: 'POST', body: report, keepalive: true } as const
    return { kind: 'taken', progress: (await callApi({ ...call, schema: LearningAnswer })).progress }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status < 400) return NOT_NOW
    return judgeFailure(error.status, error.retryAfterS ?? 0)
  }
}
