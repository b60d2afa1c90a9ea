import type { SessionRequest } from '#contract/learning.ts'
import { readKeptSession } from '#web/features/learning/learner-id.ts'
import { ANYONE, LearningLog } from '#web/features/learning/learning-log.ts'
import { sendNowhere, sendPublicly, startNowhere, startPublicly } from '#web/features/learning/send-report.ts'
import { readPerson } from '#web/lib/device/device-person.ts'
import type { AskedMarks } from './asked-marks.tsx'
import { findLearner } from './device-learner.ts'

/** Marks what is asked again of the person whose device this is; null where it is nobody's. */
export async function openAsked(linkId: string): Promise<AskedMarks | null> {
  return readPerson() === null ? null : import('./asked-marks.tsx').then((part) => part.loadAskedMarks(linkId))
}

/** Counts what is played at the link. @param stepsVersion of the page; left out where nothing is played */
export function openSharedLearning(moduleId: string, stepsVersion?: number): LearningLog {
  const account = findLearner(moduleId)
  if (account === 'owner') return new LearningLog({ moduleId, who: account, send: sendNowhere, start: startNowhere })
  const learner = account === null ? {} : { learner: account.token }
  const start = (id: string, request: SessionRequest) => {
    const since = readKeptSession(id)
    return startPublicly(id, { ...request, ...learner, ...(since !== undefined && { since }) })
  }
  const who = account?.userId ?? ANYONE
  return new LearningLog({ moduleId, stepsVersion, who, send: sendPublicly, start, readPerson })
}
