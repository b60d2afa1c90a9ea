import { findLearner, keepKeptSession, keepVisitor, readVisitor, startPublicly } from './device-learner.ts'

/**
 * Has the server know this device's learner from now on, so that what is played without a network counts as played.
 * Where it does not answer, that counts as self-reported.
 */
export async function issueLearner(moduleId: string): Promise<void> {
  const account = findLearner(moduleId)
  if (account === 'owner') return
  const learner = account?.token ?? readVisitor(moduleId)
  const started = await startPublicly(moduleId, learner === undefined ? {} : { learner })
  if (started.kind !== 'started') return
  const { answer } = started
  keepKeptSession(moduleId, answer.session)
  if (!answer.hasAccount) keepVisitor(moduleId, answer.learner)
}
