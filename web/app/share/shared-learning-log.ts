import { hasSessionHint } from '#web/features/auth/visitor.ts'
import { findStorage, readAccountLearner } from '#web/features/learning/learner-id.ts'
import { ANYONE, LearningLog } from '#web/features/learning/learning-log.ts'
import { isOwn } from '#web/features/learning/own-modules.ts'
import { sendNowhere, sendPublicly, startNowhere, startPublicly } from '#web/features/learning/send-report.ts'

/**
 * Counts what is played at the link: for the account that is signed in on this device, or else for a learner without one.
 * An owner who tries the own link is not counted.
 */
export function openSharedLearning(moduleId: string): LearningLog {
  const storage = findStorage()
  const isSignedIn = hasSessionHint(document.cookie)
  if (isSignedIn && isOwn(storage, moduleId))
    return new LearningLog({ moduleId, who: 'owner', send: sendNowhere, start: startNowhere })
  const account = isSignedIn ? readAccountLearner(storage) : null
  if (account === null) return new LearningLog({ moduleId, who: ANYONE, send: sendPublicly, start: startPublicly })
  const { userId, token } = account
  const start = (id: string, request: object) => startPublicly(id, { ...request, learner: token })
  return new LearningLog({ moduleId, who: userId, send: sendPublicly, start })
}
