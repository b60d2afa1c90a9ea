import { useEffect } from 'react'
import { LearningAnswer, type LearningReport, SessionAnswer, type SessionRequest } from '#contract/learning.ts'
import { findStorage, keepVisitor, readVisitor } from '#web/features/learning/learner-id.ts'
import { keepOwn } from '#web/features/learning/own-modules.ts'
import type { SendOutcome, StartOutcome } from '#web/features/learning/report-outbox.ts'
import { judgeFailure, LEARNING_PATH, NOT_NOW, sessionsPath } from '#web/features/learning/send-report.ts'
import { useLearning } from '#web/features/learning/use-learning.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { type CallApi, useApi, usePerson } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'

/** Counts what a signed-in person plays of another person's module. What owners play themselves is not sent. */
export function useTrainingLearning({ id, role }: Pick<LoadedModule, 'id' | 'role'>) {
  const callApi = useApi()
  const who = usePerson() ?? 'account'
  useEffect(() => {
    if (role === 'owner') void becomeOwner(callApi, id)
  }, [callApi, id, role])
  const load = async () => {
    const { LearningLog } = await import('#web/features/learning/learning-log.ts')
    return new LearningLog({
      moduleId: id,
      who,
      send: (report) => send(callApi, report),
      start: (moduleId, request) => start(callApi, moduleId, request),
    })
  }
  return useLearning(role === 'owner' ? null : load)
}

/** What an owner has tried at the own link before signing in does not count either. */
async function becomeOwner(callApi: CallApi, moduleId: string): Promise<void> {
  const storage = findStorage()
  keepOwn(storage, moduleId)
  const claim = readVisitor(storage, moduleId)
  if (claim === undefined) return
  const { kind } = await start(callApi, moduleId, { claim })
  if (kind === 'started') keepVisitor(storage, moduleId, null)
}

async function start(callApi: CallApi, moduleId: string, body: SessionRequest): Promise<StartOutcome> {
  try {
    const call = { path: sessionsPath(moduleId), method: 'POST', body, keepalive: true } as const
    return { kind: 'started', answer: await callApi({ ...call, schema: SessionAnswer }) }
  } catch (error) {
    return judge(error)
  }
}

async function send(callApi: CallApi, report: LearningReport): Promise<SendOutcome> {
  try {
    const call = { path: LEARNING_PATH, method: 'POST', body: report, keepalive: true } as const
    return { kind: 'taken', progress: (await callApi({ ...call, schema: LearningAnswer })).progress }
  } catch (error) {
    return judge(error)
  }
}

function judge(error: unknown) {
  if (!(error instanceof ApiError) || error.status < 400) return NOT_NOW
  return judgeFailure(error.status, error.retryAfterS ?? 0)
}
