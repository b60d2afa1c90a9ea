import { SettledAnswer } from '#contract/feedback/step-report.ts'
import { Done } from '#contract/module.ts'
import { judgeFailure, NOT_NOW } from '#web/features/learning/send-report.ts'
import type { CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { bodyOf, openReporting, type Reporting, stepReportsPath } from './reporting.tsx'
import type { Delivery, WaitingReport } from './step-report-outbox.ts'

/** A photo on the slow line of a hall. */
const LARGE_TIMEOUT_MS = 60_000

/** Lets a signed-in person report from the steps of another person's training. */
export function openAccountReports(callApi: CallApi, { moduleId, who }: { moduleId: string; who: string }): Reporting {
  const send = (report: WaitingReport): Promise<Delivery> => {
    const call = { path: stepReportsPath(report.moduleId), method: 'POST', schema: Done } as const
    return callApi({ ...call, body: bodyOf(report), timeoutMs: LARGE_TIMEOUT_MS }).then(
      () => ({ kind: 'taken' }),
      (error: unknown) => {
        const isAnswered = error instanceof ApiError && error.status >= 400
        return isAnswered ? judgeFailure(error.status, error.retryAfterS ?? 0) : NOT_NOW
      },
    )
  }
  const askSettled = (path: string) =>
    callApi({ path, schema: SettledAnswer }).then(
      ({ settled }) => settled,
      // Without a network the next page asks again.
      () => [],
    )
  return openReporting({ moduleId, who, send, askSettled })
}
