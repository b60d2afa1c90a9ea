import { useEffect } from 'react'
import { AccountLearnerAnswer } from '#contract/learning.ts'
import { useVisitor } from '#web/features/auth/visitor.ts'
import { findStorage, keepAccountLearner, readAccountLearner } from '#web/features/learning/learner-id.ts'
import { LEARNING_PATH } from '#web/features/learning/send-report.ts'
import { useApi, usePerson } from '#web/lib/api-context.tsx'

/** The token lasts for months; one a day is enough for a device that is used. */
const RENEWED_AFTER_MS = 24 * 60 * 60_000

/** Keeps what the share page, which loads no sign-in, needs to report for the account that is signed in here. */
export function useAccountLearner(): void {
  const callApi = useApi()
  const userId = usePerson()
  const visitor = useVisitor()
  useEffect(() => {
    if (visitor !== 'signedIn' || userId === null) return
    const kept = readAccountLearner(findStorage())
    if (kept?.userId === userId && Date.now() - kept.atMs < RENEWED_AFTER_MS) return
    // The token of the person before is not for this one, whatever the server answers.
    if (kept !== null && kept.userId !== userId) keepAccountLearner(findStorage(), null)
    let isHere = true
    const call = { path: `${LEARNING_PATH}/account`, method: 'POST', schema: AccountLearnerAnswer } as const
    callApi(call).then(
      ({ learner }) => {
        if (isHere) keepAccountLearner(findStorage(), { userId, token: learner, atMs: Date.now() })
      },
      // The next page asks again. A token that is due for renewal still works; without one, the share page counts a learner
      // without an account, who is claimed later.
      () => {},
    )
    return () => {
      isHere = false
    }
  }, [callApi, userId, visitor])
}

/** Forgets it when the person has signed out. */
export function useForgottenAccountLearner(): void {
  const visitor = useVisitor()
  useEffect(() => {
    if (visitor === 'signedOut') keepAccountLearner(findStorage(), null)
  }, [visitor])
}
