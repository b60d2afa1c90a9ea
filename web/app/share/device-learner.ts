import { hasSessionHint } from '#web/features/auth/session-hint.ts'
import { keepKeptSession, keepVisitor, readAccountLearner, readVisitor } from '#web/features/learning/learner-id.ts'
import { isOwn } from '#web/features/learning/own-modules.ts'
import { startPublicly } from '#web/features/learning/send-report.ts'
import { readPerson } from '#web/lib/device/device-person.ts'

// By way of this file, which the bundler keeps with what each visit loads (vite.share.config.ts).
export { keepKeptSession, keepVisitor, readPerson, readVisitor, startPublicly }

/** The account of this device, or null for a learner without one. */
export function findAccount() {
  return hasSessionHint(document.cookie) ? readAccountLearner() : null
}

/** An owner who tries the own link is not counted. */
export function findLearner(moduleId: string) {
  return hasSessionHint(document.cookie) && isOwn(moduleId) ? 'owner' : findAccount()
}
